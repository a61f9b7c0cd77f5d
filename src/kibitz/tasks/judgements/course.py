"""One piece of the bench: a run's test scores over judgements, the noise of its steps, or what they cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kibitz.analysis.bench.timing import race
from kibitz.analysis.step_noise import take_steps
from kibitz.data.generated import Difficulty, generated, label_names
from kibitz.features.plain import Plain
from kibitz.feedback import Hamming
from kibitz.learning.learner import Learner
from kibitz.learning.simulation import Point, simulate
from kibitz.spaces.chain import Chain
from kibitz.spaces.weights import Array
from kibitz.tasks.catalogue import build
from kibitz.tasks.encoding import Source, encode
from kibitz.tasks.judgements.methods import settings_of
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.run import new_learner, told
from kibitz.tasks.settings import Settings
from kibitz.tasks.side_by_side import Report
from kibitz.tasks.task import Task

GROWTH = 1.05  # of the judgements between two looks at dev: evenly on a logarithmic axis
STOPS = 200  # where a run can be looked at
STOPS_OF_PAIRS = (
    25  # in as many asks as judgements: of pairs every second ask is judged at first, every fiftieth later
)
STEPS = 1_500  # judged, of which the noise is taken
WARM = 2_000  # judgements before that, and before the cost is taken
TIMED = 10_000  # iterations of a round
ROUNDS = 5
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
    kind: str = "course"  # noise: that of its steps; cost: the processor time that they take


def task_of(name: str, difficulty: Difficulty) -> Task:
    """The task by name; the generated one is made on the spot."""
    if name != "generated":
        return build(Recipe(name))
    split = generated(difficulty)
    done = encode(Source(Chain(label_names(difficulty.labels), Plain()), split.train, split.dev, split.test))
    return Task(Recipe("handwriting"), done.space, done.train, done.dev, done.test, Hamming())


def follow(course: Course, report: Report) -> dict[str, Any]:
    """The course of a run: dev and the test score of the best weights on dev so far; or the noise or cost of steps."""
    task, settings = task_of(course.task, course.difficulty), course.settings
    if course.kind != "course":
        return _noise(task, course) if course.kind == "noise" else _cost(task, course)
    assert task.test is not None
    test = task.test
    learner = new_learner(task.space, settings, course.seed, epoch=len(task.train))
    spare = new_learner(task.space, settings, course.seed, epoch=len(task.train))
    simulate(spare, task.train, task.loss, iterations=1, rater=settings.rater)  # compiles, and is thrown away
    sign = 1 if task.loss.higher_is_better else -1
    points: list[tuple[int, float, float]] = []  # judgements, dev, test of the best on dev so far
    heard: list[tuple[int, float]] = []

    def look(judgements: int) -> None:
        dev = task.space.score(task.dev, learner.weights, task.loss)
        best = all(sign * dev > sign * before for _, before, _ in points)
        score = task.space.score(test, learner.weights, task.loss) if best else points[-1][2]
        points.append((judgements, dev, score))

    def note(point: Point) -> None:
        if point.heard is not None:
            heard.append((point.iteration, point.heard))
        if not points or point.feedback >= GROWTH * points[-1][0]:
            look(point.feedback)
        report(told(replace(point, dev=points[-1][1]), settings))

    stops = STOPS_OF_PAIRS if settings.skips else STOPS
    run = simulate(
        learner, task.train, task.loss, iterations=settings.iterations, feedback=settings.feedback,
        every=max(1, (settings.feedback or settings.iterations) // stops), inputs=settings.inputs,
        rater=settings.rater, progress=note,
    )  # fmt: skip
    look(run.feedback)
    return {
        "points": points, "heard": heard, "iterations": run.iterations, "feedback": run.feedback,
        "interrupted": run.interrupted,
    }  # fmt: skip


def _noise(task: Task, course: Course) -> dict[str, Any]:
    """At the weights that the recommended comparisons reach first: the same for every method."""
    taught = _taught(task, course)
    exact, learner = (
        _beginning(task, settings, course.seed, taught)
        for settings in (replace(course.settings, **EXACT), course.settings)
    )
    direction = take_steps(exact, task.train, task.loss, STEPS, course.seed).mean
    steps = take_steps(learner, task.train, task.loss, STEPS, course.seed + 1000)
    return {"noise": steps.noise(direction) * steps.judgements}


def _cost(task: Task, course: Course) -> dict[str, Any]:
    """Processor time over plain EL's, of an iteration and of a judgement, in turn and from the same weights."""
    taught = _taught(task, course)
    judged: dict[str, int] = {}

    def go(name: str, settings: Settings) -> None:
        learner = _beginning(task, settings, course.seed, taught)
        judged[name] = simulate(learner, task.train, task.loss, iterations=TIMED, every=TIMED).feedback

    rivals = {"ours": course.settings, "EL": settings_of(course.task, "EL", TIMED)}
    runs = {name: partial(go, name, settings) for name, settings in rivals.items()}
    _, ratio, _ = race(runs, ROUNDS, lambda done: None).ratio("ours", "EL")
    return {"iteration": ratio, "judgement": ratio * judged["EL"] / max(1, judged["ours"])}


def _taught(task: Task, course: Course) -> Array:
    """The weights after the first recommended comparisons."""
    teacher = settings_of(course.task, "recommended comparing", WARM)
    learner = new_learner(task.space, teacher, course.seed, epoch=len(task.train))
    simulate(learner, task.train, task.loss, iterations=teacher.iterations, feedback=WARM)
    return learner.weights


def _beginning(task: Task, settings: Settings, seed: int, weights: Array) -> Learner:
    learner = new_learner(task.space, settings, seed, epoch=len(task.train))
    learner.use(weights)
    return learner
