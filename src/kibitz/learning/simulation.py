"""Algorithm 1 whole: feedback simulated against gold outputs that the learner never sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any

from kibitz.errors import InputError
from kibitz.feedback.loss import Loss, loss_from
from kibitz.feedback.preference import PairFeedback
from kibitz.feedback.raters import CLEAN, Rater, rater_from
from kibitz.learning.learner import Learner
from kibitz.learning.plan import ASKS_A_JUDGEMENT, Plan, Point
from kibitz.learning.rating import Rating
from kibitz.learning.run import Run
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Space
from kibitz.spaces.weights import Array

__all__ = ["Point", "Simulation", "simulate"]

EVALUATIONS = 100  # a run is evaluated so often, unless told otherwise


@dataclass(slots=True)
class Simulation:
    """A run and what came of it; ``choices`` holds weights by rule of selection."""

    learner: Learner
    curve: list[Point]
    choices: dict[str, Array]
    best_iteration: int
    best_dev: float | None
    iterations: int
    feedback: int
    seconds: float
    learning_seconds: float
    interrupted: bool
    idle: bool = False  # it ended before its budget was used up: hardly an ask needed a judge any more
    iterates: list[tuple[int, Array]] = field(default_factory=list)


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
    rater: Rater | str = CLEAN,
    late: int = 0,
    missing: float = 0.0,
    progress: Callable[[Point], None] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    keep: int | None = None,
) -> Simulation:
    """Run Algorithm 1 for ``iterations`` asks or ``feedback`` judgements, whichever ends first; with a budget of
    judgements also no longer than one ask in a hundred needs a judge.

    ``train`` and ``dev`` are corpora of the learner's space, or lists of (input, gold output). ``loss`` is a
    name, a loss, or any function of (output, gold output) that returns a number in [0, 1]; ``judge`` compares
    two outputs in its place. ``rater`` says what becomes of a judgement on its way (`kibitz.feedback.raters`);
    answers come ``late`` asks after the question, and a share ``missing`` of them never does. Each ``every``
    iterations the most probable outputs on dev are scored, and the point is handed to ``progress``. With
    ``checkpoint``, a folder, the run is saved there as it goes, Ctrl-C saves and stops, and calling again goes on.
    ``keep`` stores so many iterates, evenly spaced. A learner without a horizon gets the number of iterations.
    """
    heard, space = loss_from(loss), learner.space
    for name, value in (("iterations", iterations), ("feedback", feedback), ("every", every), ("keep", keep)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, Integral) or value < 1):
            raise InputError(f"{name} is a whole number of at least 1, not {value!r}")
    total = _total(learner, iterations, feedback)
    corpus = _corpus(space, train, "training")
    if not corpus.has_gold:
        raise InputError("the training inputs come without gold outputs, so no feedback can be simulated")
    if learner.objective.hears == "gold":
        _check_golds(space, corpus, heard)
    plan = Plan(
        feedback=feedback,
        iterations=total,
        every=every or max(1, min(total, feedback or total) // EVALUATIONS),
        keep=keep,
        inputs=inputs,
    )
    if isinstance(late, bool) or not isinstance(late, Integral) or late < 0 or not 0.0 <= missing < 1.0:
        raise InputError(
            "answers come late by a whole number of asks, and missing is a share of them below 1"
        )
    known = rater if isinstance(rater, Rater) else rater_from(rater)
    rating = Rating(Generator(learner.seed, stream=3), known, int(late), float(missing))
    examples = None if dev is None else _corpus(space, dev, "development")
    run = Run(learner, corpus, examples, heard, judge, plan, rating)
    folder = None if checkpoint is None else Path(checkpoint)
    if folder is not None and (folder / "simulation.json").is_file():
        run.restore(folder)
    interrupted = run.go(progress, folder)
    chosen = run.selection
    return Simulation(
        learner, run.curve, chosen.choices(learner.weights), chosen.best_iteration, chosen.best_score, run.done,
        learner.judgements, run.seconds, run.learning_seconds, interrupted, run.idle, run.iterates,
    )  # fmt: skip


def _total(learner: Learner, iterations: int | None, feedback: int | None) -> int:
    if iterations is None and feedback is None:
        raise InputError("say how long to learn: iterations=... or feedback=...")
    if feedback is None:
        return iterations or 0
    enough = feedback * (ASKS_A_JUDGEMENT if learner.objective.compares else 1)
    return enough if iterations is None else min(iterations, enough)


def _corpus(space: Space, data: Any, name: str) -> Any:
    corpus = data
    if not hasattr(data, "has_gold"):
        pairs = list(data) if isinstance(data, Iterable) else []
        corpus = space.corpus([raw for raw, _ in pairs], [gold for _, gold in pairs]) if pairs else pairs
    if not len(corpus):
        raise InputError(f"the {name} data is empty: give a corpus, or a list of (input, gold output)")
    return corpus


def _check_golds(space: Space, corpus: Any, loss: Loss) -> None:
    """Learning from gold outputs needs outputs that the space has."""
    for i in range(len(corpus)):
        try:
            space.check_gold(corpus[i], space.target(corpus[i], corpus.gold_of(i), loss))
        except InputError as error:
            raise InputError(f"training input {i + 1} cannot be learned from: {error}") from error
