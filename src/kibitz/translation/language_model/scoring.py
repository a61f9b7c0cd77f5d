"""Words one after another, from left to right.

    log10 p(w | c_L .. c_1) = log10 p of the longest listed n-gram c_i .. c_1 w
                              + backoff(c_i+1 .. c_1) + ... + backoff(c_L .. c_1)

A *state* is what of the words so far can matter: the row of their longest ending that says something as a context.
It is one number; two beginnings with the same state are alike for all that follows.

Sums are of single precision and in the order in which kenlm makes them: the scores are the same to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.language_model.ngrams import BEGIN
from kibitz.translation.language_model.table import RIGHT, below, first_word, length_of, row_above

EMPTY_STATE, BEGIN_STATE = 0, BEGIN  # nothing known; after <s>


class Scratch(NamedTuple):
    """The memory that a thread uses again for every question."""

    context: npt.NDArray[np.int64]  # words, the nearest first
    words: npt.NDArray[np.int64]
    backoff: npt.NDArray[np.float32]  # [i]: of the context of i + 1 words
    next: npt.NDArray[np.float32]


def allocate(order: int) -> Scratch:
    """Scratch for a model of that order."""
    n = max(order, 1)
    return Scratch(
        np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.float32), np.zeros(n, np.float32)
    )


@fused
def unpack(table, state, words, backoff):  # type: ignore[no-untyped-def]
    """The words of a state, the nearest first, and the backoff of each context; returns how many."""
    rows = table.rows
    length = length_of(rows[state].key)
    row = np.int64(state)
    for i in range(length - 1, -1, -1):
        key = rows[row].key
        words[i] = first_word(key)
        backoff[i] = rows[row].backoff
        row = row_above(key)
    return length


@fused
def advance(table, scratch, state, word):  # type: ignore[no-untyped-def]
    """log10 p(word | state), and the state after it."""
    rows = table.rows
    length = unpack(table, state, scratch.context, scratch.backoff)
    row = np.int64(word)
    after = row if rows[row].key & RIGHT else np.int64(0)
    i = 0
    while i < length:
        longer = below(table, row, scratch.context[i])
        if longer == 0:
            break
        row = longer
        i += 1
        if rows[row].key & RIGHT:
            after = row
    total = rows[row].logprob
    for j in range(i, length):
        total += scratch.backoff[j]
    return total, np.int32(after)


@kernel
def run(table, scratch, state, words, out):  # type: ignore[no-untyped-def]
    """Write log10 p of each word after those before it; returns their sum, and the state at the end."""
    total = np.float32(0.0)
    for i in range(len(words)):
        out[i], state = advance(table, scratch, state, words[i])
        total += out[i]
    return total, state
