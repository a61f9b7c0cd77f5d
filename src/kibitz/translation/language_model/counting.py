"""Counts the n-grams of a text, by sorting.

The n-gram that ends at a place of the text is the (n-1)-gram that ends one place before, and one word more. So when
those are numbered, an n-gram is one whole number of 64 bits, however long it is; sorting these numbers the n-grams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.translation.language_model.ngrams import BEGIN, END, NOTHING, SPECIAL

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Sentences one after another, each from BEGIN to END."""

    words: tuple[str, ...]
    tokens: Ints
    sentences: int


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The distinct n-grams w_1 .. w_n of one length, and how often each occurs."""

    grams: Ints  # [distinct, n]
    count: Longs
    context: Ints  # the place of w_1 .. w_n-1 among the n-grams of one word less
    ending: Ints  # the place of w_2 .. w_n there


class _Numbers(dict[str, int]):
    """Numbers words by first sight, after the special ones."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def text_of(sentences: Iterable[Sequence[str]], where: str = "the text") -> Text:
    """Number the words of sentences; one without words is left out."""
    numbers = _Numbers({word: i for i, word in enumerate(SPECIAL)})
    parts = []
    for line, sentence in enumerate(sentences, start=1):
        if not sentence:
            continue
        part = [BEGIN, *[numbers[word] for word in sentence], END]
        if NOTHING < min(part[1:-1]) <= END or NOTHING in part:
            word = next(w for w in sentence if w in SPECIAL)
            raise InputError(
                f"{where}:{line}: {word!r} has a meaning of its own in language models: take it out"
            )
        parts.append(np.array(part, np.int32))
    if not parts:
        raise InputError(f"{where} is empty: it should have a sentence a line")
    return Text(tuple(numbers), np.concatenate(parts), len(parts))


def counts(text: Text, order: int) -> Iterator[Counts]:
    """The n-grams of one word, of two, and so on up to ``order``; none goes over the end of a sentence."""
    tokens = text.tokens
    starts = np.flatnonzero(tokens == BEGIN)
    depth = np.arange(len(tokens)) - np.repeat(starts, np.diff(np.append(starts, len(tokens))))
    grams = np.arange(len(text.words), dtype=np.int32)[1:, None]
    occurring = np.bincount(tokens, minlength=len(text.words))[1:]
    none = np.zeros(len(grams), np.int32)
    yield Counts(grams, occurring, none, none)
    ending_at = tokens - 1  # the place of the n-gram that ends at each place of the text
    for n in range(2, order + 1):
        places = np.flatnonzero(depth >= n - 1)
        if len(places) == 0:
            raise InputError(
                f"no sentence has {n - 2} words, so there are no {n}-grams: choose a lower order"
            )
        keys = ending_at[places - 1].astype(np.int64) << 32 | tokens[places]
        distinct, number, count = np.unique(keys, return_inverse=True, return_counts=True)
        context, word = (distinct >> 32).astype(np.int32), (distinct & 0xFFFFFFFF).astype(np.int32)
        ending = np.zeros(len(distinct), np.int32)
        ending[number] = ending_at[places]
        grams = np.concatenate([grams[context], word[:, None]], axis=1)
        yield Counts(grams, count, context, ending)
        ending_at[places] = number
