"""Functions that travel into compiled loops by address.

A loss, an objective's rule, a baseline and an optimizer's update are plain Python functions of a fixed signature. Here
they become typed, first-class functions, so that one compiled loop serves every combination and stays in the cache.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from kibitz.spaces.rows import Rows
from kibitz.spaces.weights import plain_weights

_floats = types.float64[::1]
_ints = types.int32[::1]

RULE = types.float64(
    types.float64, types.float64, _floats
)  # feedback, log-probability, parameters -> coefficient
CENTRE = types.float64(
    types.float64, _floats, _floats
)  # coefficient, facts, state of the baseline -> coefficient less the baseline
HEAR = types.float64(
    types.float64, types.float64, types.uint64[::1], _floats
)  # loss or difference, its lowest value, random numbers, parameters -> what is heard of it
TALLY = types.void(
    _ints, _ints, types.int64, types.int64, _ints, _floats
)  # output, gold, offset, n, table, counts
RATIO = types.float64(_floats)  # counts -> loss


class CompiledLoss(Protocol):
    """A loss that compiled loops can call: counts that add up, and the loss of the counts."""

    @property
    def tally(self) -> Callable[..., None]: ...
    @property
    def ratio(self) -> Callable[..., float]: ...
    def table(self, labels: Sequence[str]) -> npt.NDArray[np.int32]: ...
    def score(self, counts: npt.NDArray[np.float64]) -> float: ...


@functools.cache
def first_class(function: Callable[..., Any], signature: Any) -> Any:
    """``function`` as a typed value that compiled code can call."""
    return numba.cfunc(signature, cache=_on_disk(function), error_model="numpy", _nrt=False)(function)


@functools.cache
def direct(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` compiled for calls from Python: a first-class value would be looked up again at every call."""
    return numba.njit(cache=_on_disk(function), error_model="numpy", _nrt=False)(function)  # type: ignore[no-any-return]


def _on_disk(function: Callable[..., Any]) -> bool:
    """Code of functions from files is kept; those typed at a prompt, and closures, live as long as the process."""
    return Path(function.__code__.co_filename).is_file() and function.__closure__ is None


@functools.cache
def update_signature(dtype: str) -> Any:
    """weights, x, lo, hi, columns, gradient, rate."""
    weights = numba.typeof(plain_weights(np.empty(0, dtype)))
    rows = numba.typeof(Rows(np.empty(0, np.int32), np.empty(0, np.uint32), np.empty(0, np.float32)))
    return types.void(weights, rows, types.int64, types.int64, types.int64, _floats, types.float64)
