"""How likely a word is as the translation of another, from the links of an aligned text."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import compiled, fused
from kibitz.translation.extraction.aligned import AlignedText
from kibitz.translation.extraction.limits import LONGEST
from kibitz.translation.extraction.sides import source_side, target_side
from kibitz.translation.extraction.table import Keys, room, slot

NOTHING = -1  # what an unaligned word is a translation of
_WORD = 32  # a key has the source word and the target word, each plus 2, 32 bits each


class Lexicon(NamedTuple):
    """A table of word pairs: p(e | f) and p(f | e), as negative common logarithms."""

    keys: Keys
    target_given_source: NDArray[np.float32]
    source_given_target: NDArray[np.float32]


def lexicon(text: AlignedText) -> Lexicon:
    """Relative frequencies: p(e | f) = c(f, e) / sum_e' c(f, e'); an unaligned word has one link, to nothing."""
    f, e = _links(text)
    pairs, counts = np.unique((f + 2) << _WORD | (e + 2), return_counts=True)
    f, e = (pairs >> _WORD) - 2, (pairs & ((1 << _WORD) - 1)) - 2
    given_source = -np.log10(counts / _totals(f, counts))
    given_target = -np.log10(counts / _totals(e, counts))
    keys = np.zeros(room(len(pairs)), np.uint64)
    forward, backward = np.zeros(len(keys), np.float32), np.zeros(len(keys), np.float32)
    _enter(keys, forward, backward, pairs.astype(np.uint64), given_source, given_target)
    return Lexicon(keys, forward, backward)


def lexical_weights(
    text: AlignedText, words: Lexicon, pairs: NDArray[np.int64], places: NDArray[np.int64]
) -> NDArray[np.float32]:
    """For each rule, given by a place in a pair, both sums over words, that of p(e | f) first.

    sum over e of -log10 max_f p(e | f), f being the source words of the rule or nothing; and the other way round.
    """
    weights: NDArray[np.float32] = _weights(text, words, pairs, places)
    return weights


def _links(text: AlignedText) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The source word and the target word of each link, then those of unaligned words."""
    base = np.repeat(text.target_ptr[:-1], np.diff(text.source_ptr))
    links = np.diff(text.link_ptr)
    f = np.repeat(text.source, links).astype(np.int64)
    e = text.target[np.repeat(base, links) + text.link].astype(np.int64)
    lone_f = text.source[text.high < 0].astype(np.int64)
    lone_e = text.target[text.right < 0].astype(np.int64)
    return (
        np.concatenate([f, lone_f, np.full(len(lone_e), NOTHING)]),
        np.concatenate([e, np.full(len(lone_f), NOTHING), lone_e]),
    )


def _totals(words: NDArray[np.int64], counts: NDArray[Any]) -> NDArray[np.float64]:
    return np.bincount(words + 2, weights=counts).astype(np.float64)[words + 2]


@fused
def _key(f, e):  # type: ignore[no-untyped-def]
    return np.uint64(f + 2) << np.uint64(_WORD) | np.uint64(e + 2)


@compiled
def _enter(keys, forward, backward, pairs, given_source, given_target):  # type: ignore[no-untyped-def]
    for k in range(len(pairs)):
        at = slot(keys, pairs[k])
        keys[at], forward[at], backward[at] = pairs[k], given_source[k], given_target[k]


@compiled
def _weights(text, words, pairs, places):  # type: ignore[no-untyped-def]
    weights = np.zeros((len(places), 2), np.float32)
    side = np.empty(LONGEST, np.int64)
    f, e = np.empty(LONGEST + 1, np.int64), np.empty(LONGEST + 1, np.int64)
    f[0] = e[0] = NOTHING
    for k in range(len(places)):
        f_count = _words(text.source, side, source_side(places[k], side), f)
        e_count = _words(text.target, side, target_side(text, pairs[k], places[k], side), e)
        for j in range(1, e_count):
            weights[k, 0] += _best(words.keys, words.target_given_source, f[:f_count], e[j : j + 1])
        for i in range(1, f_count):
            weights[k, 1] += _best(words.keys, words.source_given_target, f[i : i + 1], e[:e_count])
    return weights


@fused
def _words(words, side, count, out):  # type: ignore[no-untyped-def]
    """Write the words of a side after what stands for nothing; returns how many there are with it."""
    written = 1
    for k in range(count):
        if side[k] >= 0:
            out[written] = words[side[k]]
            written += 1
    return written


@fused
def _best(keys, column, sources, targets):  # type: ignore[no-untyped-def]
    """The smallest value that a pair of these words has; one of the two is a single word."""
    best = np.float32(np.inf)
    for f in sources:
        for e in targets:
            at = slot(keys, _key(f, e))
            if keys[at] != np.uint64(0):
                best = min(best, column[at])
    return best
