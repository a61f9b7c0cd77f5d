"""Approximate randomisation: is the difference between two systems more than a shuffling of their sentences?

Under the null hypothesis the two systems are interchangeable on every sentence, so swapping their counts
sentence by sentence leaves the distribution of the corpus metric as it is. The p-value, two-sided, is the
share of random swappings whose difference is at least as large as the one observed, which counts as one:

    p = (c + 1) / (n + 1)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.errors import InputError

Counts = NDArray[np.float64]
"""Counts a sentence, `[sentences, C]`, or of several seeds, `[seeds, sentences, C]`."""

Metric = Callable[[Counts], NDArray[np.float64]]
"""The corpus metric of summed counts: `[..., C]` to `[...]`."""

_TRIALS_AT_ONCE = 256  # 256 trials of 6,000 stacked sentences are 12 MB of float64
_TIE = 1e-12  # two differences this near each other are the same one, rounded differently


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two corpus scores and how surprising their difference would be between interchangeable systems."""

    first: float
    second: float
    p_value: float
    trials: int

    @property
    def difference(self) -> float:
        return self.first - self.second


def f1(sums: Counts) -> NDArray[np.float64]:
    """Corpus F1 of (true positives, predicted, gold), `2 tp / (predicted + gold)`; 0 where both are empty."""
    chunks = sums[..., 1] + sums[..., 2]
    return np.divide(2.0 * sums[..., 0], chunks, out=np.zeros_like(chunks), where=chunks > 0)


def mean(sums: Counts) -> NDArray[np.float64]:
    """The mean of (sum of values, number of values): Hamming and 0/1 loss, or any average."""
    return np.divide(sums[..., 0], sums[..., 1], out=np.zeros_like(sums[..., 0]), where=sums[..., 1] > 0)


def bleu(sums: Counts) -> NDArray[np.float64]:
    """Corpus BLEU of (matches of order 1 to 4, n-grams of order 1 to 4, words, words of the references).

    As sacrebleu counts it: the k-th order without a match counts as 1 / 2^k matches; 0 where an order has no n-gram.
    """
    matches, ngrams, words, wanted = sums[..., :4], sums[..., 4:8], sums[..., 8], sums[..., 9]
    missed = matches == 0.0
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), matches)
    present = (ngrams > 0.0).all(axis=-1) & (matches > 0.0).any(axis=-1)
    precision = np.log(smoothed / np.maximum(ngrams, 1.0)).mean(axis=-1)
    brevity = np.minimum(0.0, 1.0 - wanted / np.maximum(words, 1.0))
    return np.where(present, np.exp(np.minimum(precision + brevity, 0.0)), 0.0)


def randomisation(
    first: Any, second: Any, metric: Metric = f1, *, trials: int = 10_000, seed: int = 0
) -> Comparison:
    """Test the difference of two systems from their counts on the same sentences.

    With a leading axis of seeds, the first system's run k stands against the second's run k, and the runs'
    sentences are stacked: the metric is that of all runs together, and each sentence of each run is swapped
    on its own.
    """
    a, b = _stacked(first), _stacked(second)
    if a.shape != b.shape:
        raise InputError(
            f"The two systems have counts of different shapes, {a.shape} and {b.shape}; "
            "score both on the same sentences and with the same number of seeds."
        )
    if trials < 1:
        raise InputError(f"The number of trials is {trials}; give a positive number.")
    total_a, total_b = a.sum(axis=0), b.sum(axis=0)
    observed = float(metric(total_a) - metric(total_b))
    generator = np.random.default_rng(seed)
    extreme = 0
    for begin in range(0, trials, _TRIALS_AT_ONCE):
        swapped = generator.integers(0, 2, size=(min(_TRIALS_AT_ONCE, trials - begin), len(a)), dtype=np.int8)
        moved = swapped.astype(np.float64) @ (b - a)
        differences = metric(total_a + moved) - metric(total_b - moved)
        extreme += int(np.count_nonzero(np.abs(differences) >= abs(observed) - _TIE))
    return Comparison(float(metric(total_a)), float(metric(total_b)), (extreme + 1) / (trials + 1), trials)


def _stacked(counts: Any) -> Counts:
    array = np.asarray(counts, dtype=np.float64)
    if array.ndim not in (2, 3) or array.size == 0:
        raise InputError(
            f"Counts of shape {array.shape} cannot be compared; "
            "give [sentences, counts] or [seeds, sentences, counts] with at least one sentence."
        )
    return array.reshape(-1, array.shape[-1])
