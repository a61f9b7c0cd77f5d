"""The Gibbs distribution of one list of candidates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.candidates.corpus import ListInput
from kibitz.spaces.candidates.loop import sample_one, score_list
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Distribution, Output, SparseVector
from kibitz.spaces.vectors import Gradient
from kibitz.spaces.weights import Weights

Floats = npt.NDArray[np.float64]


class CandidatesDistribution(Distribution):
    """p_{sign w}(n | x) on the candidates of one list, numbered from 0. Everything costs O(n), ``top_k`` a sort."""

    def __init__(self, x: ListInput, weights: Weights, sign: int) -> None:
        if sign not in (1, -1):
            raise InputError(f"a sign is +1 or -1, not {sign}")
        self._x, self._sign = x, sign
        self.logs: Floats = np.empty(x.length)
        score = np.empty(x.length)
        self.log_partition = float(score_list(weights, x.x, x.lo, x.hi, float(sign), score, self.logs))
        if not np.isfinite(self.log_partition):
            raise InputError("no candidate has a finite score: check the features and the weights")

    def log_prob(self, y: int) -> float:
        return float(self.logs[y]) if 0 <= y < self._x.length else -np.inf

    def log_propensity(self, shown: Output) -> float:
        group = self._x.group_of(shown)
        return -np.inf if group < 0 else self._of_group(group)

    def log_propensity_of(self, y: int) -> float:
        """The log-probability of the text of a candidate."""
        return self._of_group(int(self._x.groups[y]))

    def _of_group(self, group: int) -> float:
        return float(np.logaddexp.reduce(self.logs[self._x.groups == group]))

    def sample(self, generator: Generator) -> int:
        return int(sample_one(self.logs, self._x.length, generator.state))

    def argmax(self) -> int:
        return int(self.logs.argmax())

    def top_k(self, k: int) -> list[tuple[int, float]]:
        order = np.argsort(-self.logs, kind="stable")[:k]
        return [(int(y), float(self.logs[y])) for y in order]

    def expected_parts(self) -> Floats:
        return np.exp(self.logs)

    def expected_features(self) -> SparseVector:
        return self._spread(np.exp(self.logs))

    def entropy(self) -> float:
        possible = self.logs > -np.inf
        return float(-(np.exp(self.logs[possible]) @ self.logs[possible]))

    def expected_loss(self, part_costs: npt.ArrayLike) -> tuple[float, SparseVector]:
        """A cost for each candidate: E[cost(n)] and its gradient, sign E[(cost(n) - E cost) phi]."""
        costs = np.asarray(part_costs, np.float64)
        if costs.shape != self.logs.shape:
            raise InputError(f"part costs have the shape {costs.shape}; this list needs {self.logs.shape}")
        p = np.exp(self.logs)
        value = float(p @ costs)
        return value, self._spread(self._sign * p * (costs - value))

    def _spread(self, values: Floats) -> SparseVector:
        """Numbers by candidate as a vector over the weights."""
        return Gradient(self._x.x, self._x.lo, self._x.hi, 1, values).vector()
