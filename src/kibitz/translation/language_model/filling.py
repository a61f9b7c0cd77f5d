"""Makes the table of a model's n-grams.

Files of pruned models list n-grams whose end, or beginning, they do not list. The table needs those too: such an n-gram
is added with the probability that backing off gives it, so that nothing that the model says changes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.language_model.ngrams import NGrams
from kibitz.translation.language_model.table import (
    FREE,
    LEFT,
    LENGTH,
    LONGEST,
    PLACE,
    RIGHT,
    ROW,
    ROW_BITS,
    WORD_BITS,
    Table,
    key_of,
    length_of,
    row_above,
    slot,
    spell,
)

LOAD = 1.5  # slots for an n-gram: more is faster, and larger
DONE, CROWDED = -1, -2


class Twice(InputError):
    """An n-gram is listed twice; ``order`` and ``place`` say which."""

    def __init__(self, order: int, place: int, text: str) -> None:
        super().__init__(f"the {order}-gram {text!r} is listed twice")
        self.order, self.place = order, place


def table_of(ngrams: NGrams) -> Table:
    """The table that says what the n-grams say."""
    count = sum(map(len, ngrams.orders[1:]))
    if len(ngrams.orders) > LONGEST:
        raise InputError(f"a language model may be of order {LONGEST} at most, not {len(ngrams.orders)}")
    room = count // 16 + 8  # for n-grams that are not listed
    while True:
        slots = int(LOAD * (count + room)) + 1
        if len(ngrams.words) >= 1 << WORD_BITS or slots + len(ngrams.words) >= 1 << ROW_BITS:
            raise InputError(f"a language model of {count:,} n-grams is too large: prune it")
        added = np.zeros(room, np.int64)
        table = _empty(ngrams, slots)
        if _fill(table, ngrams, added) == DONE:
            return table
        room *= 8


def _empty(ngrams: NGrams, slots: int) -> Table:
    words, unigrams = len(ngrams.words), ngrams.orders[0]
    rows = np.zeros(words + slots, ROW)
    rows["key"][words:] = FREE
    numbers = unigrams.words[:, 0]
    rows["key"][1:words] = (np.arange(1, words) << PLACE) | (1 << LENGTH)
    rows["logprob"][numbers] = unigrams.logprob
    rows["backoff"][numbers] = unigrams.backoff
    rows["key"][np.flatnonzero(rows["backoff"])] |= RIGHT
    return Table(rows, words, len(ngrams.orders))


def _fill(table: Table, ngrams: NGrams, added: npt.NDArray[np.int64]) -> int:
    """Enters all n-grams and what they need; CROWDED when there is no room for it."""
    used = np.zeros(1, np.int64)
    for n, order in enumerate(ngrams.orders[1:], start=2):
        place = _enter(table, order.words, order.logprob, order.backoff, added, used)
        if place >= 0:
            text = " ".join([ngrams.words[w] for w in order.words[place].tolist()])
            raise Twice(n, int(place), text)
        if place == CROWDED:
            return CROWDED
    for order in ngrams.orders[1:]:
        if _mark_contexts(table, order.words, added, used) == CROWDED:
            return CROWDED
    words = np.zeros(LONGEST + 1, np.int64)
    if _mark_added(table, words, added, used) == CROWDED:
        return CROWDED
    _back_off(table, words, added, used)
    return DONE


@fused
def _hang(table, row, word):  # type: ignore[no-untyped-def]
    """The row of the n-gram ``row`` with ``word`` before it, and whether it is new: then log10 p is not a number."""
    rows = table.rows
    place = slot(table, row, word)
    if rows[place].key < 0:
        rows[place].key = key_of(row, word, length_of(rows[row].key) + 1)
        rows[place].logprob = np.nan
        rows[place].backoff = 0.0
        rows[row].key |= LEFT
        return place, True
    return place, False


@kernel
def _enter(table, words, logprob, backoff, added, used):  # type: ignore[no-untyped-def]
    """Enter n-grams of one length; returns DONE, CROWDED, or the place of one that is there already."""
    rows = table.rows
    n = words.shape[1]
    for i in range(len(words)):
        row = np.int64(words[i, n - 1])
        for j in range(n - 2, -1, -1):
            row, new = _hang(table, row, words[i, j])
            if new and j > 0:
                if used[0] == len(added):
                    return CROWDED
                added[used[0]] = row
                used[0] += 1
        if not np.isnan(rows[row].logprob):
            return i
        rows[row].logprob = logprob[i]
        rows[row].backoff = backoff[i]
        if backoff[i] != 0.0:
            rows[row].key |= RIGHT
    return DONE


@fused
def _context(table, words, n, added, used):  # type: ignore[no-untyped-def]
    """Mark the context w_1 .. w_n-1 of an n-gram; returns whether there was room for it."""
    row = np.int64(words[n - 2])
    for j in range(n - 3, -1, -1):
        row, new = _hang(table, row, words[j])
        if new:
            if used[0] == len(added):
                return False
            added[used[0]] = row
            used[0] += 1
    table.rows[row].key |= RIGHT
    return True


@kernel
def _mark_contexts(table, words, added, used):  # type: ignore[no-untyped-def]
    for i in range(len(words)):
        if not _context(table, words[i], words.shape[1], added, used):
            return CROWDED
    return DONE


@kernel
def _mark_added(table, words, added, used):  # type: ignore[no-untyped-def]
    """The same for n-grams that were added; it may add more, which then come to their turn."""
    i = 0
    while i < used[0]:
        n = spell(table, added[i], words)
        if not _context(table, words, n, added, used):
            return CROWDED
        i += 1
    return DONE


@kernel
def _back_off(table, words, added, used):  # type: ignore[no-untyped-def]
    """p(w_n | w_1 .. w_n-1) = backoff(w_1 .. w_n-1) + p(w_n | w_2 .. w_n-1), the shorter before the longer."""
    rows = table.rows
    for i in range(used[0]):
        n = spell(table, added[i], words)
        context = np.int64(words[n - 2])
        for j in range(n - 3, -1, -1):
            context = slot(table, context, words[j])
        rows[added[i]].logprob = rows[context].backoff + rows[row_above(rows[added[i]].key)].logprob
