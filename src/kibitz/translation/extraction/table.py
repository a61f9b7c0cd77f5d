"""A table of numbers by 64-bit keys, in flat arrays: open addressing with linear probing, 0 for an empty place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.extraction.sides import mixed

FULLEST = 0.6
"""A table is made larger before a greater share of its places is taken."""

Keys = NDArray[np.uint64]


def room(entries: int) -> int:
    """The places of a table that can take so many entries: a power of two."""
    return 1 << max(10, int(entries / FULLEST).bit_length())


@fused
def slot(keys, key):  # type: ignore[no-untyped-def]
    """Where the key is, or the empty place where it belongs."""
    mask = np.uint64(len(keys) - 1)
    at = mixed(key) & mask
    while keys[at] != np.uint64(0) and keys[at] != key:
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@kernel
def moved(keys, old, places):  # type: ignore[no-untyped-def]
    """Put the keys of an old table into a new one; ``places`` says where each old place went."""
    for k in range(len(old)):
        if old[k] != np.uint64(0):
            at = slot(keys, old[k])
            keys[at] = old[k]
            places[k] = at


def grown(keys: Keys, *columns: NDArray[Any], entries: int) -> tuple[NDArray[Any], ...]:
    """A table for at least so many entries with the same content: its keys, then its columns."""
    larger = np.zeros(room(entries), np.uint64)
    places = np.zeros(len(keys), np.int64)
    moved(larger, keys, places)
    taken = keys != 0
    moved_columns = []
    for column in columns:
        new = np.zeros(len(larger), column.dtype)
        new[places[taken]] = column[taken]
        moved_columns.append(new)
    return larger, *moved_columns


def table_of(keys: Keys) -> tuple[Keys, NDArray[np.int64]]:
    """A table in which each of the distinct keys finds its number."""
    slots, numbers = np.zeros(room(len(keys)), np.uint64), np.full(room(len(keys)), -1, np.int64)
    _fill(slots, numbers, keys)
    return slots, numbers


@kernel
def _fill(slots, numbers, keys):  # type: ignore[no-untyped-def]
    for k in range(len(keys)):
        at = slot(slots, keys[k])
        slots[at] = keys[k]
        numbers[at] = k
