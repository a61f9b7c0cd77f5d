"""A forest in figures under given weights: how large it is, what it says most probably, and the part worth drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kibitz.analysis.drawing import Sketch, sketch
from kibitz.spaces.hypergraph import Hypergraph
from kibitz.spaces.hypergraph.distribution import Derivation, HypergraphDistribution
from kibitz.spaces.hypergraph.forest import Forest

DERIVATIONS = 1000  # looked through for what is drawn of a large forest


@dataclass(frozen=True, slots=True)
class Said:
    """An output: its probability, and the score of the best derivation that says it."""

    words: tuple[str, ...]
    probability: float
    score: float


class ForestSummary:
    """A forest and the Gibbs distribution on its derivations; a feature that has no weight weighs 0."""

    def __init__(self, forest: Forest, weights: Mapping[str, float]) -> None:
        self.forest = forest
        self._space = Hypergraph()
        self._x = self._space.encode(forest)
        named = [weights.get(name, 0.0) for name in self._space.vocabulary.names()]
        self.model: HypergraphDistribution = self._space.distribution(self._x, np.array(named, np.float64))

    @cached_property
    def derivations(self) -> int:
        """How many there are: n(v) = sum over the edges e of v of the product of n(t) over the tails of e."""
        forest = self.forest
        below: list[int] = []
        tails, ends = forest.tails.tolist(), forest.tail_ptr.tolist()
        for v in range(len(forest.nodes)):
            ways = range(forest.first[v], forest.first[v + 1])
            below.append(sum(math.prod(below[t] for t in tails[ends[e] : ends[e + 1]]) for e in ways))
        return below[-1]

    def best(self, count: int) -> list[Said]:
        """The outputs of the best derivations, each once, best derivation first."""
        return [self._said(y, log_prob) for y, log_prob in self.model.top_k(count, unique=True)]

    def _said(self, derivation: Derivation, log_prob: float) -> Said:
        words = self._space.shown(self._x, derivation)
        probability = math.exp(self.model.log_propensity(words))
        return Said(words, probability, log_prob + self.model.log_partition)

    def sketch(self, edges: int) -> Sketch:
        """The forest with the probabilities of its edges; if it is large, the best derivations that ``edges`` hold."""
        best = self.model.argmax()
        chosen = set(range(len(self.forest))) if len(self.forest) <= edges else set(best)
        if len(chosen) < min(edges, len(self.forest)):
            for derivation, _ in self.model.top_k(DERIVATIONS):
                if len(chosen | set(derivation)) <= edges:
                    chosen |= set(derivation)
        counts = self.model.expected_counts().tolist()
        return sketch(self.forest, probabilities=counts, best=set(best), edges=chosen)
