"""AdaGrad (Duchi, Hazan and Singer, 2011): a rate of its own for every weight, smaller the more it has moved.

    G_i <- G_i + s_i^2        w_i <- w_i - rate s_i / (G_i + epsilon)^p

with the exponent p = 1/2. A smaller p is only partially adaptive (Chen and Gu, 2018), towards plain SGD at 0: the rates
fall more slowly, which a learner of noisy feedback can bear.

``s_i`` is the whole gradient in feature i: an attribute that occurs at several positions is added up before
it is squared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import uint64

from kibitz.errors import InputError
from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.spaces.rows import scatter
from kibitz.spaces.weights import EPSILON, EXPONENT, PLAIN, SCALE, Weights


def update(weights, x, lo, hi, columns, gradient, rate):  # type: ignore[no-untyped-def]
    """Add up the gradient in ``scratch``, then step each weight it touches and clear it."""
    table, memory, total = weights.table, weights.memory, weights.scratch
    epsilon, exponent = weights.scalars[EPSILON], weights.scalars[EXPONENT]
    factor = rate / weights.scalars[SCALE]
    scatter(total, x, lo, hi, columns, 1.0, gradient, weights.step)
    K = uint64(columns)
    for i in range(uint64(x.ptr[lo]), uint64(x.ptr[hi])):
        row = uint64(x.rows[i]) * K
        for k in range(row, row + K):
            s = float(total[k])
            if s != 0.0:
                memory[k] += s * s
                divisor = np.sqrt(memory[k] + epsilon)
                if exponent == 0.375:  # x^(3/8) = x^(1/4) x^(1/8): roots are much faster than powers
                    divisor = np.sqrt(divisor)
                    divisor *= np.sqrt(divisor)
                elif exponent != 0.5:
                    divisor **= 2.0 * exponent
                table[k] -= factor * s / divisor
                total[k] = 0.0


@dataclass(frozen=True, slots=True)
class AdaGrad(Optimizer):
    """Steps of ``rate`` over the root of the squared gradients so far, or another power of them."""

    epsilon: float = 1e-8
    exponent: float = 0.5

    name = "adagrad"

    def __post_init__(self) -> None:
        self.check()
        if not self.epsilon > 0.0:
            raise InputError(f"epsilon is above 0, not {self.epsilon}")
        if not 0.0 < self.exponent <= 0.5:
            raise InputError(f"the exponent is above 0 and at most 0.5, not {self.exponent}")

    @property
    def update(self) -> Any:
        return update

    def start(self, size: int, columns: int, dtype: Any) -> Weights:
        empty = np.zeros(0, dtype)
        scalars = np.array(PLAIN)
        scalars[EPSILON], scalars[EXPONENT] = self.epsilon, self.exponent
        step = np.zeros(columns, dtype)
        return Weights(
            np.zeros(size, dtype), empty, np.zeros(size, dtype), np.zeros(size, dtype), step, scalars
        )
