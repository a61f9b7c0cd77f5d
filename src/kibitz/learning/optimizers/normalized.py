"""Normalized AdaGrad (Ross, Mineiro and Langford, 2013): the scale and the number of the features set the rate.

    z_i <- max(z_i, |x_i|), w_i shrinking by the same factor        N <- N + sum_i x_i^2 / z_i^2,    t <- t + 1
    G_i <- G_i + s_i^2        w_i <- w_i - rate sqrt(t / N) s_i / (z_i sqrt(G_i))

Here x_i is the value of attribute i at one position, t counts positions, and N / t is how many attributes a position
has. Multiply the values of an attribute by a thousand, or double all attributes, and the scores of the model move as
before: so one rate does for every task, 1/2 as in Vowpal Wabbit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import uint64

from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.spaces.compiled import fused
from kibitz.spaces.rows import scatter
from kibitz.spaces.weights import ACTIVE, PLAIN, POSITIONS, SCALE, Weights

KEPT = 2  # numbers a weight: G and z
ONE, TWO = uint64(1), uint64(2)


@fused
def measure(weights, x, lo, hi, columns):  # type: ignore[no-untyped-def]
    """The largest values so far, and the attributes of these positions in their measure."""
    table, memory, scalars = weights.table, weights.memory, weights.scalars
    K = uint64(columns)
    active = 0.0
    for i in range(uint64(x.ptr[lo]), uint64(x.ptr[hi])):
        row = uint64(x.rows[i]) * K
        value = abs(float(x.values[i])) if len(x.values) > 0 else 1.0
        largest = float(memory[TWO * row + ONE])
        if value > largest:
            for k in range(row, row + K):
                memory[TWO * k + ONE] = value
                if largest > 0.0:
                    table[k] *= largest / value
            largest = value
        if largest > 0.0:
            active += (value / largest) ** 2
    scalars[POSITIONS] += hi - lo
    scalars[ACTIVE] += active


def update(weights, x, lo, hi, columns, gradient, rate):  # type: ignore[no-untyped-def]
    """Add up the gradient in ``scratch``, then step each weight it touches and clear it."""
    table, memory, total, scalars = weights.table, weights.memory, weights.scratch, weights.scalars
    measure(weights, x, lo, hi, columns)
    factor = rate * np.sqrt(scalars[POSITIONS] / max(scalars[ACTIVE], 1e-30)) / scalars[SCALE]
    scatter(total, x, lo, hi, columns, 1.0, gradient, weights.step)
    K = uint64(columns)
    for i in range(uint64(x.ptr[lo]), uint64(x.ptr[hi])):
        row = uint64(x.rows[i]) * K
        for k in range(row, row + K):
            s = float(total[k])
            if s != 0.0:
                place = TWO * k
                memory[place] += s * s
                table[k] -= factor * s / (memory[place + ONE] * np.sqrt(memory[place]))
                total[k] = 0.0


@dataclass(frozen=True, slots=True)
class Normalized(Optimizer):
    """AdaGrad whose rate follows from the features: leave it at 1/2."""

    rate: float = 0.5

    name = "normalized"
    usual: ClassVar[Mapping[str, Any]] = {"rate": 0.5}

    def __post_init__(self) -> None:
        self.check()

    @property
    def update(self) -> Any:
        return update

    def start(self, size: int, columns: int, dtype: Any) -> Weights:
        table, memory, scratch = (np.zeros(n * size, dtype) for n in (1, KEPT, 1))
        return Weights(table, np.zeros(0, dtype), memory, scratch, np.zeros(columns, dtype), np.array(PLAIN))
