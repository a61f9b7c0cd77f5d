"""From weight rows to scores and back: the memory traffic of an iteration.

An encoded input is a list of positions, each a list of rows of the weight table. The score of column ``k`` at position
``n``, and the step that a gradient takes on the way back, are

    score[n, k] = sum_{a in position n} value_a w[a, k]          w[a, k] += factor value_a gradient[n, k]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types, uint64
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.spaces.adjacent import plus_two, put_two
from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.weights import REACH, SCALE

ONE = uint64(1)
LINE = uint64(16)
_1, _2, _3, _4, _5, _6, _7 = (uint64(i) for i in range(1, 8))


class Rows(NamedTuple):
    """Positions and their rows; ``values`` is empty where every row has the value 1."""

    ptr: npt.NDArray[np.int32]
    rows: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]


@fused
def add_rows(table, x, lo, hi, columns, factor, score):  # type: ignore[no-untyped-def]
    """score[n, k] += factor * sum of the table's rows, positions lo to hi."""
    K = uint64(columns)
    zero = table.dtype.type(0.0)
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
        elif K == 3:  # three labels, or their eight pairs, have a loop of their own: sums stay in registers
            ab, c = (zero, zero), zero
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                ab = plus_two(ab, table, row)
                c += table[row + _2]
            score[here] += ab[0]
            score[here + _1] += ab[1]
            score[here + _2] += c
        elif K == 8:
            ab = cd = ef = gh = (zero, zero)
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                ab = plus_two(ab, table, row)
                cd = plus_two(cd, table, row + _2)
                ef = plus_two(ef, table, row + _4)
                gh = plus_two(gh, table, row + _6)
            score[here] += ab[0]
            score[here + _1] += ab[1]
            score[here + _2] += cd[0]
            score[here + _3] += cd[1]
            score[here + _4] += ef[0]
            score[here + _5] += ef[1]
            score[here + _6] += gh[0]
            score[here + _7] += gh[1]
        else:
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                for k in range(K):
                    score[here + k] += table[row + k]
        here += K
        start = stop


@intrinsic
def _fetch(typing, table, index):  # type: ignore[no-untyped-def]
    """Ask the memory for the cache line of ``table[index]``, without waiting for it."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        place = builder.bitcast(place, ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(prefetch, [place, number(1), number(3), number(1)])  # to write, keep in all caches, data
        return context.get_dummy_value()

    return types.void(table, types.uint64), generate


@fused
def fetch(table, x, lo, hi, columns):  # type: ignore[no-untyped-def]
    """Have the rows of an input brought near while something else is computed."""
    K = uint64(columns)
    for i in range(uint64(x.ptr[lo]), uint64(x.ptr[hi])):
        _fetch(table, uint64(x.rows[i]) * K)


@fused
def fetch_lines(array, start, stop):  # type: ignore[no-untyped-def]
    """Have a stretch of numbers brought near; 16 of them lie on a cache line."""
    for i in range(uint64(start) // LINE, uint64(stop) // LINE + ONE):
        _fetch(array, i * LINE)


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
            ab, c = (step[0], step[1]), step[2]
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                put_two(table, row, plus_two(ab, table, row))
                table[row + _2] += c
        elif K == 8:
            ab, cd, ef, gh = (step[0], step[1]), (step[2], step[3]), (step[4], step[5]), (step[6], step[7])
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                put_two(table, row, plus_two(ab, table, row))
                put_two(table, row + _2, plus_two(cd, table, row + _2))
                put_two(table, row + _4, plus_two(ef, table, row + _4))
                put_two(table, row + _6, plus_two(gh, table, row + _6))
        else:
            for i in range(start, stop):
                row = uint64(x.rows[i]) * K
                for k in range(K):
                    table[row + k] += step[k]
        here += K
        start = stop


@kernel
def squared_norm(x, lo, hi, columns, gradient):  # type: ignore[no-untyped-def]
    """The squared length of a gradient, as if no attribute occurred at two positions."""
    total = 0.0
    for n in range(lo, hi):
        here = uint64(n - lo) * uint64(columns)
        squares = 0.0
        for k in range(uint64(columns)):
            squares += gradient[here + k] * gradient[here + k]
        rows = 0.0
        for i in range(uint64(x.ptr[n]), uint64(x.ptr[n + 1])):
            rows += x.values[i] * x.values[i] if len(x.values) > 0 else 1.0
        total += squares * rows
    return total


@kernel
def key_of(x, lo, hi):  # type: ignore[no-untyped-def]
    """A number from 0 to 65,535 by which an input is known again: its rows, folded together."""
    key = uint64(14695981039346656037)
    for i in range(uint64(x.ptr[lo]), uint64(x.ptr[hi])):
        key = (key ^ uint64(x.rows[i])) * uint64(1099511628211)
    return (key ^ (key >> uint64(32))) & uint64(0xFFFF)
