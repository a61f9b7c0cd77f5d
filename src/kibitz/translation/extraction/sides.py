"""The two sides of a rule, and their fingerprints.

A side is a list of symbols: the position of a word in the text, or the number of a gap, which is below 0. A
fingerprint has 64 bits: among n different sides the chance that any two share one is below n^2 / 2^65, one in 36,000
for thirty million.
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.extraction.aligned import NOWHERE
from kibitz.translation.extraction.instances import first_word, shape

FIRST_GAP, SECOND_GAP = -1, -2

_SEED = np.uint64(0x9E3779B97F4A7C15)
_BASE = np.uint64(0xD1342543DE82EF95)
_FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


@fused
def mixed(x):  # type: ignore[no-untyped-def]
    """Every bit of x in every bit of the result: the finaliser of splitmix64."""
    x = (x ^ (x >> _SHIFTS[0])) * _FACTORS[0]
    x = (x ^ (x >> _SHIFTS[1])) * _FACTORS[1]
    return x ^ (x >> _SHIFTS[2])


@fused
def fingerprint(words, side, count):  # type: ignore[no-untyped-def]
    """Of so many symbols, ``words`` being the numbers of all words of the text; never 0."""
    digest = _SEED
    for k in range(count):
        symbol = words[side[k]] if side[k] >= 0 else side[k]
        digest = digest * _BASE + np.uint64(symbol + 3)
    digest = mixed(digest)
    return digest if digest != np.uint64(0) else _SEED


@fused
def source_side(where, out):  # type: ignore[no-untyped-def]
    """Write the source side of a place; returns its number of symbols."""
    start = first_word(where)
    length, a, a_words, c, c_words = shape(where)
    count = k = 0
    while k < length:
        if a_words > 0 and k == a:
            out[count] = FIRST_GAP
            k += a_words
        elif c_words > 0 and k == c:
            out[count] = SECOND_GAP
            k += c_words
        else:
            out[count] = start + k
            k += 1
        count += 1
    return count


@fused
def reach(text, start, length):  # type: ignore[no-untyped-def]
    """The first and the last target word, in their sentence, that so many source words are linked to, if any."""
    low, high = NOWHERE, -1
    for p in range(start, start + length):
        low, high = min(low, text.low[p]), max(high, text.high[p])
    return low, high


@fused
def target_side(text, s, where, out):  # type: ignore[no-untyped-def]
    """Write the target side of a place in pair s; returns its number of symbols."""
    start = first_word(where)
    length, a, a_words, c, c_words = shape(where)
    whole = reach(text, start, length)
    return between(
        text.target_ptr[s], whole, reach(text, start + a, a_words), reach(text, start + c, c_words), out
    )


@kernel
def between(base, whole, first_gap, second_gap, out):  # type: ignore[no-untyped-def]
    """Write the symbols of a stretch of target words, as the first and the last of each stretch have them."""
    count = 0
    q = whole[0]
    while q <= whole[1]:
        if q == first_gap[0]:
            out[count] = FIRST_GAP
            q = first_gap[1] + 1
        elif q == second_gap[0]:
            out[count] = SECOND_GAP
            q = second_gap[1] + 1
        else:
            out[count] = base + q
            q += 1
        count += 1
    return count
