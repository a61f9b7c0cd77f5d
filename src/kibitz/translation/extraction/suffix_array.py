"""Finds where words occur in a text: its positions, sorted by the words that follow them (Manber and Myers 1993)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import kernel

Array = NDArray[Any]


class SuffixArray:
    """The positions of a text in the order of the ``depth`` words from there on, as far as the sentence goes."""

    def __init__(self, words: Array, ptr: Array, depth: int) -> None:
        """Sentence s is ``words[ptr[s]:ptr[s + 1]]``; runs of up to ``depth`` words can be found."""
        self.depth = depth
        self._words = words
        # How many words of its sentence there are from each position on.
        self._left = np.repeat(ptr[1:], np.diff(ptr)) - np.arange(len(words))
        self._order = _sorted(words, self._left, depth)

    def find(self, run: Array) -> NDArray[np.int64]:
        """Every position where these words stand; those of one continuation are together, in the text's order."""
        if not 0 < len(run) <= self.depth:
            raise ValueError(f"a run of {len(run)} words in an array for runs of 1 to {self.depth}")
        first = _first(self._order, self._words, self._left, run, False)
        last = _first(self._order, self._words, self._left, run, True)
        return self._order[first:last]


def _sorted(words: Array, left: Array, depth: int) -> NDArray[np.int64]:
    """Ranks by the first word give ranks by the first two, these by the first four, and so on."""
    rank, known = words.astype(np.int64) + 1, 1
    while known < depth:
        # What begins behind the end of the sentence has rank 0: the shorter suffix comes first.
        later = np.zeros_like(rank)
        within = np.flatnonzero(left > known)
        later[within] = rank[within + known]
        _, rank = np.unique(rank * (int(rank.max(initial=0)) + 2) + later, return_inverse=True)
        rank, known = rank + 1, 2 * known
    return np.argsort(rank, kind="stable")


@kernel
def _first(order, words, left, run, after):  # type: ignore[no-untyped-def]
    """The first place in the order whose suffix is not before the run; or, ``after``, does not begin with it either."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        side = _compared(words, left, order[middle], run)
        if side < 0 or (after and side == 0):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _compared(words, left, position, run):  # type: ignore[no-untyped-def]
    """Whether the suffix is before the run (-1), begins with it (0), or is after it (1)."""
    for k in range(len(run)):
        if k >= left[position] or words[position + k] < run[k]:
            return -1
        if words[position + k] > run[k]:
            return 1
    return 0
