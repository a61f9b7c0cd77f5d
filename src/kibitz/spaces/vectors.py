"""Vectors over the weights that are zero almost everywhere, in two forms: by places, and as optimizers take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.rows import Rows


@dataclass(frozen=True, slots=True)
class SparseVector:
    """A vector by its nonzero places: sorted indices, each once, and their values."""

    index: npt.NDArray[np.int64]
    value: npt.NDArray[np.float64]

    def dense(self, size: int) -> npt.NDArray[np.float64]:
        """The same vector with its zeros."""
        out = np.zeros(size)
        out[self.index] = self.value
        return out


def sparse(index: npt.ArrayLike, value: npt.ArrayLike) -> SparseVector:
    """A sparse vector from places in any order; values at the same place are added."""
    places, where = np.unique(np.asarray(index, dtype=np.int64), return_inverse=True)
    sums = np.bincount(where, np.asarray(value, dtype=np.float64), minlength=len(places))
    return SparseVector(places, np.asarray(sums, dtype=np.float64))


def aligned(
    one: SparseVector, other: SparseVector
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The places of either, and the values of both there."""
    index = np.union1d(one.index, other.index)
    values = np.zeros((2, len(index)))
    for row, vector in zip(values, (one, other), strict=True):
        row[np.searchsorted(index, vector.index)] = vector.value
    return index, values[0], values[1]


class Gradient(NamedTuple):
    """A gradient as optimizers take it: positions, each a list of weight rows that share one row of values.

    ``values[n * width + k]`` goes to weight ``rows[i] * width + k`` for every ``i`` in position ``n``. A plain sparse
    vector is the case of width 1 with one row a position.
    """

    x: Rows
    lo: int
    hi: int
    width: int
    values: npt.NDArray[np.float64]

    @classmethod
    def of(cls, vector: SparseVector) -> Gradient:
        """A plain sparse vector as a gradient."""
        size = len(vector.index)
        places, rows = np.arange(size + 1, dtype=np.int32), vector.index.astype(np.uint32)
        return cls(Rows(places, rows, np.empty(0, np.float32)), 0, size, 1, vector.value)

    def vector(self) -> SparseVector:
        """The same gradient with equal places added up."""
        x, K = self.x, self.width
        places = slice(x.ptr[self.lo], x.ptr[self.hi])
        counts = np.diff(x.ptr[self.lo : self.hi + 1])
        by_row = np.repeat(self.values[: (self.hi - self.lo) * K].reshape(-1, K), counts, axis=0)
        if len(x.values):
            by_row = by_row * x.values[places, None].astype(np.float64)
        index = x.rows[places].astype(np.int64)[:, None] * K + np.arange(K)
        return sparse(index.ravel(), by_row.ravel())
