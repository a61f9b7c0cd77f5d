"""Aligned parallel text as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.errors import InputError
from kibitz.translation.alignment.links import Links

Array = NDArray[Any]

NOWHERE = 32767
"""Where the links of an unaligned word begin; they end at -1."""


class AlignedText(NamedTuple):
    """Sentence s has source words ``source[source_ptr[s]:source_ptr[s + 1]]``, and likewise target words.

    The links of the source word at position p go to the target words ``low[p]`` to ``high[p]`` of its sentence, and
    are, one by one, ``link[link_ptr[p]:link_ptr[p + 1]]``; those of the target word at q go to ``left[q]`` to
    ``right[q]``.
    """

    source: Array  # int32
    source_ptr: Array  # int64
    target: Array
    target_ptr: Array
    low: Array  # int16
    high: Array
    left: Array
    right: Array
    link_ptr: Array  # int64
    link: Array  # int16

    @property
    def pairs(self) -> int:
        return len(self.source_ptr) - 1


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words and their numbers, in order of first sight; a word never seen has the number one past the last."""

    words: list[str]
    numbers: dict[str, int]

    @classmethod
    def of(cls, lines: Iterable[str]) -> Vocabulary:
        numbers: dict[str, int] = {}
        for line in lines:
            for word in line.split():
                numbers.setdefault(word, len(numbers))
        return cls(list(numbers), numbers)

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, lines: Sequence[str]) -> tuple[Array, Array]:
        """The numbers of the words of all lines, and where each line begins."""
        unseen, numbers = len(self.words), self.numbers
        split = [line.split() for line in lines]
        words = np.array([numbers.get(word, unseen) for line in split for word in line], np.int32)
        return words, starts(np.array([len(line) for line in split], np.int64))


def starts(lengths: Array) -> Array:
    """Where each of so many stretches begins when they lie one after the other, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def aligned_text(
    source: Sequence[str], target: Sequence[str], links: Links
) -> tuple[AlignedText, Vocabulary, Vocabulary]:
    """The arrays of tokenised sentences, and both vocabularies."""
    source_words, target_words = Vocabulary.of(source), Vocabulary.of(target)
    f, f_ptr = source_words.encode(source)
    e, e_ptr = target_words.encode(target)
    for ptr in (f_ptr, e_ptr):
        if len(ptr) > 1 and int(np.diff(ptr).max()) >= NOWHERE:
            raise InputError(f"Line {int(np.diff(ptr).argmax()) + 1} has more than {NOWHERE - 1} words.")
    sentence = np.repeat(np.arange(len(f_ptr) - 1), np.diff(links.ptr))
    p, q = f_ptr[sentence] + links.source, e_ptr[sentence] + links.target
    order = np.lexsort((q, p))
    p, q, sentence = p[order], q[order], sentence[order]
    low, high = _reach(len(f), p, (q - e_ptr[sentence]).astype(np.int16))
    left, right = _reach(len(e), q, (p - f_ptr[sentence]).astype(np.int16))
    link_ptr = np.searchsorted(p, np.arange(len(f) + 1)).astype(np.int64)
    link = (q - e_ptr[sentence]).astype(np.int16)
    text = AlignedText(f, f_ptr, e, e_ptr, low, high, left, right, link_ptr, link)
    return text, source_words, target_words


def _reach(size: int, position: Array, other: Array) -> tuple[Array, Array]:
    """The first and the last of the places that each position is linked to."""
    first, last = np.full(size, NOWHERE, np.int16), np.full(size, -1, np.int16)
    np.minimum.at(first, position, other)
    np.maximum.at(last, position, other)
    return first, last
