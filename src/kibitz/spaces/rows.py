"""From weight rows to scores and back: the memory traffic of an iteration.

An encoded input is a list of positions, each a list of rows of the weight table. The score of column ``k`` at position
``n``, and the step that a gradient takes on the way back, are

    score[n, k] = sum_{a in position n} value_a w[a, k]          w[a, k] += factor value_a gradient[n, k]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uint64

from kibitz.spaces.compiled import fused
from kibitz.spaces.weights import REACH, SCALE

ONE = uint64(1)


class Rows(NamedTuple):
    """Positions and their rows; ``values`` is empty where every row has the value 1."""

    ptr: npt.NDArray[np.int32]
    rows: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]


@fused
def add_rows(table, x, lo, hi, columns, factor, score):  # type: ignore[no-untyped-def]
    """score[n, k] += factor * sum of the table's rows, positions lo to hi."""
    K = uint64(columns)
    here = uint64(0)
    start = uint64(x.ptr[lo])
    for n in range(lo, hi):
        stop = uint64(x.ptr[n + 1])
        if len(x.values) > 0 or factor != 1.0:
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                value = factor * x.values[i] if len(x.values) > 0 else factor
                for k in range(K):
                    score[here + k] += value * table[row + k]
        elif K == 3:  # three labels are worth their own loop: the sums stay in registers
            a = b = c = table[0] - table[0]
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                a += table[row]
                b += table[row + ONE]
                c += table[row + ONE + ONE]
            score[here] += a
            score[here + ONE] += b
            score[here + ONE + ONE] += c
        else:
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                for k in range(K):
                    score[here + k] += table[row + k]
        here += K
        start = stop


@fused
def gather(weights, x, lo, hi, columns, score):  # type: ignore[no-untyped-def]
    """score = the effective weights' sum over each position's rows."""
    for i in range(uint64(hi - lo) * uint64(columns)):
        score[i] = 0.0
    if len(weights.velocity) > 0:
        add_rows(weights.velocity, x, lo, hi, columns, weights.scalars[REACH], score)
    add_rows(weights.table, x, lo, hi, columns, 1.0, score)
    scale = weights.scalars[SCALE]
    if scale != 1.0:
        for i in range(uint64(hi - lo) * uint64(columns)):
            score[i] *= scale


@fused
def scatter(table, x, lo, hi, columns, factor, gradient, step):  # type: ignore[no-untyped-def]
    """table[a, k] += factor * value_a * gradient[n, k] for every row a of every position n; ``step`` is scratch."""
    K = uint64(columns)
    here = uint64(0)
    start = uint64(x.ptr[lo])
    for n in range(lo, hi):
        stop = uint64(x.ptr[n + 1])
        for k in range(K):
            step[k] = factor * gradient[here + k]
        if len(x.values) > 0:
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                for k in range(K):
                    table[row + k] += x.values[i] * step[k]
        elif K == 3:
            a, b, c = step[0], step[1], step[2]
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                table[row] += a
                table[row + ONE] += b
                table[row + ONE + ONE] += c
        else:
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                for k in range(K):
                    table[row + k] += step[k]
        here += K
        start = stop
