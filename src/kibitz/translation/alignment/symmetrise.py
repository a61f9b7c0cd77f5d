"""One alignment out of two, each made in one direction: grow-diag-final-and (Koehn, Och and Marcu 2003)."""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import compiled, kernel
from kibitz.translation.alignment.links import Links

FORWARD, BACKWARD, CHOSEN = 1, 2, 4
"""What is known of a pair of words, as bits."""


def symmetrise(forward: Links, backward: Links) -> Links:
    """Links that both directions have, those of their union that lie beside chosen ones, and the last word pairs.

    Start from the intersection. *Grow-diag*: add a link of the union beside a chosen one, diagonals included, as long
    as one of its two words has no link yet. *Final-and*: add a link of either direction when neither word has one.
    """
    ptr, source, target = _symmetrised(
        forward.ptr, forward.source, forward.target, backward.ptr, backward.source, backward.target
    )
    return Links(ptr, source, target)


@compiled
def _symmetrised(f_ptr, f_source, f_target, b_ptr, b_source, b_target):  # type: ignore[no-untyped-def]
    sentences = len(f_ptr) - 1
    ptr = np.zeros(sentences + 1, np.int64)
    source = np.empty(len(f_source) + len(b_source), np.int32)
    target = np.empty(len(f_source) + len(b_source), np.int32)
    for s in range(sentences):
        n = m = 0
        for k in range(f_ptr[s], f_ptr[s + 1]):
            n, m = max(n, f_source[k] + 1), max(m, f_target[k] + 1)
        for k in range(b_ptr[s], b_ptr[s + 1]):
            n, m = max(n, b_source[k] + 1), max(m, b_target[k] + 1)
        known = np.zeros((n, m), np.uint8)
        for k in range(f_ptr[s], f_ptr[s + 1]):
            known[f_source[k], f_target[k]] |= FORWARD
        for k in range(b_ptr[s], b_ptr[s + 1]):
            known[b_source[k], b_target[k]] |= BACKWARD
        _choose(known, np.zeros(n, np.bool_), np.zeros(m, np.bool_))
        end = ptr[s]
        for i in range(n):
            for j in range(m):
                if known[i, j] & CHOSEN:
                    source[end], target[end] = i, j
                    end += 1
        ptr[s + 1] = end
    return ptr, source[: ptr[-1]].copy(), target[: ptr[-1]].copy()


@kernel
def _choose(known, row, column):  # type: ignore[no-untyped-def]
    """Mark the links that are chosen; ``row`` and ``column`` say which words have one."""
    n, m = known.shape
    for i in range(n):
        for j in range(m):
            if known[i, j] == FORWARD | BACKWARD:
                _take(known, row, column, i, j)
    grown = True
    while grown:
        grown = False
        for i in range(n):
            for j in range(m):
                if known[i, j] & CHOSEN and _grow(known, row, column, i, j):
                    grown = True
    for direction in (FORWARD, BACKWARD):
        for i in range(n):
            for j in range(m):
                if known[i, j] & direction and not row[i] and not column[j]:
                    _take(known, row, column, i, j)


@kernel
def _grow(known, row, column, i, j):  # type: ignore[no-untyped-def]
    """Take what may be taken of the eight neighbours, those in line first; whether there was any."""
    grown = False
    for diagonal in (0, 1):
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if abs(di) + abs(dj) != diagonal + 1:
                    continue
                a, b = i + di, j + dj
                if not (0 <= a < known.shape[0] and 0 <= b < known.shape[1]):
                    continue
                if known[a, b] and not known[a, b] & CHOSEN and not (row[a] and column[b]):
                    _take(known, row, column, a, b)
                    grown = True
    return grown


@kernel
def _take(known, row, column, i, j):  # type: ignore[no-untyped-def]
    known[i, j] |= CHOSEN
    row[i] = column[j] = True
