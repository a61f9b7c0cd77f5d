"""Rule instances: an initial phrase, with up to two initial phrases inside it left out.

An instance is kept as its *place*: 38 bits for the position of its first source word, then five bits each for its
number of words, for where the first gap begins and how long it is, and the same for the second; a gap that is not
there has length 0.
"""

from __future__ import annotations

from kibitz.spaces.compiled import fused, kernel

BITS = 5
MASK = (1 << BITS) - 1
START = 5 * BITS
"""Where the position of the first word begins."""


@fused
def place(start, length, a, a_words, c, c_words):  # type: ignore[no-untyped-def]
    """The place of an instance."""
    return ((((start << 5 | length) << 5 | a) << 5 | a_words) << 5 | c) << 5 | c_words


@fused
def first_word(where):  # type: ignore[no-untyped-def]
    """The position of the first source word of a place."""
    return where >> START


@fused
def shape(where):  # type: ignore[no-untyped-def]
    """The number of words, and the beginnings and lengths of both gaps."""
    return (
        where >> 4 * BITS & MASK,
        where >> 3 * BITS & MASK,
        where >> 2 * BITS & MASK,
        where >> BITS & MASK,
        where & MASK,
    )


@kernel
def instances(base, n, ok, linked, bounds, out):  # type: ignore[no-untyped-def]
    """Write the places of all instances in a sentence of n words from position ``base``; returns how many."""
    count = 0
    for i in range(n):
        for length in range(1, min(bounds.words, n - i) + 1):
            if not ok[i, length - 1]:
                continue
            start = base + i
            if length <= bounds.symbols and linked[i + length] > linked[i]:
                out[count] = place(start, length, 0, 0, 0, 0)
                count += 1
            if bounds.gaps > 0:
                count = _with_gaps(start, i, length, ok, linked, bounds, out, count)
    return count


@kernel
def _with_gaps(start, i, length, ok, linked, bounds, out, count):  # type: ignore[no-untyped-def]
    """The instances of one initial phrase that have gaps. Its source side has length - gap words + gaps symbols."""
    all_linked = linked[i + length] - linked[i]
    for a in range(min(length, bounds.symbols)):
        for a_words in range(bounds.gap, length - a + 1):
            if a_words == length or not ok[i + a, a_words - 1]:
                continue
            end = a + a_words
            if bounds.minimal and (a == 0 or end == length) and a_words > bounds.gap:
                continue
            left = all_linked - linked[i + end] + linked[i + a]
            if length - a_words + 1 <= bounds.symbols and left > 0:
                out[count] = place(start, length, a, a_words, 0, 0)
                count += 1
            if bounds.gaps < 2:
                continue
            for c in range(end if bounds.adjacent else end + 1, length):
                if c - a_words + 2 > bounds.symbols:
                    break
                for c_words in range(bounds.gap, length - c + 1):
                    words = length - a_words - c_words
                    if words < 1 or words + 2 > bounds.symbols or not ok[i + c, c_words - 1]:
                        continue
                    if bounds.minimal and c + c_words == length and c_words > bounds.gap:
                        continue
                    if left - linked[i + c + c_words] + linked[i + c] > 0:
                        out[count] = place(start, length, a, a_words, c, c_words)
                        count += 1
    return count
