"""The three estimates of the paper's section 6: |s_T|^2, the Lipschitz constant L and the variance sigma^2.

With `s_t` the stochastic gradient and every one of them multiplied by the learning rate,

    |s_T|^2                                        at the horizon T,
    L       = max over pairs of |s_i - s_j| / |w_i - w_j|,
    sigma^2 = 1/K sum_k |s_kD - 1/K sum_k s_kD|^2  at the end of each of K epochs of D inputs.

By *single steps*, the paper's text, `s_t` is the gradient of iteration t, at one input and one draw. By
*epoch differences*, the authors' programs, `s_e = w_{e-1} - w_e`: the sum of an epoch's steps, which has the
rate in it already. A gradient belongs to the weights it was taken at, so `s_e` goes with `w_{e-1}`.

L by the paper's reading compares gradients of *different* inputs and draws, recorded when w_i and w_j were
passed. Where the iterates are near each other it therefore measures the noise of the gradient over the length
of the way, not the smoothness of the objective; `smoothness` takes both gradients at the same input and draw
instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from kibitz.analysis.vectors import Dense, Vector, squared_distance, squared_norm, total

PAIRS = 500
STORED = 100


@dataclass(frozen=True, slots=True)
class Estimates:
    """What a row of the paper's Table 2 holds, for one run."""

    squared_norm: float
    lipschitz: float
    variance: float


def single_steps(
    at_epochs: Sequence[Vector],
    recorded: Sequence[Vector],
    iterates: Sequence[Dense],
    *,
    rate: float,
    pairs: int = PAIRS,
    seed: int = 0,
) -> Estimates:
    """The estimates from gradients of single steps, which do not have the rate in them yet.

    `at_epochs` are s_D, s_2D, ..., s_T; `recorded[i]` is the stochastic gradient taken at the stored
    `iterates[i]`.
    """
    return Estimates(
        rate**2 * squared_norm(at_epochs[-1]),
        rate * lipschitz(recorded, iterates, pairs=pairs, seed=seed),
        rate**2 * variance(at_epochs),
    )


def epoch_differences(
    weights: Sequence[Dense], *, pairs: int = PAIRS, stored: int = STORED, seed: int = 0
) -> Estimates:
    """The estimates from the weights before the first epoch and after every one, at a constant rate."""
    epochs = EpochDifferences(weights[0], keep_every=max(1, (len(weights) - 1) // stored))
    for after in weights[1:]:
        epochs.add(after)
    return epochs.estimates(pairs=pairs, seed=seed)


def lipschitz(
    gradients: Sequence[Vector], iterates: Sequence[Dense], *, pairs: int = PAIRS, seed: int = 0
) -> float:
    """L = max |s_i - s_j| / |w_i - w_j| over distinct pairs drawn at random from what was stored."""
    return _largest_ratio(lambda i, j: squared_distance(gradients[i], gradients[j]), iterates, pairs, seed)


def smoothness(
    gradient: Callable[[Dense, int], Vector], iterates: Sequence[Dense], *, pairs: int = PAIRS, seed: int = 0
) -> float:
    """The same maximum with common random numbers: `gradient(w, n)` must draw input and outputs from `n`
    alone.

    Both gradients of a pair get the same `n`, so what differs between them is due to the weights. For a
    smooth objective this bounds the Lipschitz constant of the step, and does not grow as the iterates come
    together.
    """

    def apart(i: int, j: int) -> float:
        number = i * len(iterates) + j
        return squared_distance(gradient(iterates[i], number), gradient(iterates[j], number))

    return _largest_ratio(apart, iterates, pairs, seed)


def variance(gradients: Sequence[Vector]) -> float:
    """1/K sum_k |s_k - mean|^2 = 1/K sum_k |s_k|^2 - |mean|^2."""
    mean_square = sum(squared_norm(s) for s in gradients) / len(gradients)
    return max(0.0, mean_square - squared_norm(total(gradients)) / len(gradients) ** 2)


def pairs_of(n: int, pairs: int, seed: int) -> list[tuple[int, int]]:
    """Distinct pairs i < j of n things in random order: as many as asked for, or all there are."""
    first, second = np.triu_indices(n, k=1)
    chosen = np.random.default_rng(seed).permutation(len(first))[:pairs]
    return [(int(first[c]), int(second[c])) for c in chosen]


def _largest_ratio(
    gradients_apart: Callable[[int, int], float], iterates: Sequence[Dense], pairs: int, seed: int
) -> float:
    largest = 0.0
    for i, j in pairs_of(len(iterates), pairs, seed):
        weights_apart = squared_distance(iterates[i], iterates[j])
        if weights_apart > 0.0:  # iterates that coincide say nothing of the slope between them
            largest = max(largest, gradients_apart(i, j) / weights_apart)
    return sqrt(largest)


class EpochDifferences:
    """`s_e = w_{e-1} - w_e` as the epochs pass, keeping only what the estimates need.

    The mean telescopes, `1/K sum_e s_e = (w_0 - w_K) / K`, so the variance takes a running sum of squares and
    two weight vectors, however many epochs there are.
    """

    def __init__(self, start: Dense, *, keep_every: int = 1) -> None:
        self._start = start.copy()
        self._before = self._start
        self._keep_every = keep_every
        self._count = 0
        self._squares = 0.0
        self._last = 0.0
        self._kept: list[tuple[Dense, Dense]] = []

    def add(self, weights: Dense) -> None:
        """The weights after one more epoch; they are copied, and must be as many as at the start."""
        after = weights.copy()
        difference = self._before - after
        self._last = squared_norm(difference)
        self._squares += self._last
        if self._count % self._keep_every == 0:
            self._kept.append((difference, self._before))
        self._count += 1
        self._before = after

    def estimates(self, *, pairs: int = PAIRS, seed: int = 0) -> Estimates:
        if self._count == 0:
            raise ValueError("no epoch has passed yet")
        mean = sqrt(squared_distance(self._start, self._before)) / self._count
        slope = lipschitz([s for s, _ in self._kept], [w for _, w in self._kept], pairs=pairs, seed=seed)
        return Estimates(self._last, slope, max(0.0, self._squares / self._count - mean**2))
