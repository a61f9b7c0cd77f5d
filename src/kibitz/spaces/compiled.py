"""How this project compiles its hot loops.

Every compiled function is cached on disk (a second process starts in a fraction of a second), divides as NumPy does and
never trades exactness for speed: no fastmath, so the same operations give the same bits everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from numba import njit

Function = Callable[
    ..., Any
]  # kernels get their types from their arguments, one machine function for each combination


def compiled(function: Function) -> Function:
    """Compile a function that may make arrays."""
    return cast(Function, njit(cache=True, error_model="numpy")(function))


def kernel(function: Function) -> Function:
    """Compile a function that makes no arrays; the compiler refuses it if it does.

    Without Numba's reference counting, which would cost as much as the arithmetic on short inputs.
    """
    return cast(Function, njit(cache=True, error_model="numpy", _nrt=False)(function))


def fused(function: Function) -> Function:
    """Compile a kernel into each of its compiled callers."""
    return cast(Function, njit(cache=True, error_model="numpy", _nrt=False, forceinline=True)(function))
