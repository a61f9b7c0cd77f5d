"""How well a model expects a text.

perplexity = 10 ^ (-log10 p / (words + sentences)),    the end of a sentence being a word
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.data.lines import numbered_lines
from kibitz.translation.language_model.model import LanguageModel
from kibitz.translation.language_model.ngrams import UNKNOWN

_BLANKS = str.maketrans(
    "\t\r\v\f\0", "     "
)  # what parts words in ARPA files; other white space may be in them


@dataclass(frozen=True, slots=True)
class Perplexity:
    """The sums over a text."""

    sentences: int
    words: int
    unknown: int
    logprob: float  # log10
    logprob_unknown: float  # the part of it that is due to unknown words

    @property
    def perplexity(self) -> float:
        """With all words."""
        return _perplexity(self.logprob, self.words + self.sentences)

    @property
    def perplexity_known(self) -> float:
        """Without the unknown words, which still stand before others."""
        return _perplexity(self.logprob - self.logprob_unknown, self.words + self.sentences - self.unknown)


def perplexity(model: LanguageModel, sentences: Iterable[Sequence[str]]) -> Perplexity:
    """Score every sentence from its beginning to its end; those without words are left out."""
    count = words = unknown = 0
    logprob = of_unknown = 0.0
    for sentence in filter(None, sentences):
        scores = model.score_words(sentence)
        missing = model.numbers(sentence) == UNKNOWN
        count, words, unknown = count + 1, words + len(sentence), unknown + int(missing.sum())
        logprob += float(scores.sum(dtype=float))
        of_unknown += float(scores[:-1][missing].sum(dtype=float))
    return Perplexity(count, words, unknown, logprob, of_unknown)


def read_sentences(path: str | Path) -> Iterator[list[str]]:
    """The words of each line of a text that is tokenised; none for a blank line."""
    for _, line in numbered_lines(path):
        yield [word for word in line.translate(_BLANKS).split(" ") if word]


def _perplexity(logprob: float, count: int) -> float:
    return float(10.0 ** (-logprob / count)) if count else float("nan")
