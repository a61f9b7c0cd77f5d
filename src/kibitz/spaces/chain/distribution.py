"""The Gibbs distribution of one chain input, for whoever wants more of it than a learner does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.chain import additive, lattice, logspace, viterbi
from kibitz.spaces.chain.corpus import ChainInput
from kibitz.spaces.chain.scratch import allocate
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Distribution, SparseVector
from kibitz.spaces.rows import gather
from kibitz.spaces.weights import Weights

if TYPE_CHECKING:
    from kibitz.spaces.chain.chain import Chain


class ChainDistribution(Distribution):
    """p_{sign w}(y | x) on the label sequences of one input.

    Everything costs O(N S) for N tokens and S possible steps, but for ``top_k``: k times that.
    """

    def __init__(self, space: Chain, x: ChainInput, weights: Weights, sign: int) -> None:
        if sign not in (1, -1):
            raise InputError(f"a sign is +1 or -1, not {sign}")
        self._space, self._x, self._sign, self._n = space, x, sign, x.length
        self._topology, self._shape = space.topology, space.shape
        self._scratch = allocate(self._topology, x.hi - x.lo)
        self._score = self._scratch.score
        self._lattice = self._scratch.plus
        gather(weights, x.x, x.lo, x.hi, self._topology.columns, self._score)
        self.log_partition = float(
            lattice.forward(self._score, self._topology, float(sign), self._n, self._shape, self._lattice)
        )
        if not np.isfinite(self.log_partition):
            raise InputError(
                f"no allowed labelling of {self._n} tokens has a finite score: "
                "check the forbidden steps and the weights"
            )
        lattice.backward(self._topology, self._n, self._shape, self._lattice)

    def log_prob(self, y: tuple[str, ...]) -> float:
        states = self._space.states(self._x, y)
        return -np.inf if states is None else self.log_prob_of(states)

    def expected_counts(self) -> npt.NDArray[np.float64]:
        """E[phi] by position and column."""
        return self._lattice.expected[: (self._x.hi - self._x.lo) * self._topology.columns].copy()

    def log_prob_of(self, states: npt.NDArray[np.int32]) -> float:
        """The log-probability of a state sequence."""
        score = lattice.log_score(
            self._score, self._topology, float(self._sign), self._n, self._shape, states
        )
        return float(score) - self.log_partition

    def sample(self, generator: Generator) -> tuple[str, ...]:
        states = self._scratch.states[0]
        lattice.sample(self._topology, self._n, self._shape, self._lattice, generator.state, states)
        return self._space.labels_of(states[: self._n])

    def argmax(self) -> tuple[str, ...]:
        values, back = np.empty(len(self._score)), np.empty(len(self._score), np.int32)
        states = np.empty(self._n, np.int32)
        viterbi.best(
            self._score, self._topology, float(self._sign), self._n, self._shape, values, back, states
        )
        return self._space.labels_of(states)

    def top_k(self, k: int) -> list[tuple[tuple[str, ...], float]]:
        states, scores = viterbi.k_best(self._score, self._topology, float(self._sign), self._n, k)
        return [
            (self._space.labels_of(row), float(score) - self.log_partition)
            for row, score in zip(states, scores, strict=True)
        ]

    def marginals(self) -> npt.NDArray[np.float64]:
        """p(label at position), as an array [tokens, labels]."""
        columns = self._topology.columns
        by_state = self._lattice.expected[: self._n * columns].reshape(self._n, columns)
        out = np.zeros((self._n, len(self._space.labels)))
        np.add.at(out.T, self._topology.label, by_state.T)
        return out

    def expected_parts(self) -> npt.NDArray[np.float64]:
        return self.marginals()

    def expected_features(self) -> SparseVector:
        return self._space.flatten(self._x, self._lattice.expected)

    def entropy(self) -> float:
        """-E[log p(y)], as a sum of conditional entropies."""
        alpha = self._log_alpha()
        value = additive.entropy(
            self._score, self._topology, float(self._sign), self._n, alpha, self._lattice.expected
        )  # fmt: skip
        return float(value)

    def _log_alpha(self) -> npt.NDArray[np.float64]:
        room = allocate(self._topology, self._x.hi - self._x.lo)
        logspace.forward(self._score, self._topology, float(self._sign), self._n, room.plus)
        return room.plus.alpha

    def expected_loss(self, part_costs: npt.ArrayLike) -> tuple[float, SparseVector]:
        """Costs [tokens, labels]: E[sum_n cost(n, y_n)] and its gradient."""
        costs = np.ascontiguousarray(part_costs, dtype=np.float64)
        wanted = (self._n, len(self._space.labels))
        if costs.shape != wanted:
            raise InputError(
                f"part costs have the shape {costs.shape}; this input needs {wanted}: tokens by labels"
            )
        gradient = np.empty_like(self._score)
        value = additive.expected_cost(
            self._score, self._topology, float(self._sign), self._n, self._log_alpha(), self._lattice.expected,
            costs, gradient,
        )  # fmt: skip
        return float(value), self._space.flatten(self._x, gradient)
