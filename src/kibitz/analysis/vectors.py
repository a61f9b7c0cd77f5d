"""Norms, products and distances of vectors, sparse (sorted places and values) or dense, in float64."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kibitz.spaces.protocol import SparseVector

Dense: TypeAlias = NDArray[Any]
Vector: TypeAlias = "SparseVector | Dense"


def squared_norm(v: Vector) -> float:
    """|v|^2."""
    values = v if isinstance(v, np.ndarray) else v.value
    return _product(values, values)


def inner(a: Vector, b: Vector) -> float:
    """a . b."""
    if isinstance(a, np.ndarray):
        return _product(a, b) if isinstance(b, np.ndarray) else _product(a[b.index], b.value)
    if isinstance(b, np.ndarray):
        return _product(b[a.index], a.value)
    _, first, second = np.intersect1d(a.index, b.index, assume_unique=True, return_indices=True)
    return _product(a.value[first], b.value[second])


def squared_distance(a: Vector, b: Vector) -> float:
    """|a - b|^2, from the differences themselves, so that near vectors keep their digits."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return squared_norm(np.subtract(a, b, dtype=np.float64))
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        raise TypeError("a sparse and a dense vector have no common size to be compared in")
    _, where = np.unique(np.concatenate([a.index, b.index]), return_inverse=True)
    return squared_norm(np.bincount(where, np.concatenate([a.value, -b.value])))


def total(vectors: Iterable[Vector]) -> Dense:
    """The sum, dense, as long as the longest of them needs."""
    out = np.zeros(0)
    for v in vectors:
        needed = len(v) if isinstance(v, np.ndarray) else int(v.index[-1]) + 1 if len(v.index) else 0
        if needed > len(out):
            out = np.concatenate([out, np.zeros(needed - len(out))])
        if isinstance(v, np.ndarray):
            out[:needed] += v
        else:
            out[v.index] += v.value
    return out


def _product(a: Dense, b: Dense) -> float:
    return float(np.einsum("i,i->", a, b, dtype=np.float64))
