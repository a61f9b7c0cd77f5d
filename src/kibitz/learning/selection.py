"""Online-to-batch conversion: which of the weights w_0 ... w_T to keep (the last line of Algorithm 1)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.spaces.generator import Generator

Array = npt.NDArray[np.floating]

RULES = ("dev", "last", "average", "random")


class Selection:
    """Collects, while a run goes on, what each rule of selection will need.

    ``dev``: the best on development data so far. ``last``: w_T. ``average``: the mean of the weights at the evaluations of
    the second half of the run, chosen without any gold. ``random``: w_t at a random t, as in the theory of non-convex
    stochastic optimisation.
    """

    def __init__(self, horizon: int, seed: int, higher_is_better: bool) -> None:
        self.higher_is_better = higher_is_better
        self.random_at = Generator(seed, stream=2).below(horizon + 1)
        self.half = horizon // 2
        self.best: Array | None = None
        self.best_score = float("nan")
        self.best_iteration = 0
        self.total: npt.NDArray[np.float64] | None = None
        self.count = 0
        self.random: Array | None = None

    def at_evaluation(self, iteration: int, weights: Array, score: float | None) -> None:
        """Note the weights of an evaluation, and their score on development data if there is any."""
        if score is not None and (self.best is None or self._better(score)):
            self.best, self.best_score, self.best_iteration = weights, score, iteration
        if iteration >= self.half and iteration > 0:
            if self.total is None:
                self.total = np.zeros(len(weights))
            elif len(self.total) < len(weights):
                self.total = np.concatenate([self.total, np.zeros(len(weights) - len(self.total))])
            self.total += weights
            self.count += 1

    def _better(self, score: float) -> bool:
        return score > self.best_score if self.higher_is_better else score < self.best_score

    def choices(self, last: Array) -> dict[str, Array]:
        """The weights by each rule that has any."""
        out = {"last": last}
        if self.best is not None:
            out["dev"] = self.best
        if self.total is not None:
            out["average"] = (self.total / self.count).astype(last.dtype)
        if self.random is not None:
            out["random"] = self.random
        return out

    def arrays(self) -> dict[str, npt.NDArray[np.floating]]:
        """What was collected, for a checkpoint."""
        found = {"best": self.best, "total": self.total, "random": self.random}
        return {name: value for name, value in found.items() if value is not None}

    def settings(self) -> dict[str, float | int]:
        """The rest of it."""
        return {"best_score": self.best_score, "best_iteration": self.best_iteration, "count": self.count}

    def restore(self, settings: dict[str, float | int], arrays: dict[str, Array]) -> None:
        """Go on from a checkpoint."""
        self.best, self.random = arrays.get("best"), arrays.get("random")
        self.total = arrays.get("total")  # type: ignore[assignment]
        self.best_score, self.best_iteration = float(settings["best_score"]), int(settings["best_iteration"])
        self.count = int(settings["count"])
