"""A grammar for one sentence at a time, from a sample of the pairs that have its words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.errors import InputError
from kibitz.translation.extraction.aligned import AlignedText
from kibitz.translation.extraction.grammar import Grammar, grammar
from kibitz.translation.extraction.lexicon import lexicon
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.extraction.suffix_array import SuffixArray
from kibitz.translation.extraction.wanted import wanted_sides

SAMPLES = 100


class SampledRules:
    """Extracts the rules of sentences that were not known when the text was read.

    For each run of words of the sentence, up to the symbols of a rule, the pairs are looked up in a suffix array that
    have it: all, or ``samples`` of its occurrences, evenly spaced, where it has more. Rules are then extracted, counted
    and given features in these pairs as if they were the whole text, but for the chances of words, which are those of
    the whole. So a rule with a rare run has the very counts of the whole text.
    """

    def __init__(self, text: AlignedText, limits: Limits, *, most: int = 0, samples: int = SAMPLES) -> None:
        if samples < 1:
            raise InputError(f"The samples should be 1 or more, not {samples}.")
        self._text, self._limits, self._most, self._samples = text, limits, most, samples
        self._found = SuffixArray(text.source, text.source_ptr, limits.symbols)
        self._words = lexicon(text)

    def pairs(self, words: NDArray[np.int32]) -> NDArray[np.int64]:
        """The numbers of the pairs in the sample for a sentence."""
        positions = [np.zeros(0, np.int64)]
        for i in range(len(words)):
            for length in range(1, min(self._limits.symbols, len(words) - i) + 1):
                there = self._found.find(words[i : i + length])
                if not len(there):
                    break  # nor is there a longer one
                positions.append(there[self._spaced(len(there))])
        sentences = np.searchsorted(self._text.source_ptr, np.concatenate(positions), side="right") - 1
        return np.unique(sentences)

    def grammar(self, words: NDArray[np.int32]) -> Grammar:
        """The rules that match a sentence, given as numbers of words."""
        wanted = wanted_sides([words], self._limits)
        return grammar(
            self._text, self._limits, wanted, most=self._most, pairs=self.pairs(words), words=self._words
        )

    def _spaced(self, many: int) -> NDArray[np.int64]:
        """Which of so many occurrences are taken."""
        taken = min(many, self._samples)
        return np.arange(taken) * many // taken
