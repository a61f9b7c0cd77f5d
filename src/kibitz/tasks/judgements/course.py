"""One run of the bench: the test score of the best weights on dev so far, after each number of judgements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kibitz.analysis.step_noise import take_steps
from kibitz.data.generated import Difficulty, generated, label_names
from kibitz.features.plain import Plain
from kibitz.feedback import Hamming
from kibitz.learning.simulation import Point, simulate
from kibitz.spaces.chain import Chain
from kibitz.tasks.catalogue import build
from kibitz.tasks.encoding import Source, encode
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.run import new_learner, told
from kibitz.tasks.settings import Settings
from kibitz.tasks.side_by_side import Report
from kibitz.tasks.task import Task

LOOKS = 60  # at dev
STEPS = 1_500  # judged, of which the noise is taken
WARM = 2_000  # judgements before that
# Many draws of an input, each against the others: the exact gradient but for the choice of inputs.
EXACT: dict[str, Any] = {
    "objective": "el", "draws": 32, "baseline": "leave-one-out", "asks": "all", "temperature": 0.0,
    "coupling": "independent", "control_variate": "none",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Course:
    """A task, how to learn it, and the seed: what a process of its own is sent."""

    task: str
    difficulty: Difficulty
    settings: Settings
    seed: int
    noise: bool = False  # that of its steps in place of its course


def task_of(name: str, difficulty: Difficulty) -> Task:
    """The task by name; the generated one is made on the spot."""
    if name != "generated":
        return build(Recipe(name))
    split = generated(difficulty)
    done = encode(Source(Chain(label_names(difficulty.labels), Plain()), split.train, split.dev, split.test))
    return Task(Recipe("handwriting"), done.space, done.train, done.dev, done.test, Hamming())


def follow(course: Course, report: Report) -> dict[str, Any]:
    """The course of a run, or the noise of its steps."""
    task, settings = task_of(course.task, course.difficulty), course.settings
    learner = new_learner(task.space, settings, course.seed, epoch=len(task.train))
    if course.noise:
        return _noise(task, course)
    assert task.test is not None
    test = task.test
    spare = new_learner(task.space, settings, course.seed, epoch=len(task.train))
    simulate(spare, task.train, task.loss, iterations=1, rater=settings.rater)  # compiles, and is thrown away
    points: list[tuple[int, float, float]] = []
    heard: list[tuple[int, float]] = []
    best: list[float] = []

    def note(point: Point) -> None:
        assert point.dev is not None
        sign = 1.0 if task.loss.higher_is_better else -1.0
        if not best or sign * point.dev > best[0]:
            best[:] = [sign * point.dev, task.space.score(test, learner.weights, task.loss)]
        points.append((point.feedback, point.dev, best[1]))
        if point.heard is not None:
            heard.append((point.iteration, point.heard))
        report(told(point, settings))

    run = simulate(
        learner, task.train, task.loss, iterations=settings.iterations, feedback=settings.feedback, dev=task.dev,
        every=max(1, (settings.feedback or settings.iterations) // LOOKS), inputs=settings.inputs,
        rater=settings.rater, progress=note,
    )  # fmt: skip
    return {
        "points": points, "heard": heard, "iterations": run.iterations, "feedback": run.feedback,
        "us_per_iteration": 1e6 * run.learning_seconds / max(1, run.iterations), "interrupted": run.interrupted,
    }  # fmt: skip


def _noise(task: Task, course: Course) -> dict[str, Any]:
    """At the weights that the recommended comparisons reach first: the same for every method."""
    from kibitz.tasks.judgements.methods import settings_of

    teacher = settings_of(course.task, "recommended comparing", WARM)
    first, exact, learner = (
        new_learner(task.space, settings, course.seed, epoch=len(task.train))
        for settings in (teacher, replace(course.settings, **EXACT), course.settings)
    )
    simulate(first, task.train, task.loss, iterations=teacher.iterations, feedback=WARM)
    exact.use(first.weights)
    learner.use(first.weights)
    direction = take_steps(exact, task.train, task.loss, STEPS, course.seed).mean
    steps = take_steps(learner, task.train, task.loss, STEPS, course.seed + 1000)
    return {"noise": steps.noise(direction) * steps.judgements}
