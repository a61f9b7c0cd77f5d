"""Online-to-batch conversion: which of the weights w_0 ... w_T to keep (the last line of Algorithm 1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.spaces.generator import Generator
from kibitz.spaces.weights import Array

RULES = ("dev", "last", "average", "random")


class Selection:
    """Collects, while a run goes on, what each rule of selection will need.

    ``dev``: the best on development data so far. ``last``: w_T. ``average``: the mean of the weights at the
    evaluations of the second half of the run, chosen without any gold. ``random``: w_t at a random t, as in the
    theory of non-convex stochastic optimisation.
    """

    def __init__(self, seed: int, higher_is_better: bool) -> None:
        self.higher_is_better = higher_is_better
        self.generator = Generator(seed, stream=2)
        self.best: Array | None = None
        self.best_score: float | None = None
        self.best_iteration = 0
        self.total: npt.NDArray[np.float64] | None = None
        self.count = 0
        self.random: Array | None = None
        self.random_at = -1
        self.draws_at = 0

    def draw(self, weights: Array) -> None:
        """Take w_t, at t = ``draws_at``, for the random weights, and draw where that happens next.

        This keeps one of w_0 ... w_T at random without knowing T, which a budget or Ctrl-C decides: w_n takes the
        place of the one before with probability 1 / (n + 1), so that P(next > n) = (t + 1) / (n + 1).
        """
        self.random, self.random_at = weights, self.draws_at
        self.draws_at = int((self.draws_at + 1) / (1.0 - self.generator.uniform()))

    def evaluate(self, iteration: int, weights: Array, score: float | None, second_half: bool) -> None:
        """Note the weights of an evaluation, and their score on development data if there is any."""
        if score is not None and self._best_yet(score):
            self.best, self.best_score, self.best_iteration = weights, score, iteration
        if second_half:
            total = weights.astype(np.float64)
            if self.total is not None:  # shorter, if new attributes came in between
                total[: len(self.total)] += self.total
            self.total = total
            self.count += 1

    def _best_yet(self, score: float) -> bool:
        if self.best_score is None:
            return True
        return score > self.best_score if self.higher_is_better else score < self.best_score

    def choices(self, last: Array) -> dict[str, Array]:
        """The weights by each rule that has any; attributes that came after they were taken have weight 0."""
        average = None if self.total is None else (self.total / self.count).astype(last.dtype)
        found = {"last": last, "dev": self.best, "average": average, "random": self.random}
        return {rule: _widened(weights, last) for rule, weights in found.items() if weights is not None}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What was collected, for a checkpoint."""
        found = {"best": self.best, "total": self.total, "random": self.random}
        collected = {name: value for name, value in found.items() if value is not None}
        return {"generator": self.generator.state, **collected}

    def settings(self) -> dict[str, Any]:
        """The rest of it."""
        return {
            "best_score": self.best_score, "best_iteration": self.best_iteration, "count": self.count,
            "random_at": self.random_at, "draws_at": self.draws_at,
        }  # fmt: skip

    def restore(self, settings: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from a checkpoint."""
        self.best, self.total, self.random = (arrays.get(name) for name in ("best", "total", "random"))
        self.best_score, self.best_iteration = settings["best_score"], settings["best_iteration"]
        self.count = settings["count"]
        self.random_at, self.draws_at = settings["random_at"], settings["draws_at"]
        self.generator.restore(arrays["generator"])


def _widened(weights: Array, last: Array) -> Array:
    return np.concatenate([weights, np.zeros(len(last) - len(weights), weights.dtype)])
