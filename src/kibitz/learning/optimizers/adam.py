"""Adam (Kingma and Ba, 2015), on the weights that a step touches.

    m_i <- b1 m_i + (1 - b1) s_i        v_i <- b2 v_i + (1 - b2) s_i^2
    w_i <- w_i - rate (m_i / (1 - b1^t)) / (sqrt(v_i / (1 - b2^t)) + epsilon)

The moments are those of dense Adam: each weight remembers the step that it was last touched at, and the decay of the
steps since, b1^age and b2^age, is made up for when it is touched again. What differs is that a weight only moves at its
own steps: dense Adam would let it drift on by what is left of m_i. ``t`` counts the steps that touch anything: feedback
with a coefficient of 0 is none. ``s_i`` is the whole gradient in feature i.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import uint64

from kibitz.errors import InputError
from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.spaces.compiled import kernel
from kibitz.spaces.rows import scatter
from kibitz.spaces.weights import BETA_1, BETA_2, CLOCK, EPSILON, LEFT_1, LEFT_2, PLAIN, SCALE, Weights

KEPT = 3  # numbers a weight: the two moments, and the time of its last step
ONE, TWO, THREE = uint64(1), uint64(2), uint64(3)
LAST_TIME = 2.0**23  # a float32 holds whole numbers up to twice as many


@kernel
def start_the_clock_again(memory, beta_1, beta_2, clock):  # type: ignore[no-untyped-def]
    """Let all moments decay up to now; a dense pass, once in eight million steps."""
    for i in range(0, len(memory), KEPT):
        age = clock - memory[i + 2]
        memory[i] *= beta_1**age
        memory[i + 1] *= beta_2**age
        memory[i + 2] = 0.0


def update(weights, x, lo, hi, columns, gradient, rate):  # type: ignore[no-untyped-def]
    """Add up the gradient in ``scratch``, then step each weight it touches and clear it."""
    table, memory, total, scalars = weights.table, weights.memory, weights.scratch, weights.scalars
    beta_1, beta_2, epsilon = scalars[BETA_1], scalars[BETA_2], scalars[EPSILON]
    if scalars[CLOCK] >= LAST_TIME:
        start_the_clock_again(memory, beta_1, beta_2, scalars[CLOCK])
        scalars[CLOCK] = 0.0
    scalars[CLOCK] += 1.0
    scalars[LEFT_1] *= beta_1
    scalars[LEFT_2] *= beta_2
    now = scalars[CLOCK]
    factor = rate / ((1.0 - scalars[LEFT_1]) * scalars[SCALE])
    unbiased = 1.0 / (1.0 - scalars[LEFT_2])
    scatter(total, x, lo, hi, columns, 1.0, gradient, weights.step)
    K = uint64(columns)
    age, decay_1, decay_2 = 0.0, 1.0, 1.0
    for i in range(uint64(x.ptr[lo]), uint64(x.ptr[hi])):
        row = uint64(x.rows[i]) * K
        for k in range(row, row + K):
            s = float(total[k])
            if s != 0.0:
                place = THREE * k
                if now - memory[place + TWO] != age:  # the weights of a row are mostly of one age
                    age = now - memory[place + TWO]
                    decay_1, decay_2 = beta_1**age, beta_2**age
                m = decay_1 * memory[place] + (1.0 - beta_1) * s
                v = decay_2 * memory[place + ONE] + (1.0 - beta_2) * s * s
                memory[place], memory[place + ONE], memory[place + TWO] = m, v, now
                table[k] -= factor * m / (np.sqrt(unbiased * v) + epsilon)
                total[k] = 0.0


@dataclass(frozen=True, slots=True)
class Adam(Optimizer):
    """Steps of ``rate`` times the mean of the recent gradients over their root mean square."""

    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-8

    name = "adam"
    usual: ClassVar[Mapping[str, Any]] = {"rate": 0.01}

    def __post_init__(self) -> None:
        self.check()
        for beta in (self.beta_1, self.beta_2):
            if not 0.0 <= beta < 1.0:
                raise InputError(f"a beta is at least 0 and below 1, not {beta}")
        if not self.epsilon > 0.0:
            raise InputError(f"epsilon is above 0, not {self.epsilon}")

    @property
    def update(self) -> Any:
        return update

    def start(self, size: int, columns: int, dtype: Any) -> Weights:
        scalars = np.array(PLAIN)
        scalars[BETA_1], scalars[BETA_2], scalars[EPSILON] = self.beta_1, self.beta_2, self.epsilon
        table, memory, scratch = (np.zeros(n * size, dtype) for n in (1, KEPT, 1))
        return Weights(table, np.zeros(0, dtype), memory, scratch, np.zeros(columns, dtype), scalars)
