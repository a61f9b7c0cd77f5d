"""The floor: what the memory traffic of an iteration costs when nothing else is done.

One pass that sums the K float32 weights of every row of an input, and one that adds to them, over the same rows in the
same order as learning takes them.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from kibitz.spaces.compiled import compiled

ONE = uint64(1)


@compiled
def floor_pass(table, x, starts, order, columns):  # type: ignore[no-untyped-def]
    """Gather and scatter over all inputs in ``order``; returns the sum, so that nothing can be left out."""
    total = 0.0
    K = uint64(columns)
    small = np.float32(1e-6)
    for i in range(len(order)):
        lo, hi = starts[order[i]], starts[order[i] + 1]
        for n in range(lo, hi):
            if K == 3:
                a = b = c = table[0] - table[0]
                for j in range(uint64(x.ptr[n]), uint64(x.ptr[n + 1])):
                    row = uint64(x.rows[j]) * K
                    a += table[row]
                    b += table[row + ONE]
                    c += table[row + ONE + ONE]
                total += a + b + c
            else:
                for j in range(uint64(x.ptr[n]), uint64(x.ptr[n + 1])):
                    row = uint64(x.rows[j]) * K
                    for k in range(K):
                        total += table[row + k]
        for n in range(lo, hi):
            if K == 3:
                for j in range(uint64(x.ptr[n]), uint64(x.ptr[n + 1])):
                    row = uint64(x.rows[j]) * K
                    table[row] += small
                    table[row + ONE] += small
                    table[row + ONE + ONE] -= small
            else:
                for j in range(uint64(x.ptr[n]), uint64(x.ptr[n + 1])):
                    row = uint64(x.rows[j]) * K
                    for k in range(K):
                        table[row + k] += small
    return total
