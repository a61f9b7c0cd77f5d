"""Algorithm 1 whole: feedback simulated against gold outputs that the learner never sees."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.feedback.loss import Loss, loss_from
from kibitz.feedback.preference import LossDifference, PairFeedback
from kibitz.learning.checkpoint import load, read_folder, save, write_folder
from kibitz.learning.inputs import Inputs
from kibitz.learning.interrupt import Interrupt
from kibitz.learning.learner import Learner
from kibitz.learning.selection import Selection

EVALUATIONS = 100  # a run is evaluated so often, unless told otherwise
UNLIMITED = 2**62
SAVE_EVERY = 30.0  # seconds between checkpoints


@dataclass(frozen=True, slots=True)
class Point:
    """Where a run stands: ``heard`` is the mean of what was heard since the point before, ``dev`` the metric on dev."""

    iteration: int
    feedback: int
    heard: float | None
    dev: float | None
    seconds: float


@dataclass(slots=True)
class Simulation:
    """A run and what came of it; ``choices`` holds weights by rule of selection."""

    learner: Learner
    curve: list[Point]
    choices: dict[str, npt.NDArray[np.floating]]
    best_iteration: int
    best_dev: float | None
    iterations: int
    feedback: int
    seconds: float
    learning_seconds: float
    interrupted: bool
    iterates: list[tuple[int, npt.NDArray[np.floating]]] = field(default_factory=list)


def simulate(
    learner: Learner,
    train: Any,
    loss: str | Loss | Callable[[Any, Any], float],
    *,
    iterations: int | None = None,
    feedback: int | None = None,
    dev: Any = None,
    every: int | None = None,
    inputs: str = "random",
    judge: PairFeedback | None = None,
    progress: Callable[[Point], None] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    keep: int | None = None,
) -> Simulation:
    """Run Algorithm 1 for ``iterations`` asks or ``feedback`` judgements, whichever ends first.

    ``train`` and ``dev`` are corpora of the learner's space, or lists of (input, gold output). ``loss`` is a name, a loss, or
    any function of (output, gold output) that returns a number in [0, 1]; ``judge`` compares two outputs in its place.
    Each ``every`` iterations the most probable outputs on dev are scored, and the point is handed to ``progress``.
    With ``checkpoint``, a folder, the run is saved there as it goes, Ctrl-C saves and stops, and calling again goes on.
    ``keep`` stores so many iterates, evenly spaced.
    """
    run = _Run(learner, train, loss, iterations, feedback, dev, every, inputs, judge, keep)
    folder = None if checkpoint is None else Path(checkpoint)
    if folder is not None and (folder / "simulation.json").is_file():
        run.restore(folder)
    return run.go(progress, folder)


class _Run:
    """The state of a simulation between two evaluations."""

    def __init__(
        self, learner: Learner, train: Any, loss: Any, iterations: int | None, feedback: int | None, dev: Any,
        every: int | None, inputs: str, judge: PairFeedback | None, keep: int | None,
    ) -> None:  # fmt: skip
        self.learner, self.space = learner, learner.space
        self.loss = loss_from(loss)
        self.total = _total(iterations, feedback)
        self.budget = UNLIMITED if feedback is None else learner.judgements + feedback
        self.train, self.dev = self._corpus(train), None if dev is None else self._corpus(dev)
        if not self.train.has_gold:
            raise InputError("the training inputs come without gold outputs, so no feedback can be simulated")
        if every is not None and every < 1:
            raise InputError(f"an evaluation is every 1 or more iterations, not {every}")
        self.every = every or max(1, self.total // EVALUATIONS)
        self.keep_every = max(1, self.total // keep) if keep else 0
        self.judge: PairFeedback = judge or LossDifference(self.loss)
        self.compiled = judge is None and self.space.runs(self.loss)
        self.inputs = Inputs(len(self.train), inputs, learner.seed)
        self.selection = Selection(self.total, learner.seed, self.loss.higher_is_better)
        learner.plan(horizon=self.total, epoch=len(self.train))
        self.done = 0
        self.curve: list[Point] = []
        self.heard, self.heard_count = 0.0, 0
        self.seconds = self.learning_seconds = 0.0
        self.iterates: list[tuple[int, npt.NDArray[np.floating]]] = []
        if learner.objective.hears == "gold":
            self._check_golds()

    def _corpus(self, data: Any) -> Any:
        if hasattr(data, "has_gold"):
            return data
        pairs = list(data) if isinstance(data, Iterable) else []
        if not pairs:
            raise InputError("the training or development data is empty: give a list of (input, gold output)")
        return self.space.corpus([raw for raw, _ in pairs], [gold for _, gold in pairs])

    def _check_golds(self) -> None:
        for i in range(len(self.train)):
            try:
                self.space.code(self.train[i], self.train.gold_of(i))
            except InputError as error:
                raise InputError(f"training input {i + 1} cannot be learned from: {error}") from error

    def go(self, progress: Callable[[Point], None] | None, folder: Path | None) -> Simulation:
        """Run to the end, or to Ctrl-C."""
        learner = self.learner
        saved = time.perf_counter()
        with Interrupt() as interrupt:
            if self.done == 0 and not self.curve:
                self._note(progress)
            while self.done < self.total and learner.judgements < self.budget and not interrupt.requested:
                stop = self._next_stop()
                began = time.perf_counter()
                used = self._segment(stop - self.done, interrupt)
                self.learning_seconds += time.perf_counter() - began
                self.done += used
                ended = learner.judgements >= self.budget or self.done == self.total
                self._observe(ended and not interrupt.requested)
                if self.done % self.every == 0 or ended:
                    self._note(progress)
                self.seconds += time.perf_counter() - began
                if folder is not None and time.perf_counter() - saved > SAVE_EVERY:
                    self.save(folder)
                    saved = time.perf_counter()
            if folder is not None:
                self.save(folder)
        return Simulation(
            learner, self.curve, self.selection.choices(learner.weights), self.selection.best_iteration,
            None if self.selection.best is None else self.selection.best_score, self.done, learner.judgements,
            self.seconds, self.learning_seconds, interrupt.requested, self.iterates,
        )  # fmt: skip

    def _next_stop(self) -> int:
        stops = [self.total, (self.done // self.every + 1) * self.every]
        if self.done < self.selection.random_at:
            stops.append(self.selection.random_at)
        if self.keep_every:
            stops.append((self.done // self.keep_every + 1) * self.keep_every)
        return min(stops)

    def _segment(self, n: int, interrupt: Interrupt) -> int:
        order = self.inputs.take(n)
        if self.compiled:
            used, heard = self.space.run(self.train, order, self.learner.step_plan(), self.loss, self.budget)
        else:
            used, heard = self._ask_and_tell(order, interrupt)
        self.inputs.advance(used)
        self.heard += heard
        self.heard_count += used
        return used

    def _ask_and_tell(self, order: npt.NDArray[np.int64], interrupt: Interrupt) -> tuple[int, float]:
        """The same iterations by ``ask`` and ``tell``, for feedback that only Python can give."""
        learner, heard = self.learner, 0.0
        hears = learner.objective.hears
        for used, i in enumerate(order.tolist()):
            if interrupt.requested or learner.judgements >= self.budget:
                return used, heard
            gold = self.train.gold_of(i)
            proposal = learner.ask(self.train[i])
            if hears == "gold":
                learner.tell(proposal, output=gold)
                continue
            loss = self.loss(proposal.outputs[0], gold)
            heard += loss
            if hears == "loss":
                learner.tell(proposal, loss=loss)
            elif proposal.decided:
                learner.tell(proposal)
            else:
                difference = self.judge(*proposal.outputs, gold)
                prefer = "tie" if difference == 0 else 0 if difference < 0 else 1
                learner.tell(proposal, prefer=prefer, by=abs(difference) or None)
        return len(order), heard

    def _observe(self, ended: bool) -> None:
        if self.done == self.selection.random_at or (ended and self.selection.random is None):
            self.selection.random = self.learner.weights
        if self.keep_every and self.done % self.keep_every == 0:
            self.iterates.append((self.done, self.learner.weights))

    def _note(self, progress: Callable[[Point], None] | None) -> None:
        weights = self.learner.weights
        if not np.isfinite(weights).all():
            raise InputError("the weights ran out of range: choose a smaller rate, or larger clipping")
        score = None if self.dev is None else self.space.score(self.dev, weights, self.loss)
        self.selection.at_evaluation(self.done, weights, score)
        heard = self.heard / self.heard_count if self.heard_count else None
        self.heard, self.heard_count = 0.0, 0
        self.curve.append(Point(self.done, self.learner.judgements, heard, score, self.seconds))
        if progress is not None:
            progress(self.curve[-1])

    def save(self, folder: Path) -> None:
        """Write the run, so that it can go on as if nothing had happened; the learner first, then what belongs to it."""
        description = {
            "format": 1, "total": self.total, "budget": self.budget, "every": self.every, "inputs": self.inputs.mode,
            "offset": self.inputs.offset, "done": self.done, "heard": [self.heard, self.heard_count],
            "seconds": [self.seconds, self.learning_seconds], "selection": self.selection.settings(),
            "curve": [asdict(point) for point in self.curve], "updates": self.learner.updates,
        }  # fmt: skip
        save(self.learner, folder / f"learner-{self.learner.updates}")
        write_folder(
            folder, description, {"order": self.inputs.random.state, **self.selection.arrays()}, "simulation"
        )
        for other in folder.glob("learner-*"):
            if other.name != f"learner-{self.learner.updates}":
                for file in other.iterdir():
                    file.unlink()
                other.rmdir()

    def restore(self, folder: Path) -> None:
        """Go on from what :meth:`save` wrote; the settings must be those of the run that was saved."""
        description, arrays = read_folder(folder, "simulation")
        same = {"total": self.total, "every": self.every, "inputs": self.inputs.mode}
        for name, value in same.items():
            if description[name] != value:
                raise InputError(
                    f"{folder} holds a run with {name}={description[name]}, not {value}: resume with the settings it began with"
                )
        saved = load(folder / f"learner-{description['updates']}", type(self.space))
        adopt(self.learner, saved)
        self.budget = description["budget"]
        self.inputs.random.state[:] = arrays["order"]
        self.inputs.offset, self.done = description["offset"], description["done"]
        self.heard, self.heard_count = description["heard"]
        self.seconds, self.learning_seconds = description["seconds"]
        self.curve = [Point(**point) for point in description["curve"]]
        self.selection.restore(description["selection"], arrays)


def adopt(learner: Learner, saved: Learner) -> None:
    """Make ``learner`` what ``saved`` is; both must be set up alike."""
    for part in ("objective", "optimizer"):
        ours, theirs = getattr(learner, part).settings(), getattr(saved, part).settings()
        if ours != theirs:
            raise InputError(
                f"the saved run has the {part} {theirs}, not {ours}: resume with the settings it began with"
            )
    if saved.space.settings() != learner.space.settings() or saved.space.size != learner.space.size:
        raise InputError(
            "the saved run was made on other labels, features or training data: resume with the same"
        )
    learner.state, learner.next_id = saved.state, saved.next_id
    learner.random.state[:] = saved.random.state
    learner.counters[:] = saved.counters
    learner.baseline[:] = saved.baseline
    learner.pending, learner.answered = saved.pending, saved.answered


def _total(iterations: int | None, feedback: int | None) -> int:
    for name, value in (("iterations", iterations), ("feedback", feedback)):
        if value is not None and (isinstance(value, bool) or value < 1):
            raise InputError(f"{name} is a whole number of at least 1, not {value!r}")
    if iterations is not None:
        return iterations
    if feedback is None:
        raise InputError("say how long to learn: iterations=... or feedback=...")
    return (
        20 * feedback
    )  # pairs of equal outputs cost no judgement; a run that draws nothing else ends all the same
