"""How many n-grams two texts share: all that BLEU needs to know of them.

A row of counts is (matches of order 1 to 4, n-grams of order 1 to 4, words of the output, words of the reference).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import kernel

ORDERS = 4
WORDS, REFERENCE = 2 * ORDERS, 2 * ORDERS + 1  # places in a row of counts
WIDTH = 2 * ORDERS + 2

Counts = NDArray[np.float64]


@kernel
def count_matches(output, reference, used, counts):  # type: ignore[no-untyped-def]
    """Fill ``counts``. Each n-gram of the reference serves one of the output: that is BLEU's clipping.

    Words are numbers, those that the reference does not have -1; ``used`` is room for the reference.
    """
    counts[WORDS], counts[REFERENCE] = len(output), len(reference)
    for order in range(1, ORDERS + 1):
        counts[ORDERS + order - 1] = max(0, len(output) - order + 1)
        used[:] = 0
        matches = 0
        for i in range(len(output) - order + 1):
            for j in range(len(reference) - order + 1):
                if used[j] or output[i] != reference[j]:
                    continue
                same = True
                for k in range(1, order):
                    same &= output[i + k] == reference[j + k]
                if same:
                    used[j] = 1
                    matches += 1
                    break
        counts[order - 1] = matches


def ngram_counts(outputs: Sequence[Sequence[str]], reference: Sequence[str]) -> Counts:
    """The counts of many outputs, all with the same reference, a row each."""
    numbers: dict[str, int] = {}
    wanted = np.array([numbers.setdefault(word, len(numbers)) for word in reference], np.int32)
    used, counts = np.empty(len(wanted), np.int32), np.zeros((len(outputs), WIDTH))
    for words, row in zip(outputs, counts, strict=True):
        known = np.array([numbers.get(word, -1) for word in words], np.int32)
        count_matches(known, wanted, used, row)
    return counts
