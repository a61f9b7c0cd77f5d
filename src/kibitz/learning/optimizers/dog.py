"""Distance over gradients (Ivgi, Hinder and Carmon, 2023): a rate that needs no tuning.

    G <- G + |s|^2        rate_t = rate r / sqrt(G),   r = max(reach, the farthest that w has been from its start)
    w <- w - rate_t s

With ``rate`` 1 the steps are as large as the way travelled so far warrants: r is a guess at the distance to the optimum
that only grows. The distance is kept up by |w - w_0 - a s|^2 = |w - w_0|^2 - 2 a s . (w - w_0) + a^2 |s|^2, with |s|^2
as if no attribute occurred at two positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import uint64

from kibitz.errors import InputError
from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.spaces.rows import scatter, squared_norm
from kibitz.spaces.weights import AWAY, FARTHEST, PLAIN, SCALE, SQUARES, Weights


def update(weights, x, lo, hi, columns, gradient, rate):  # type: ignore[no-untyped-def]
    """``memory`` holds w - w_0."""
    scalars, moved = weights.scalars, weights.memory
    square = squared_norm(x, lo, hi, columns, gradient)
    scalars[SQUARES] += square
    if scalars[SQUARES] == 0.0:
        return
    factor = rate * scalars[FARTHEST] / np.sqrt(scalars[SQUARES])
    along = 0.0  # s . (w - w_0)
    K = uint64(columns)
    for n in range(lo, hi):
        here = uint64(n - lo) * K
        for i in range(uint64(x.ptr[n]), uint64(x.ptr[n + 1])):
            row = uint64(x.rows[i]) * K
            value = x.values[i] if len(x.values) > 0 else 1.0
            for k in range(K):
                along += value * gradient[here + k] * moved[row + k]
    scatter(moved, x, lo, hi, columns, -factor, gradient, weights.step)
    scatter(weights.table, x, lo, hi, columns, -factor / scalars[SCALE], gradient, weights.step)
    scalars[AWAY] = max(0.0, scalars[AWAY] - 2.0 * factor * along + factor * factor * square)
    scalars[FARTHEST] = max(scalars[FARTHEST], np.sqrt(scalars[AWAY]))


@dataclass(frozen=True, slots=True)
class DoG(Optimizer):
    """Steps by the distance over the gradients; ``rate`` 1 is the method's own, ``reach`` the first distance."""

    reach: float = 0.1

    name = "dog"

    def __post_init__(self) -> None:
        self.check()
        if not self.reach > 0.0:
            raise InputError(f"the reach is above 0, not {self.reach}")

    @property
    def update(self) -> Any:
        return update

    def start(self, size: int, columns: int, dtype: Any) -> Weights:
        empty, scalars = np.zeros(0, dtype), np.array(PLAIN)
        scalars[FARTHEST] = self.reach
        table, memory = np.zeros(size, dtype), np.zeros(size, dtype)
        return Weights(table, empty, memory, empty, empty, np.zeros(columns, dtype), scalars)
