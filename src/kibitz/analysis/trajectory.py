"""A run observed epoch by epoch for the paper's Table 2: estimates by both definitions, noise at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz.analysis import convergence
from kibitz.analysis.convergence import PAIRS, STORED, EpochDifferences, Estimates
from kibitz.analysis.gradient_norm import Norm, squared_gradient_norm
from kibitz.analysis.vectors import Dense, Vector
from kibitz.errors import InputError
from kibitz.feedback import Loss
from kibitz.learning.gradient import step_gradient
from kibitz.learning.learner import Learner
from kibitz.learning.simulation import Point, simulate
from kibitz.spaces.generator import Generator


@dataclass(frozen=True, slots=True)
class Observed:
    """One run: the estimates by single steps and by epoch differences, and |grad J|^2 at the last weights."""

    single_steps: Estimates
    epoch_differences: Estimates
    norm: Norm


def observe(
    learner: Learner,
    train: Any,
    loss: Loss,
    *,
    epochs: int,
    pairs: int = PAIRS,
    stored: int = STORED,
    batch: int = 100_000,
    seed: int = 0,
    inputs: str = "random",
    progress: Callable[[Point], None] | None = None,
) -> Observed:
    """Learn for so many epochs at a constant rate, and take the estimates as Table 2 does.

    At the end of every epoch one stochastic gradient is taken at the weights of that moment, by a generator
    of its own: the run is the run that it would have been. Iterates are stored evenly spaced, `stored` of
    them.
    """
    if learner.optimizer.name != "sgd" or learner.optimizer.schedule != "constant":
        raise InputError(
            "The convergence estimates are those of plain SGD at a constant rate: choose sgd, constant."
        )
    watch = _Watch(learner, train, loss, max(1, epochs // stored), Generator(seed, stream=3))

    def note(point: Point) -> None:
        watch.note(point.iteration // len(train))
        if progress is not None:
            progress(point)

    simulate(
        learner, train, loss, iterations=epochs * len(train), every=len(train), inputs=inputs, progress=note
    )
    rate = learner.optimizer.rate
    single = convergence.single_steps(
        watch.at_epochs, watch.recorded, watch.iterates, rate=rate, pairs=pairs, seed=seed
    )
    between = watch.differences.estimates(pairs=pairs, seed=seed)
    last = learner.weights
    norm = squared_gradient_norm(learner.space, train, last, learner.objective, loss, batch=batch, seed=seed)
    return Observed(single, between, norm)


class _Watch:
    """What is kept of a run while it goes on."""

    def __init__(self, learner: Learner, train: Any, loss: Loss, keep_every: int, random: Generator) -> None:
        self.learner, self.train, self.loss, self.random = learner, train, loss, random
        self.keep_every = keep_every
        self.differences = EpochDifferences(learner.weights, keep_every=keep_every)
        self.at_epochs: list[Vector] = []
        self.recorded: list[Vector] = []
        self.iterates: list[Dense] = []

    def note(self, epoch: int) -> None:
        if epoch == 0:
            return
        weights, learner = self.learner.weights, self.learner
        i = self.random.below(len(self.train))
        step = step_gradient(learner.space, self.train, i, weights, learner.objective, self.loss, self.random)
        self.at_epochs.append(step)
        if epoch % self.keep_every == 0:
            self.recorded.append(step)
            self.iterates.append(weights)
        self.differences.add(weights)
