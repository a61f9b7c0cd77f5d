"""Rules as cdec writes them: `[X] ||| source ||| target ||| Name=value ... ||| links`, a rule a line."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.extraction.aligned import AlignedText, Vocabulary, starts
from kibitz.translation.extraction.grammar import FEATURES, Grammar
from kibitz.translation.extraction.limits import LONGEST
from kibitz.translation.extraction.sides import source_side, target_side

_SCALE = 10_000  # four decimals
_NUMBER = 24  # the most bytes that a number takes, or a link
_HEAD, _BAR, _BLANK, _DASH, _END = 0, 1, 2, 3, 4
_SOURCE_GAPS, _TARGET_GAPS = 5, 7  # the second gap's is the next
_MARKS = ["[X] |||", " |||", " ", "-", "\n", " [X,1]", " [X,2]", " [1]", " [2]"]


class Pieces(NamedTuple):
    """Strings as bytes, one after the other: piece k is ``data[ptr[k]:ptr[k + 1]]``."""

    data: NDArray[np.uint8]
    ptr: NDArray[np.int64]

    @classmethod
    def of(cls, strings: list[str]) -> Pieces:
        encoded = [string.encode() for string in strings]
        data = np.frombuffer(b"".join(encoded), np.uint8)
        return cls(data, starts(np.array([len(each) for each in encoded], np.int64)))


class Parts(NamedTuple):
    """What lines are put together from."""

    source: Pieces  # words, each after a blank
    target: Pieces
    names: Pieces  # of features, likewise, each with an equals sign
    marks: Pieces


class Writer:
    """Writes the rules of one grammar."""

    def __init__(self, text: AlignedText, grammar: Grammar, source: Vocabulary, target: Vocabulary) -> None:
        self._text, self._grammar = text, grammar
        self._parts = Parts(
            Pieces.of([f" {word}" for word in source.words]),
            Pieces.of([f" {word}" for word in target.words]),
            Pieces.of([f" {name}=" for name in FEATURES]),
            Pieces.of(_MARKS),
        )
        longest = max(int(np.diff(words.ptr).max(initial=6)) for words in self._parts[:2])
        # Two sides, the features and the links of every word of one side with every one of the other, at the most.
        self._line = 2 * LONGEST * longest + 2 * _NUMBER * len(FEATURES) + LONGEST**2 * _NUMBER
        self._buffer = np.empty(max(1 << 22, 2 * self._line), np.uint8)

    def lines(self, rules: NDArray[np.int64]) -> bytes:
        """The lines of these rules."""
        blocks, done = [], 0
        sides = np.empty((2, LONGEST), np.int64)
        while done < len(rules):
            pairs, places = self._grammar.pair[rules[done:]], self._grammar.place[rules[done:]]
            features = self._grammar.features[rules[done:]]
            count, size = _write(
                self._text, pairs, places, features, self._parts, sides, self._buffer, self._line
            )
            blocks.append(self._buffer[:size].tobytes())
            done += count
        return b"".join(blocks)


@kernel
def _write(text, pairs, places, features, parts, sides, buffer, line):  # type: ignore[no-untyped-def]
    """Write rules as long as there is room for one more; returns how many, and the bytes."""
    at = 0
    source, target = sides[0], sides[1]
    for k in range(len(places)):
        if at + line > len(buffer):
            return k, at
        f_count = source_side(places[k], source)
        e_count = target_side(text, pairs[k], places[k], target)
        at = _put(buffer, at, parts.marks, _HEAD)
        at = _side(buffer, at, text.source, source, f_count, parts.source, parts.marks, _SOURCE_GAPS)
        at = _put(buffer, at, parts.marks, _BAR)
        at = _side(buffer, at, text.target, target, e_count, parts.target, parts.marks, _TARGET_GAPS)
        at = _put(buffer, at, parts.marks, _BAR)
        for feature in range(features.shape[1]):
            at = _put(buffer, at, parts.names, feature)
            at = _decimal(buffer, at, features[k, feature])
        at = _put(buffer, at, parts.marks, _BAR)
        at = _links(
            buffer, at, text, text.target_ptr[pairs[k]], source, f_count, target, e_count, parts.marks
        )
        at = _put(buffer, at, parts.marks, _END)
    return len(places), at


@fused
def _put(buffer, at, pieces, k):  # type: ignore[no-untyped-def]
    for byte in range(pieces.ptr[k], pieces.ptr[k + 1]):
        buffer[at] = pieces.data[byte]
        at += 1
    return at


@kernel
def _side(buffer, at, words, side, count, pieces, marks, gaps):  # type: ignore[no-untyped-def]
    for k in range(count):
        if side[k] >= 0:
            at = _put(buffer, at, pieces, words[side[k]])
        else:
            at = _put(buffer, at, marks, gaps - 1 - side[k])
    return at


@kernel
def _links(buffer, at, text, base, source, f_count, target, e_count, marks):  # type: ignore[no-untyped-def]
    """The links between the words of both sides, by their places among the symbols."""
    for i in range(f_count):
        if source[i] < 0:
            continue
        for k in range(text.link_ptr[source[i]], text.link_ptr[source[i] + 1]):
            for j in range(e_count):
                if target[j] == base + text.link[k]:
                    at = _put(buffer, at, marks, _BLANK)
                    at = _whole(buffer, at, i)
                    at = _put(buffer, at, marks, _DASH)
                    at = _whole(buffer, at, j)
    return at


@fused
def _decimal(buffer, at, value):  # type: ignore[no-untyped-def]
    """A number, not negative, to four decimals without trailing zeros."""
    scaled = np.int64(np.round(value * _SCALE))
    at = _whole(buffer, at, scaled // _SCALE)
    rest = scaled % _SCALE
    if rest > 0:
        buffer[at] = 46  # a full stop
        at += 1
        unit = _SCALE // 10
        while rest > 0:
            buffer[at] = 48 + rest // unit
            rest, unit = rest % unit, unit // 10
            at += 1
    return at


@kernel
def _whole(buffer, at, value):  # type: ignore[no-untyped-def]
    unit = 1
    while value // unit >= 10:
        unit *= 10
    while unit > 0:
        buffer[at] = 48 + value // unit % 10
        unit //= 10
        at += 1
    return at
