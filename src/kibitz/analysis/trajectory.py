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
from kibitz.learning.optimizers import SGD
from kibitz.learning.simulation import Point, simulate
from kibitz.spaces.generator import Generator


@dataclass(frozen=True, slots=True)
class Observed:
    """One run: Table 2's estimates by single steps and by epoch differences, and what explains them.

    `smoothness` is L from gradients at the same input and draw, with the rate in it like the others; `norm`
    is |grad J|^2 at the last weights, without the rate.
    """

    single_steps: Estimates
    epoch_differences: Estimates
    smoothness: float
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
    of its own: the run is the run that it would have been. For L, `stored` iterates and as many epoch
    differences are kept, evenly spaced, in temporary files: 2 GB for the 2.4 million weights of the paper.
    """
    optimizer = learner.optimizer
    if not isinstance(optimizer, SGD) or optimizer.schedule != "constant" or optimizer.momentum:
        raise InputError("The convergence estimates are those of plain SGD at a constant rate: choose these.")
    watch = _Watch(learner, train, loss, max(1, epochs // stored), Generator(seed, stream=3))

    def note(point: Point) -> None:
        watch.note(point.iteration // len(train))
        if progress is not None:
            progress(point)

    every = len(train)
    run = simulate(learner, train, loss, iterations=epochs * every, every=every, inputs=inputs, progress=note)
    if run.interrupted:
        raise KeyboardInterrupt
    return watch.observed(pairs, batch, seed)


class _Watch:
    """What is kept of a run while it goes on."""

    def __init__(self, learner: Learner, train: Any, loss: Loss, keep_every: int, random: Generator) -> None:
        self.learner, self.train, self.loss, self.random = learner, train, loss, random
        self.keep_every = keep_every
        self.differences = EpochDifferences(learner.weights, keep_every=keep_every)
        self.at_epochs: list[Vector] = []
        self.recorded: list[Vector] = []

    def note(self, epoch: int) -> None:
        """So many epochs have passed."""
        weights = self.learner.weights
        step = self.step(weights, self.random)
        if epoch % self.keep_every == 0:
            self.recorded.append(step)
        if epoch > 0:
            self.at_epochs.append(step)
            self.differences.add(weights)

    def step(self, weights: Dense, random: Generator) -> Vector:
        """s_t at these weights, for an input and draws at random."""
        learner, i = self.learner, random.below(len(self.train))
        return step_gradient(learner.space, self.train, i, weights, learner.objective, self.loss, random)

    def observed(self, pairs: int, batch: int, seed: int) -> Observed:
        """The estimates, once the run is over."""
        learner, rate = self.learner, self.learner.optimizer.rate
        iterates = self.differences.iterates
        chosen = convergence.pairs_of(iterates, pairs=pairs, seed=seed)
        single = convergence.single_steps(self.at_epochs, self.recorded, chosen, rate=rate)
        between = self.differences.estimates(chosen)
        smoothness = convergence.smoothness(
            lambda weights, number: self.step(weights, Generator(number, stream=5)), iterates, chosen
        )
        norm = squared_gradient_norm(
            learner.space, self.train, learner.weights, learner.objective, self.loss, batch=batch, seed=seed
        )
        return Observed(single, between, rate * smoothness, norm)
