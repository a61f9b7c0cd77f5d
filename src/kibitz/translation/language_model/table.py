"""The table that a language model is asked from: one row of 16 bytes for an n-gram, found by hashing.

The n-grams are a tree that is read from right to left: the row of w_1 .. w_n hangs below that of w_2 .. w_n. A row is
found by the number of the row above it and the word w_1, both kept whole: no two n-grams are ever taken for each other.
Row 0 is the empty n-gram, row w the word w alone. The number of a row stands for its n-gram everywhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.compiled import fused

ROW = np.dtype([("key", np.int64), ("logprob", np.float32), ("backoff", np.float32)])

# A key holds, from its highest bit: the row above, the word, the length of the n-gram, and two flags.
ROW_BITS, WORD_BITS, LENGTH_BITS = 30, 28, 3
LEFT = 1  # some n-gram is this one with a word before it
RIGHT = 2  # as a context it says something: an n-gram begins with it, or backing off from it costs
LENGTH = 2  # the lowest bit of the length
PLACE = LENGTH + LENGTH_BITS  # the lowest bit of the word
LONGEST = (1 << LENGTH_BITS) - 1
FREE = -1  # the key of a row without an n-gram


class Table(NamedTuple):
    """What compiled functions are given."""

    rows: npt.NDArray[Any]  # of ROW: the empty n-gram, the words, then the slots of the hash table
    words: int  # rows before the slots
    order: int


@fused
def slot(table, row, word):  # type: ignore[no-untyped-def]
    """The row of the n-gram ``row`` with ``word`` before it, or the free one where it would be."""
    rows = table.rows
    key = (np.int64(row) << WORD_BITS) | np.int64(word)
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    slots = np.uint64(len(rows) - table.words)
    place = table.words + np.int64(((mixed >> np.uint64(32)) * slots) >> np.uint64(32))
    while True:
        found = rows[place].key
        if found >> PLACE == key or found < 0:
            return place
        place += 1
        if place == len(rows):
            place = table.words


@fused
def below(table, row, word):  # type: ignore[no-untyped-def]
    """The row of the n-gram ``row`` with ``word`` before it; 0 when there is none."""
    if table.rows[row].key & LEFT == 0:
        return 0
    place = slot(table, row, word)
    return place if table.rows[place].key >= 0 else 0


@fused
def length_of(key):  # type: ignore[no-untyped-def]
    """How many words the n-gram has."""
    return (key >> LENGTH) & LONGEST


@fused
def first_word(key):  # type: ignore[no-untyped-def]
    """w_1 of the n-gram w_1 .. w_n."""
    return (key >> PLACE) & ((1 << WORD_BITS) - 1)


@fused
def row_above(key):  # type: ignore[no-untyped-def]
    """The row of w_2 .. w_n."""
    return key >> (PLACE + WORD_BITS)


@fused
def key_of(row, word, length):  # type: ignore[no-untyped-def]
    """The key of the n-gram ``row`` with ``word`` before it, without flags."""
    return (((np.int64(row) << WORD_BITS) | np.int64(word)) << PLACE) | (np.int64(length) << LENGTH)


@fused
def spell(table, row, words):  # type: ignore[no-untyped-def]
    """Write w_1 .. w_n of a row; returns n."""
    n = 0
    while row != 0:
        key = table.rows[row].key
        words[n] = first_word(key)
        row = row_above(key)
        n += 1
    return n
