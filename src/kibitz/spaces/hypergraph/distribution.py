"""The Gibbs distribution on the derivations of one forest, for whoever wants more of it than a learner does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import derivation, inside_outside
from kibitz.spaces.hypergraph.k_best import k_best
from kibitz.spaces.hypergraph.saying import Saying, saying
from kibitz.spaces.protocol import Distribution, SparseVector

Floats = npt.NDArray[np.float64]
Derivation = tuple[int, ...]
Yield = tuple[str, ...]


class Forests(Protocol):
    """What a distribution asks of its space; x is the space's own, and has a ``graph``."""

    def flatten(self, x: Any, counts: Floats) -> SparseVector:
        """The features of edges that are used so often."""

    def shown(self, x: Any, y: Derivation) -> Yield:
        """What a derivation says."""

    def chart(self, x: Any, shown: Sequence[str]) -> Saying | None:
        """The derivations that say ``shown``; None where there are none."""

    def saying(self, x: Any, shown: Sequence[str]) -> Saying:
        """The same, of which there must be one."""


class HypergraphDistribution(Distribution):
    """p_{sign w}(d | x) on the derivations of one forest, and through them on what they say.

    Everything costs O(E) for E edges, tails and features included, but for ``top_k``, which adds O(k log k) for each
    node that the k best disagree in, and for what is given a yield, which adds the chart of that yield.
    """

    def __init__(self, forests: Forests, x: Any, score: Floats, sign: int) -> None:
        """``score`` is sign w . phi of every edge, and is not kept."""
        self._space, self._x, self._graph = forests, x, x.graph
        self._sign = sign
        self._log_share, self._share = score, np.empty(x.graph.edges)
        self._inner = np.empty(x.graph.nodes)
        self.log_partition = float(
            inside_outside.inside(self._graph, self._log_share, self._inner, self._log_share, self._share)
        )
        if not np.isfinite(self.log_partition):
            raise InputError("the scores of a forest run out of range: check the weights and the features")

    @property
    def log_shares(self) -> Floats:
        """The log-probability of each edge among those into its node: of a derivation, the sum over its edges."""
        return self._log_share

    @cached_property
    def _counts(self) -> tuple[Floats, Floats]:
        """The expected counts of nodes and of edges."""
        nodes, edges = np.empty(self._graph.nodes), np.empty(self._graph.edges)
        inside_outside.outside(self._graph, self._share, nodes, edges)
        return nodes, edges

    def expected_counts(self, shown: Sequence[str] | None = None) -> Floats:
        """How often each edge is used in the mean; given what is said, if it is."""
        if shown is None:
            return self._counts[1].copy()
        return counts_given(self._space.saying(self._x, shown), self._log_share)

    def log_prob(self, y: Derivation) -> float:
        edges = np.array(y, np.int64)
        if not derivation.is_derivation(self._graph, edges):
            return -np.inf
        return float(self._log_share[edges].sum())

    def log_propensity(self, shown: Sequence[str]) -> float:
        """The log-probability of a yield: the sum over all derivations that say it."""
        chart = self._space.chart(self._x, shown)
        return -np.inf if chart is None else _inside(chart, self._log_share)[0]

    def log_propensity_of(self, y: Derivation) -> float:
        """The log-probability of what a derivation says."""
        chart = saying(self._graph, derivation.said(self._graph, np.array(y, np.int64)))
        return _inside(chart, self._log_share)[0] if chart is not None else -np.inf

    def sample(self, generator: Generator) -> Derivation:
        return tuple(derivation.sample(self._graph, self._share, generator.state).tolist())

    def argmax(self) -> Derivation:
        return tuple(derivation.best(self._graph, self._log_share).tolist())

    def top_k(self, k: int, *, unique: bool = False) -> list[tuple[Derivation, float]]:
        """The k best derivations; with ``unique``, of those that say the same only the best."""
        edges, starts, scores = k_best(self._graph, self._log_share, k, unique)
        return [
            (tuple(edges[low:high].tolist()), float(score))
            for low, high, score in zip(starts[:-1], starts[1:], scores, strict=True)
        ]

    def expected_parts(self) -> Floats:
        return self.expected_counts()

    def expected_features(self, shown: Sequence[str] | None = None) -> SparseVector:
        """E[phi]; given what is said, if it is."""
        return self._space.flatten(self._x, self.expected_counts(shown))

    def entropy(self) -> float:
        """-E[log p(d)], of derivations."""
        return float(inside_outside.entropy(self._log_share, self._counts[1]))

    def expected_loss(self, part_costs: npt.ArrayLike) -> tuple[float, SparseVector]:
        """A cost for each edge: the mean of their sum over the edges of a derivation, and its gradient."""
        costs = np.ascontiguousarray(part_costs, dtype=np.float64)
        if costs.shape != (self._graph.edges,):
            raise InputError(
                f"part costs have the shape {costs.shape}; this forest needs ({self._graph.edges},): one an edge"
            )
        mean, slope = np.empty(2 * self._graph.nodes), np.empty(self._graph.edges)
        value = inside_outside.expected_cost(self._graph, self._share, self._counts[0], costs, mean, slope)
        return float(value), self._space.flatten(self._x, self._sign * slope)


def counts_given(chart: Saying, log_share: Floats) -> Floats:
    """E[count(e) | what is said], from the log-shares of the forest."""
    _, share = _inside(chart, log_share)
    nodes, edges = np.empty(chart.graph.nodes), np.empty(chart.graph.edges)
    inside_outside.outside(chart.graph, share, nodes, edges)
    return np.bincount(chart.origin, edges, len(log_share)).astype(np.float64, copy=False)


def _inside(chart: Saying, log_share: Floats) -> tuple[float, Floats]:
    """The log-probability of what is said, and the shares of the chart's edges."""
    score, share = log_share[chart.origin], np.empty(chart.graph.edges)
    total = inside_outside.inside(chart.graph, score, np.empty(chart.graph.nodes), score, share)
    return min(0.0, float(total)), share
