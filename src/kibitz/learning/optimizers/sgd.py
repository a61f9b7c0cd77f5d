"""Stochastic gradient descent, with momentum if wanted.

    w <- w - rate * s

With momentum mu, the velocity m <- mu m + s replaces s. Every weight then moves at every step, but at a
constant rate the moving part is the same multiple of the velocity everywhere:

    w = z + rate mu / (1 - mu) m,        z <- z - rate / (1 - mu) s        (sparse)

so with m = power * velocity, power <- mu * power, no dense step is needed. (With a decaying rate this is what is
run too: the momentum in flight decays along with the rate. l2 shrinks z, what has arrived, and not what is in flight.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.spaces.rows import scatter
from kibitz.spaces.weights import MOMENTUM, PLAIN, POWER, REACH, SCALE, Weights


def plain_update(weights, x, lo, hi, columns, gradient, rate):  # type: ignore[no-untyped-def]
    """w <- w - rate s."""
    scatter(weights.table, x, lo, hi, columns, -rate / weights.scalars[SCALE], gradient, weights.step)


def momentum_update(weights, x, lo, hi, columns, gradient, rate):  # type: ignore[no-untyped-def]
    """The sparse form of the heavy ball."""
    scalars, velocity = weights.scalars, weights.velocity
    scalars[POWER] *= scalars[MOMENTUM]
    if scalars[POWER] < 1e-20:  # write the power into the velocity: a dense pass, once in thousands of steps
        for i in range(len(velocity)):
            velocity[i] *= scalars[POWER]
        scalars[POWER] = 1.0
    rest = 1.0 - scalars[MOMENTUM]
    scatter(velocity, x, lo, hi, columns, 1.0 / (scalars[SCALE] * scalars[POWER]), gradient, weights.step)
    scatter(weights.table, x, lo, hi, columns, -rate / (rest * scalars[SCALE]), gradient, weights.step)
    scalars[REACH] = rate * scalars[MOMENTUM] / rest * scalars[POWER]


@dataclass(frozen=True, slots=True)
class SGD(Optimizer):
    """Steps of ``rate`` times the gradient, with ``momentum`` (0: none)."""

    momentum: float = 0.0

    name = "sgd"

    def __post_init__(self) -> None:
        self.check()
        if not 0.0 <= self.momentum < 1.0:
            raise InputError(f"momentum is at least 0 and below 1, not {self.momentum}")

    @property
    def update(self) -> Any:
        return momentum_update if self.momentum else plain_update

    def start(self, size: int, columns: int, dtype: Any) -> Weights:
        empty = np.zeros(0, dtype)
        velocity = np.zeros(size, dtype) if self.momentum else empty
        scalars = np.array(PLAIN)
        scalars[MOMENTUM] = self.momentum
        return Weights(np.zeros(size, dtype), velocity, empty, empty, np.zeros(columns, dtype), scalars)
