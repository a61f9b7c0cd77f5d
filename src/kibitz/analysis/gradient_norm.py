"""The squared norm of a gradient that cannot be enumerated, without bias, and the noise of its steps.

The squared norm of *one* average overestimates: E|mean s|^2 = |grad J|^2 + trace(Cov) / n. The averages a, b
of two independent batches have no noise in common: E[a . b] = |grad J|^2 exactly; it may come out below zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kibitz.analysis.vectors import Dense, Vector, inner, squared_norm, total

if TYPE_CHECKING:
    from kibitz.objectives import Objective
    from kibitz.spaces.protocol import Output, Space

STANDSTILL: Final = 1e-9
"""A rate at which a batch of steps adds up, in double precision, while the weights stay where they are."""


@dataclass(frozen=True, slots=True)
class Norm:
    """|grad J|^2 with its standard error, and E|s|^2, the mean squared norm of a single step."""

    value: float
    error: float
    mean_square: float

    @property
    def relative_variance(self) -> float:
        """E|s - grad J|^2 / |grad J|^2: the noise in units of the signal, whatever scale the feedback has.

        Infinite where the signal was not seen above the noise (an estimate of zero or less).
        """
        return (self.mean_square - self.value) / self.value if self.value > 0.0 else inf


def squared_norm_from(first: Sequence[Vector], second: Sequence[Vector]) -> tuple[float, float]:
    """|grad J|^2 and its error, from two independent batches of stochastic gradients or of means of them.

    The error comes from how the projections of one batch on the other's mean scatter; it counts the noise
    that both have in the product twice, so it errs on the large side where the gradient is small.
    """
    a, b = total(first) / len(first), total(second) / len(second)
    size = max(len(a), len(b))
    a, b = np.pad(a, (0, size - len(a))), np.pad(b, (0, size - len(b)))
    along_b, along_a = ([inner(s, onto) for s in batch] for batch, onto in ((first, b), (second, a)))
    scatter = np.var(along_b, ddof=1) / len(first) + np.var(along_a, ddof=1) / len(second)
    return float(a @ b), sqrt(scatter)


def squared_gradient_norm(
    space: Space,
    corpus: Any,
    weights: Dense,
    objective: Objective,
    loss: Callable[[Output, Output], float],
    *,
    batch: int = 100_000,
    blocks: int = 8,
    single: int = 500,
    seed: int = 0,
) -> Norm:
    """|grad J(w)|^2 over a corpus with gold answers, for any loss: two batches of random inputs and draws.

    The steps of a batch are added up by the learner itself, at a rate that leaves it standing still, one
    block after the other; E|s|^2 is the mean of so many `single` ones.
    """
    from kibitz.learning.gradient import step_gradient
    from kibitz.learning.learner import Learner
    from kibitz.learning.optimizers import SGD
    from kibitz.learning.simulation import simulate
    from kibitz.spaces.generator import Generator

    start, steps = np.asarray(weights, dtype=np.float64), max(1, batch // blocks)

    def block(number: int) -> Dense:
        still = SGD(rate=STANDSTILL)
        learner = Learner(space, objective, optimizer=still, seed=2 * seed * blocks + number, dtype="float64")
        learner.use(start)
        simulate(learner, corpus, loss, iterations=steps, every=steps)
        mean: Dense = ((start - learner.weights) / (STANDSTILL * steps)).astype(np.float32)
        return mean

    first, second = (
        [block(number) for number in half] for half in (range(blocks), range(blocks, 2 * blocks))
    )
    random = Generator(seed, stream=4)
    inputs = (random.below(len(corpus)) for _ in range(single))
    squares = [squared_norm(step_gradient(space, corpus, i, start, objective, loss, random)) for i in inputs]
    return Norm(*squared_norm_from(first, second), sum(squares) / single)
