"""The three estimates of the paper's section 6: |s_T|^2, the Lipschitz constant L and the variance sigma^2.

With `s_t` the stochastic gradient and every one of them multiplied by the learning rate,

    |s_T|^2                                        at the horizon T,
    L       = max over pairs of |s_i - s_j| / |w_i - w_j|,
    sigma^2 = 1/K sum_k |s_kD - 1/K sum_k s_kD|^2  at the end of each of K epochs of D inputs.

By *single steps*, the paper's text, `s_t` is the gradient of iteration t, at one input and one draw. By
*epoch differences*, the authors' programs, `s_e = w_{e-1} - w_e`: the sum of an epoch's steps, which has the
rate in it already. A gradient belongs to the weights it was taken at, so `s_e` goes with `w_{e-1}`.

L by the paper's reading compares gradients of *different* inputs and draws, recorded when w_i and w_j were
passed. Where the iterates are near each other it measures the noise of the gradient over the length of the
way, not the smoothness of the objective. `smoothness` takes both gradients with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from kibitz.analysis.shelf import Shelf
from kibitz.analysis.vectors import Dense, Vector, squared_distance, squared_norm, total

PAIRS = 500
STORED = 100


@dataclass(frozen=True, slots=True)
class Estimates:
    """What a row of the paper's Table 2 holds, for one run."""

    squared_norm: float
    lipschitz: float
    variance: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of the stored iterates, and |w_i - w_j|^2."""

    i: int
    j: int
    squared_distance: float


def pairs_of(iterates: Sequence[Dense], *, pairs: int = PAIRS, seed: int = 0) -> list[Pair]:
    """Distinct pairs i < j of the iterates at random: as many as asked for, or all there are; sorted."""
    first, second = np.triu_indices(len(iterates), k=1)
    chosen = np.sort(np.random.default_rng(seed).permutation(len(first))[:pairs])
    at = ((int(first[c]), int(second[c])) for c in chosen)
    return [Pair(i, j, squared_distance(iterates[i], iterates[j])) for i, j in at]


def single_steps(
    at_epochs: Sequence[Vector], recorded: Sequence[Vector], pairs: Sequence[Pair], *, rate: float
) -> Estimates:
    """The estimates from gradients of single steps, which do not have the rate in them yet.

    `at_epochs` are s_D, s_2D, ..., s_T; `recorded[i]` is the stochastic gradient taken at stored iterate i.
    """
    return Estimates(
        rate**2 * squared_norm(at_epochs[-1]),
        rate * lipschitz(recorded, pairs),
        rate**2 * variance(at_epochs),
    )


def epoch_differences(weights: Sequence[Dense], *, pairs: int = PAIRS, seed: int = 0) -> Estimates:
    """The estimates from the weights before the first epoch and after every one, at a constant rate."""
    epochs = EpochDifferences(weights[0])
    for after in weights[1:]:
        epochs.add(after)
    return epochs.estimates(pairs_of(epochs.iterates, pairs=pairs, seed=seed))


def lipschitz(gradients: Sequence[Vector], pairs: Sequence[Pair]) -> float:
    """L = max |s_i - s_j| / |w_i - w_j|."""
    return _largest_ratio(lambda pair: squared_distance(gradients[pair.i], gradients[pair.j]), pairs)


def smoothness(
    gradient: Callable[[Dense, int], Vector], iterates: Sequence[Dense], pairs: Sequence[Pair]
) -> float:
    """The same maximum with common random numbers: `gradient(w, n)` draws input and outputs from `n` alone.

    Both gradients of a pair get the same `n`, so what differs between them is due to the weights: their
    scores, or another draw where the same number falls into another output.
    """

    def apart(pair: Pair) -> float:
        n = pair.i * len(iterates) + pair.j
        return squared_distance(gradient(iterates[pair.i], n), gradient(iterates[pair.j], n))

    return _largest_ratio(apart, pairs)


def _largest_ratio(apart: Callable[[Pair], float], pairs: Sequence[Pair]) -> float:
    """Iterates that coincide say nothing of the slope between them, and are left out."""
    ratios = (apart(pair) / pair.squared_distance for pair in pairs if pair.squared_distance > 0.0)
    return sqrt(max(ratios, default=0.0))


def variance(gradients: Sequence[Vector]) -> float:
    """1/K sum_k |s_k - mean|^2 = 1/K sum_k |s_k|^2 - |mean|^2."""
    mean_square = sum(squared_norm(s) for s in gradients) / len(gradients)
    return max(0.0, mean_square - squared_norm(total(gradients)) / len(gradients) ** 2)


class EpochDifferences:
    """`s_e = w_{e-1} - w_e` as the epochs pass, keeping only what the estimates need.

    The mean telescopes, `1/K sum_e s_e = (w_0 - w_K) / K`, so the variance takes a running sum of squares and
    two weight vectors, however many epochs there are. For L, every so many epochs the difference and the
    weights before it are kept, in files.
    """

    def __init__(self, start: Dense, *, keep_every: int = 1) -> None:
        self.iterates, self._differences = Shelf(), Shelf()
        self._start = self._before = start.copy()
        self._keep_every = keep_every
        self._count = 0
        self._squares = 0.0
        self._last = 0.0

    def add(self, weights: Dense) -> None:
        """The weights after one more epoch, as many as at the start."""
        difference = self._before - weights
        self._last = squared_norm(difference)
        self._squares += self._last
        if self._count % self._keep_every == 0:
            self._differences.put(difference)
            self.iterates.put(self._before)
        self._count += 1
        self._before = weights.copy()

    def estimates(self, pairs: Sequence[Pair]) -> Estimates:
        """Of the epochs so far, L over pairs of `iterates`."""
        if self._count == 0:
            raise ValueError("no epoch has passed yet")
        mean_square = squared_distance(self._start, self._before) / self._count**2
        slope = lipschitz(self._differences, pairs)
        return Estimates(self._last, slope, max(0.0, self._squares / self._count - mean_square))
