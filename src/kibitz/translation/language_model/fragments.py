"""Words in any order of assembly, as a chart decoder puts them together.

A *fragment* is a string of words of which neither neighbour is known yet. Its score is the sum of log10 p of its words,
each after those words of the fragment that stand before it. What else matters about it are two numbers:

- ``right``, the state after its last word;
- ``left``, its first words that a word before them may still make more or less probable: twice the row of the
  longest beginning w_1 .. w_k that some n-gram ends with, plus 1 when more words follow in the fragment, or no more
  could be kept.

``join`` says by how much the score of a b differs from the sum of both; that depends on ``right`` of a and ``left``
of b alone. Joining is associative, and the empty fragment (0, 0) changes nothing.
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import fused
from kibitz.translation.language_model.scoring import BEGIN_STATE, unpack
from kibitz.translation.language_model.table import LEFT, RIGHT, below, length_of, spell

EMPTY = (0, 0)
BEGIN_LEFT, BEGIN_RIGHT = 1, BEGIN_STATE  # <s>, before which nothing comes


@fused
def word_fragment(table, word):  # type: ignore[no-untyped-def]
    """The fragment of one word: its score, left and right."""
    row = table.rows[word]
    left = 2 * np.int64(word) + np.int64(table.order <= 2) if row.key & LEFT else np.int64(1)
    right = np.int64(word) if row.key & RIGHT else np.int64(0)
    return np.float64(row.logprob), np.int32(left), np.int32(right)


@fused
def join(table, scratch, left_a, right_a, left_b, right_b):  # type: ignore[no-untyped-def]
    """By how much the score of a b differs from the sum of both, and left and right of a b."""
    if left_b == 0:
        return 0.0, np.int32(left_a), np.int32(right_a)
    if left_a == 0:
        return 0.0, np.int32(left_b), np.int32(right_b)
    rows = table.rows
    context, words, backoff, following = scratch
    use = unpack(table, right_a, context, backoff)
    left, after = np.int64(left_a) >> 1, np.int64(0)
    length, waits = length_of(rows[left].key), left_a & 1 == 0  # whether all of a b so far waits
    last = np.int64(left_b) >> 1
    waiting = spell(table, last, words)
    change = 0.0
    j = 0
    while j < waiting and use > 0:
        # change += log10 p(w_j | c_use .. c_1 w_1 .. w_j-1) - log10 p(w_j | w_1 .. w_j-1)
        row = last if j == waiting - 1 else _beginning(table, words, j)
        change -= rows[row].logprob
        i, useful, after = 0, 0, np.int64(0)
        while i < use:
            longer = below(table, row, context[i])
            if longer == 0:
                break
            row = longer
            following[i] = rows[row].backoff
            i += 1
            if rows[row].key & RIGHT:
                useful, after = i, row
        change += rows[row].logprob
        for t in range(i, use):
            change += backoff[t]
        waits = waits and i == length and rows[row].key & LEFT != 0
        if waits:
            left = row
        use = useful
        backoff, following = following, backoff
        j += 1
    waits = waits and j == waiting and left_b & 1 == 0
    right = np.int64(right_b)
    if left_b & 1:
        for t in range(use):
            change += backoff[t]
    elif use > 0:
        right = after
    full = not waits or length_of(rows[left].key) >= table.order - 1
    return change, np.int32(2 * left + np.int64(full)), np.int32(right)


@fused
def _beginning(table, words, j):  # type: ignore[no-untyped-def]
    """The row of words[0] .. words[j]."""
    row = words[j]
    for t in range(j - 1, -1, -1):
        row = below(table, row, words[t])
    return row
