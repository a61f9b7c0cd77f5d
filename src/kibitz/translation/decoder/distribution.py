"""The Gibbs distribution on the translations that decoding found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import derivation
from kibitz.spaces.hypergraph.distribution import HypergraphDistribution
from kibitz.spaces.hypergraph.saying import Saying, saying
from kibitz.spaces.protocol import Distribution, SparseVector, sparse
from kibitz.spaces.vectors import Gradient
from kibitz.translation.decoder.decoding import Decoding
from kibitz.translation.decoder.sentence import Sentence
from kibitz.translation.grammar.grammar import Floats

Derivation = tuple[int, ...]  # edges of the parse, from the goal down, each before what derives its tails
Yield = tuple[str, ...]


class TranslationDistribution(Distribution):
    """p_{sign w} on the derivations of a decoding, named by their edges of the parse.

    A derivation of the parse is at most one of the decoding, which tells apart what language models do. What pruning
    left out has no probability.
    """

    def __init__(self, decoding: Decoding, sign: int) -> None:
        self.decoding = decoding
        self.found = HypergraphDistribution(_Decodings(), decoding, sign * decoding.score, sign)
        self.log_partition = self.found.log_partition

    def parsed(self, edges: Derivation) -> Derivation:
        """A derivation by its edges of the parse."""
        return tuple(self.decoding.origin[list(edges)].tolist())

    def said(self, y: Derivation) -> Yield:
        """What a derivation says."""
        return spelled(self.decoding.sentence, y)

    def features(self, y: Derivation) -> SparseVector:
        """phi of a derivation that was found."""
        edges = self.decoding.edges_of(y)
        if edges is None:
            raise InputError(f"the edges {' '.join(map(str, y))} are no derivation that was found")
        return self._features(edges)

    def _features(self, edges: Derivation) -> SparseVector:
        """phi of a derivation by its edges of the decoding: the rows of what they apply, and log10 p of each model."""
        x, used = self.decoding.sentence, np.array(edges)
        applied = x.parse.rule[self.decoding.origin[used]]
        log10_p = x.parts.score[:, applied].sum(axis=1) + self.decoding.change[used].sum(axis=0)
        sizes = np.diff(x.x.ptr)[applied]
        places = np.repeat(x.x.ptr[applied] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        models = x.x.rows[len(x.x.rows) - len(log10_p) :]
        return sparse(
            np.concatenate([x.x.rows[places], models]), np.concatenate([x.x.values[places], log10_p])
        )

    def log_prob(self, y: Derivation) -> float:
        edges = self.decoding.edges_of(y)
        return -np.inf if edges is None else self.found.log_prob(edges)

    def log_propensity(self, shown: Sequence[str]) -> float:
        return self.found.log_propensity(shown)

    def sample(self, generator: Generator) -> Derivation:
        return self.parsed(self.found.sample(generator))

    def argmax(self) -> Derivation:
        return self.parsed(self.found.argmax())

    def top_k(self, k: int, *, unique: bool = False) -> list[tuple[Derivation, float]]:
        """The k best derivations; with ``unique``, of those that say the same only the best."""
        return [(self.parsed(edges), score) for edges, score in self.found.top_k(k, unique=unique)]

    def listed(self, k: int, *, unique: bool = False) -> Iterator[tuple[Derivation, SparseVector, float]]:
        """What ``top_k`` finds, with features: each costs as much as it has of them."""
        for edges, log_p in self.found.top_k(k, unique=unique):
            yield self.parsed(edges), self._features(edges), log_p

    def expected_positions(self) -> Floats:
        """What multiplies each position of the sentence, in the mean."""
        return self.decoding.positions(self.found.expected_counts())

    def expected_parts(self) -> Floats:
        """How often each edge of the parse is used in the mean."""
        edges, counts = self.decoding.sentence.graph.edges, self.found.expected_counts()
        return np.bincount(self.decoding.origin, counts, edges).astype(np.float64, copy=False)

    def expected_features(self) -> SparseVector:
        return self.found.expected_features()

    def entropy(self) -> float:
        return self.found.entropy()

    def expected_loss(self, part_costs: npt.ArrayLike) -> tuple[float, SparseVector]:
        """A cost for each edge of the parse: the mean of their sum over a derivation, and its gradient."""
        costs, edges = np.asarray(part_costs, np.float64), self.decoding.sentence.graph.edges
        if costs.shape != (edges,):
            raise InputError(
                f"part costs have the shape {costs.shape}; this parse needs ({edges},): one an edge"
            )
        return self.found.expected_loss(costs[self.decoding.origin])


class _Decodings:
    """Decodings as forests with features and words."""

    def flatten(self, x: Decoding, counts: Floats) -> SparseVector:
        return flatten(x.sentence, x.positions(counts))

    def shown(self, x: Decoding, y: Derivation) -> Yield:
        return spelled(x.sentence, tuple(x.origin[list(y)].tolist()))

    def chart(self, x: Decoding, shown: Sequence[str]) -> Saying | None:
        words = x.sentence.numbers(shown)
        return None if (words < 0).any() else saying(x.graph, words)

    def saying(self, x: Decoding, shown: Sequence[str]) -> Saying:
        chart = self.chart(x, shown)
        if chart is None:
            raise InputError(f"no translation that was found is {' '.join(shown)!r}")
        return chart


def flatten(x: Sentence, positions: Floats) -> SparseVector:
    """The features of positions that are multiplied so, as a vector over the weights."""
    return Gradient(x.x, 0, len(positions), 1, positions).vector()


def spelled(x: Sentence, y: Derivation) -> Yield:
    """What a derivation of the parse says."""
    return tuple([x.words[w] for w in derivation.said(x.graph, np.array(y, np.int64)).tolist()])
