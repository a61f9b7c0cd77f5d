"""A language model, as Python sees it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.translation.language_model.filling import Twice, table_of
from kibitz.translation.language_model.ngrams import END, UNKNOWN, NGrams
from kibitz.translation.language_model.scoring import BEGIN_STATE, EMPTY_STATE, Scratch, allocate, run
from kibitz.translation.language_model.table import Table


class LanguageModel:
    """Says how probable words are after others; ``table`` is what compiled functions take.

    lm = LanguageModel.read("lm.arpa.gz")
    lm.score("the house".split())       # log10 p, with the beginning and the end of the sentence
    """

    def __init__(self, ngrams: NGrams) -> None:
        self.words = ngrams.words
        self.table: Table = table_of(ngrams)
        self._numbers = {word: i for i, word in enumerate(self.words) if i > 0}
        self._scratch = self.scratch()

    @classmethod
    def read(cls, path: str | Path) -> LanguageModel:
        """The model of an ARPA file, plain, .gz or .xz."""
        from kibitz.translation.language_model.arpa_reader import read_arpa

        ngrams, lines = read_arpa(path)
        try:
            return cls(ngrams)
        except Twice as error:
            line = lines[error.order - 1] + error.place
            raise InputError(f"{path}:{line}: {error}.") from error
        except InputError as error:
            raise InputError(f"{path}: {error}.") from error

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.table.order

    @property
    def nbytes(self) -> int:
        """The bytes of the table."""
        return self.table.rows.nbytes

    def scratch(self) -> Scratch:
        """Memory for compiled functions; one for each thread."""
        return allocate(self.order)

    def number(self, word: str) -> int:
        """The number of a word; UNKNOWN when the model does not have it."""
        return self._numbers.get(word, UNKNOWN)

    def numbers(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """The number of each word."""
        known = self._numbers
        return np.array([known.get(word, UNKNOWN) for word in words], np.int32)

    def score_words(
        self, words: Sequence[str], *, begin: bool = True, end: bool = True
    ) -> npt.NDArray[np.float32]:
        """log10 p of each word after those before it; with ``end``, that of the sentence's end is the last."""
        return self._run(words, begin, end)[0]

    def score(self, words: Sequence[str], *, begin: bool = True, end: bool = True) -> float:
        """log10 p of the words."""
        return self._run(words, begin, end)[1]

    def _run(self, words: Sequence[str], begin: bool, end: bool) -> tuple[npt.NDArray[np.float32], float]:
        numbers = self.numbers(words)
        if end:
            numbers = np.append(numbers, np.int32(END))
        out = np.zeros(len(numbers), np.float32)
        state = np.int32(BEGIN_STATE if begin else EMPTY_STATE)
        total, _ = run(self.table, self._scratch, state, numbers, out)
        return out, float(total)
