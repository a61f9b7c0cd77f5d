"""Adam (Kingma and Ba, 2015), in its lazy form for sparse gradients: what a step does not touch stays as it is.

    m_i <- b1 m_i + (1 - b1) s_i        v_i <- b2 v_i + (1 - b2) s_i^2
    w_i <- w_i - rate (m_i / (1 - b1^t)) / (sqrt(v_i / (1 - b2^t)) + epsilon)

``s_i`` is the whole gradient in feature i, and t counts all steps. Rates do not fall by themselves: choose a schedule,
or keep averaged weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import uint64

from kibitz.errors import InputError
from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.spaces.rows import scatter
from kibitz.spaces.weights import BETA_1, BETA_2, COUNT, EPSILON, PLAIN, SCALE, Weights


def update(weights, x, lo, hi, columns, gradient, rate):  # type: ignore[no-untyped-def]
    """Add up the gradient in ``scratch``, then step each weight it touches and clear it."""
    table, memory, moment, total = weights.table, weights.memory, weights.moment, weights.scratch
    first, second = weights.scalars[BETA_1], weights.scalars[BETA_2]
    weights.scalars[COUNT] += 1.0
    unbiased = 1.0 - second ** weights.scalars[COUNT]
    factor = rate / (weights.scalars[SCALE] * (1.0 - first ** weights.scalars[COUNT]))
    scatter(total, x, lo, hi, columns, 1.0, gradient, weights.step)
    K = uint64(columns)
    for i in range(uint64(x.ptr[lo]), uint64(x.ptr[hi])):
        row = uint64(x.rows[i]) * K
        for k in range(row, row + K):
            s = float(total[k])
            if s != 0.0:
                moment[k] = first * moment[k] + (1.0 - first) * s
                memory[k] = second * memory[k] + (1.0 - second) * s * s
                table[k] -= factor * moment[k] / (np.sqrt(memory[k] / unbiased) + weights.scalars[EPSILON])
                total[k] = 0.0


@dataclass(frozen=True, slots=True)
class Adam(Optimizer):
    """Steps of ``rate`` times the mean over the root mean square of recent gradients."""

    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-8

    name = "adam"

    def __post_init__(self) -> None:
        self.check()
        if not (0.0 <= self.beta_1 < 1.0 and 0.0 < self.beta_2 < 1.0 and self.epsilon > 0.0):
            raise InputError("the betas of Adam are below 1 and its epsilon is above 0")

    @property
    def update(self) -> Any:
        return update

    def start(self, size: int, columns: int, dtype: Any) -> Weights:
        scalars = np.array(PLAIN)
        scalars[BETA_1], scalars[BETA_2], scalars[EPSILON] = self.beta_1, self.beta_2, self.epsilon
        table, memory, moment, scratch = (np.zeros(size, dtype) for _ in range(4))
        return Weights(table, np.zeros(0, dtype), memory, moment, scratch, np.zeros(columns, dtype), scalars)
