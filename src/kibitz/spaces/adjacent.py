"""Two neighbouring numbers of an array at a time, which the compiler does not see in rows of three by itself.

Every sum stays the sum that it was, number by number: only the instructions are halved.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

TWO = 2


@intrinsic
def plus_two(typing, sums, array, index):  # type: ignore[no-untyped-def]
    """(sums[0] + array[index], sums[1] + array[index + 1])."""
    two = types.UniTuple(array.dtype, TWO)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        place = _place(context, builder, signature.args[1], arguments[1], arguments[2])
        loaded = builder.load(place)
        loaded.align = array.dtype.bitwidth // 8
        total = builder.fadd(_vector(builder, arguments[0], loaded.type), loaded)
        out = arguments[0]
        for k in range(TWO):
            out = builder.insert_value(out, builder.extract_element(total, ir.IntType(32)(k)), k)
        return out

    return two(two, array, types.uint64), generate


@intrinsic
def put_two(typing, array, index, values):  # type: ignore[no-untyped-def]
    """array[index], array[index + 1] = values."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1])
        stored = builder.store(_vector(builder, arguments[2], place.type.pointee), place)
        stored.align = array.dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(array, types.uint64, types.UniTuple(array.dtype, TWO)), generate


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """The address of two neighbours, as that of a vector."""
    start = builder.gep(context.make_array(kind)(context, builder, array).data, [index])
    vector = ir.VectorType(context.get_value_type(kind.dtype), TWO)
    return builder.bitcast(start, vector.as_pointer())


def _vector(builder: Any, values: Any, kind: Any) -> Any:
    """The two numbers of a tuple as a vector."""
    vector = ir.Constant(kind, ir.Undefined)
    for k in range(TWO):
        vector = builder.insert_element(vector, builder.extract_value(values, k), ir.IntType(32)(k))
    return vector
