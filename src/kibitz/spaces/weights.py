"""The weight vector, stored so that no step ever touches all of it.

The effective weight of feature ``i`` is

    w_i = scale * (table_i + reach * velocity_i)

``scale`` carries the l2 shrinking (kept as a logarithm, so that a shrink of 1e-19 is not lost), and ``reach`` and
``velocity`` carry momentum, whose dense part is the same multiple of ``velocity`` for every feature.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.compiled import fused, kernel

LOG_SCALE, SCALE, REACH, POWER, MOMENTUM, EPSILON, EXPONENT = range(7)
BETA_1, BETA_2, LEFT_1, LEFT_2, CLOCK, POSITIONS, ACTIVE = range(7, 14)
WITH_MEMORY = slice(LEFT_1, ACTIVE + 1)  # what the memory means nothing without
PLAIN = (0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)

Array = npt.NDArray[np.floating]


class Weights(NamedTuple):
    """A weight vector and what optimizers keep beside it; arrays that are not in use have length 0.

    ``memory`` holds as many numbers a weight as the optimizer wants, those of one weight side by side.
    """

    table: Array
    velocity: Array
    memory: Array
    scratch: Array
    step: Array  # room for the step of one row
    scalars: npt.NDArray[np.float64]


def plain_weights(values: Array) -> Weights:
    """Wrap a flat array as weights without momentum, memory or shrinking; nothing is copied."""
    empty = np.empty(0, dtype=values.dtype)
    return Weights(values, empty, empty, empty, empty, np.array(PLAIN))


def as_weights(weights: Weights | Array) -> Weights:
    """Accept a flat array or :class:`Weights`."""
    if isinstance(weights, Weights):
        return weights
    values = np.ascontiguousarray(weights)
    if values.dtype not in (np.float32, np.float64):
        values = values.astype(np.float64)
    return plain_weights(values)


def effective(weights: Weights) -> Array:
    """The weight vector itself, as a new flat array."""
    table = weights.table
    if len(weights.velocity):
        table = table + table.dtype.type(weights.scalars[REACH]) * weights.velocity
    return (table * table.dtype.type(weights.scalars[SCALE])).astype(table.dtype, copy=False)


@fused
def shrink(weights, amount):  # type: ignore[no-untyped-def]
    """Multiply every weight by 1 - amount, by its logarithm."""
    scalars = weights.scalars
    scalars[LOG_SCALE] += np.log1p(-amount)
    scalars[POWER] /= 1.0 - amount  # the velocity is not a weight: it does not shrink
    scalars[SCALE] = np.exp(scalars[LOG_SCALE])
    if scalars[SCALE] < 1e-6:
        fold(weights)


@kernel
def fold(weights):  # type: ignore[no-untyped-def]
    """Write the scale into the table; the one dense pass, needed once in a very long while."""
    table, velocity, scalars = weights.table, weights.velocity, weights.scalars
    for i in range(len(table)):
        table[i] *= scalars[SCALE]
    for i in range(len(velocity)):
        velocity[i] *= scalars[SCALE]
    scalars[LOG_SCALE] = 0.0
    scalars[SCALE] = 1.0
