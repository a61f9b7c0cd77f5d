"""Sentence BLEU, smoothed as in the paper, and corpus BLEU as sacrebleu counts it.

With the matches m_n of order n, the n-grams c_n of the output, its c words and the r of the reference,

    BLEU = min(1, exp(1 - r / c)) * (prod_n max(m_n, 0.01) / c_n)^(1 / N)

over the N orders up to 4 of which the output has any n-gram: counts of zero are replaced by 0.01. Words are what
stands between blanks: an output and its reference are tokenised in the same way before they come here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.feedback.lengths import same_length
from kibitz.feedback.ngrams import ORDERS, REFERENCE, WIDTH, WORDS, Counts, ngram_counts

FLOOR = 0.01


def sentence_bleu(counts: Counts) -> float:
    """The smoothed BLEU of one row of counts; an output without words scores 0 beside a reference that has some."""
    length, wanted = counts[WORDS], counts[REFERENCE]
    if length == 0.0:
        return float(wanted == 0.0)
    present = int(min(ORDERS, length))
    total = 0.0
    for n in range(present):
        total += math.log(max(counts[n], FLOOR) / counts[ORDERS + n])
    brevity = min(0.0, 1.0 - wanted / length)
    return min(1.0, math.exp(brevity + total / present))


@dataclass(frozen=True, slots=True)
class SentenceBLEU:
    """1 - smoothed sentence BLEU. Outputs and references are texts, or sequences of words."""

    name: str = field(default="bleu", init=False)
    metric: str = field(default="BLEU", init=False)
    higher_is_better: bool = field(default=True, init=False)

    def __call__(self, output: str | Sequence[str], gold: str | Sequence[str]) -> float:
        """The loss of one output."""
        return float(self.of_each([output], gold)[0])

    def of_each(self, outputs: Sequence[Any], gold: str | Sequence[str]) -> Counts:
        """The losses of many outputs that have one reference."""
        counts = ngram_counts([_words(output) for output in outputs], _words(gold))
        return np.array([1.0 - sentence_bleu(row) for row in counts])

    def corpus(self, outputs: Sequence[Any], golds: Sequence[Any]) -> float:
        """sacrebleu's corpus BLEU of the words as they are, from 0 to 1."""
        from sacrebleu.metrics.bleu import BLEU

        same_length(outputs, golds, "texts")
        total = np.zeros(WIDTH)
        for output, gold in zip(outputs, golds, strict=True):
            total += ngram_counts([_words(output)], _words(gold))[0]
        matches, ngrams = ([int(n) for n in part] for part in (total[:ORDERS], total[ORDERS:WORDS]))
        bleu = BLEU.compute_bleu(
            matches, ngrams, int(total[WORDS]), int(total[REFERENCE]), smooth_method="exp"
        )
        return min(1.0, float(bleu.score) / 100.0)

    @property
    def signature(self) -> str:
        """What sacrebleu calls this way of counting."""
        from sacrebleu.version import __version__

        return f"nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:{__version__}"


def _words(text: Any) -> Sequence[str]:
    if isinstance(text, str):
        return text.split()
    if isinstance(text, Sequence):
        return text
    raise InputError(f"BLEU compares texts, or sequences of words, not {text!r}")
