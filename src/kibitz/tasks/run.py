"""One run from beginning to end: the task, a learner, Algorithm 1 on simulated feedback, the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import optimizer_from
from kibitz.learning.plan import ASKS_A_JUDGEMENT
from kibitz.learning.simulation import Point, Simulation, simulate
from kibitz.objectives import Objective, objective_from
from kibitz.spaces.protocol import Space
from kibitz.spaces.weights import WITH_MEMORY, Array
from kibitz.tasks.catalogue import build
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.settings import Settings
from kibitz.tasks.task import Report, Task, unheard
from kibitz.tasks.tellable import tellable


@dataclass(frozen=True, slots=True)
class Run:
    """What fixes a run: it pickles, so that runs can stand side by side in processes of their own."""

    recipe: Recipe
    settings: Settings
    seed: int = 1
    start: str | None = None  # the model to begin with
    checkpoint: str | None = None  # the folder that an interrupted run goes on from


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that has ended, or was interrupted; `chosen` are the weights that its rule of selection keeps."""

    run: Run
    task: Task
    simulation: Simulation
    selected: str
    chosen: Array

    def result(self) -> dict[str, Any]:
        """The figures of the run, as JSON."""
        simulation, settings = self.simulation, self.run.settings
        average = simulation.choices.get("average")
        return {
            "task": self.task.name,
            "objective": settings.objective,
            "seed": self.run.seed,
            "iterations": simulation.iterations,
            "feedback": simulation.feedback,
            "select": self.selected,
            "best_iteration": simulation.best_iteration if self.task.dev else None,
            "metric": self.task.loss.metric,
            "higher_is_better": self.task.loss.higher_is_better,
            "dev": self._score("dev", self.chosen),
            "test": self._score("test", self.chosen),
            "test_average": None if average is None else self._score("test", average),
            "seconds": round(simulation.seconds, 3),
            "us_per_iteration": round(1e6 * simulation.learning_seconds / max(1, simulation.iterations), 3),
            "interrupted": simulation.interrupted,
            "idle": simulation.idle,
            "warnings": [*self.task.warnings, *self._idle()],
        }

    def _idle(self) -> list[str]:
        done, budget = self.simulation.feedback, self.run.settings.feedback
        if not self.simulation.idle or budget is None:
            return []
        return [
            f"The run ended after {done:,} of {budget:,} judgements: not one ask in {ASKS_A_JUDGEMENT} needed a judge "
            "any more."
        ]

    def _score(self, part: str, weights: Array) -> float | None:
        corpus = getattr(self.task, part)
        return None if corpus is None else self.task.space.score(corpus, weights, self.task.loss)


def perform(run: Run, report: Report = unheard) -> Outcome:
    """Build the task, learn, select."""
    task, learner = prepare(run, report)
    return follow(run, task, learner, report)


def prepare(run: Run, report: Report = unheard) -> tuple[Task, Learner]:
    """The task and the learner as they stand before the first step."""
    base = None if run.start is None else load(run.start)
    task = build(run.recipe, None if base is None else base.space, report)
    if not task.tellable and objective_of(run.settings).hears == "gold":
        task = tellable(task)
    learner = new_learner(task.space, run.settings, run.seed, epoch=len(task.train))
    start = task.start if base is None else base.weights
    if start is not None:
        begin_with(learner, start)
    return task, learner


def follow(run: Run, task: Task, learner: Learner, report: Report = unheard) -> Outcome:
    """Run the learner on the task."""
    settings = run.settings
    _compile(task, run)

    def progress(point: Point) -> None:
        report(told(point, settings))

    simulation = simulate(
        learner,
        task.train,
        task.loss,
        iterations=settings.iterations,
        feedback=settings.feedback,
        dev=task.dev,
        every=settings.segment(),
        inputs=settings.inputs,
        rater=settings.rater,
        late=settings.late,
        missing=settings.missing,
        progress=progress,
        checkpoint=run.checkpoint,
    )
    selected = settings.select if task.dev or settings.select != "dev" else "average"
    if selected not in simulation.choices:  # interrupted before the rule had anything to choose from
        selected = "last"
    return Outcome(run, task, simulation, selected, simulation.choices[selected])


def _compile(task: Task, run: Run) -> None:
    """Have the loops compiled by a learner that is thrown away: the run is timed without that."""
    spare = new_learner(task.space, run.settings, run.seed, epoch=len(task.train))
    dev = None if task.dev is None else task.dev.subset([0])
    settings = run.settings
    simulate(
        spare, task.train, task.loss, iterations=1, dev=dev, inputs=settings.inputs, rater=settings.rater,
        late=settings.late, missing=settings.missing,
    )  # fmt: skip


def told(point: Point, settings: Settings) -> dict[str, Any]:
    """How far a run is, for whoever watches it."""
    budget = settings.feedback
    return {
        "done": point.feedback if budget else point.iteration,
        "total": budget or settings.iterations,
        "unit": "judgements" if budget else "iterations",
        "loss": point.heard,
        "dev": point.dev,
    }


def new_learner(space: Space, settings: Settings, seed: int, epoch: int, dtype: str = "float32") -> Learner:
    """A learner with these settings, its weights 0."""
    optimizer = optimizer_from(
        settings.optimizer, rate=settings.rate, schedule=settings.schedule, momentum=settings.momentum,
        exponent=settings.exponent,
    )  # fmt: skip
    return Learner(
        space,
        objective_of(settings),
        optimizer=optimizer,
        seed=seed,
        horizon=settings.iterations,
        l2=settings.l2,
        temperature=settings.temperature,
        epoch=epoch,
        asks=settings.asks,
        dtype=dtype,
        replay=settings.replaying(),
    )


def objective_of(settings: Settings) -> Objective:
    """The objective with these settings."""
    return objective_from(
        settings.objective,
        pair_loss=settings.pair_loss,
        opponent=settings.opponent,
        clip=settings.clip,
        baseline=settings.baseline,
        coupling=settings.coupling,
        control_variate=settings.control_variate,
        **({"draws": settings.draws} if settings.draws > 1 else {}),
    )


def settle(learner: Learner, weights: Array) -> None:
    """Take the chosen weights; what the optimizer remembers of the run stays, so that later steps are as small."""
    before = learner.state
    learner.use(weights)
    learner.state.memory[:] = before.memory[: len(learner.state.memory)]
    learner.state.scalars[WITH_MEMORY] = before.scalars[WITH_MEMORY]


def begin_with(learner: Learner, weights: Array) -> None:
    """Start from earlier weights; attributes that are new since then start from 0."""
    size = learner.space.size
    learner.use(np.concatenate([weights, np.zeros(size - len(weights), weights.dtype)]))
