"""Packed forests as a space: a derivation is drawn, and what it says is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.coupling import INDEPENDENT, drawn_together
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import derivation, inside_outside
from kibitz.spaces.hypergraph.distribution import Derivation, HypergraphDistribution, Yield, counts_given
from kibitz.spaces.hypergraph.forest import Forest
from kibitz.spaces.hypergraph.graph import ForestInput, Graph, encode_forest, places_of
from kibitz.spaces.hypergraph.plain import from_plain
from kibitz.spaces.hypergraph.saying import Saying, saying
from kibitz.spaces.hypergraph.weighing import weighed
from kibitz.spaces.protocol import Draw, Examples, Gradient, Signs, Space, SparseVector
from kibitz.spaces.rows import Rows
from kibitz.spaces.weights import Array, Weights, as_weights

Floats = npt.NDArray[np.float64]


class Hypergraph(Space):
    """A Gibbs model on the derivations of packed forests, scored by the features of their edges.

    An input is a :class:`Forest`, or the same as plain data; features are numbered in the order of first sight. A
    structure is a derivation, the tuple of its edges from the root down; what is shown is its yield, a tuple of words.
    """

    kind = "hypergraph"

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()

    @property
    def size(self) -> int:
        return len(self.vocabulary)

    def encode(self, raw: Any) -> ForestInput:
        if isinstance(raw, ForestInput):
            return raw
        return encode_forest(raw if isinstance(raw, Forest) else from_plain(raw), self.vocabulary)

    def distribution(self, x: Any, weights: Weights | Array, sign: int = 1) -> HypergraphDistribution:
        encoded = self.encode(x)
        return HypergraphDistribution(self, encoded, self._scores(encoded, as_weights(weights), sign), sign)

    def _scores(self, x: ForestInput, weights: Weights, sign: int) -> Floats:
        """sign w . phi of every edge."""
        if sign not in (1, -1):
            raise InputError(f"a sign is +1 or -1, not {sign}")
        score, own = np.empty(x.graph.edges), np.empty(len(x.places.rows))
        inside_outside.scores(self.enough(weights), x.places, x.features, float(sign), own, score)
        return score

    def features(self, x: Any, y: Derivation) -> SparseVector:
        encoded = self.encode(x)
        return self.flatten(encoded, self.code(encoded, y))

    def flatten(self, x: ForestInput, counts: Floats) -> SparseVector:
        """The features of edges that are used so often, as a vector over the weights."""
        total = self.totals(x, counts)
        present = total != 0.0
        return SparseVector(x.numbers[present], total[present])

    def totals(self, x: ForestInput, counts: Floats) -> Floats:
        """The same for each of the forest's own features."""
        total = np.empty(len(x.places.rows))
        inside_outside.totals(x.features, counts, total)
        return total

    def parts(self, x: Any, y: Derivation) -> Floats:
        """How often each edge is used."""
        return self.code(self.encode(x), y)

    def structures(self, x: Any) -> Iterator[Derivation]:
        return derivation.every(self.encode(x).graph)

    def shown(self, x: Any, y: Derivation) -> Yield:
        encoded = self.encode(x)
        numbers = derivation.said(encoded.graph, np.array(y, np.int64))
        return tuple([encoded.words[word] for word in numbers.tolist()])

    def code(self, x: ForestInput, y: Derivation) -> Floats:
        """How often each edge is used."""
        edges = np.array(y, np.int64)
        if not derivation.is_derivation(x.graph, edges):
            raise InputError(f"the edges {' '.join(map(str, y))} are no derivation of the forest")
        return np.bincount(edges, minlength=x.graph.edges).astype(np.float64)

    def chart(self, x: ForestInput, shown: Sequence[str]) -> Saying | None:
        """The derivations that say ``shown``; None where there are none."""
        number = {word: i for i, word in enumerate(x.words)}
        words = np.array([number.get(word, -1) for word in words_of(shown)], np.int32)
        return None if (words < 0).any() else saying(x.graph, words)

    def saying(self, x: ForestInput, shown: Sequence[str]) -> Saying:
        """The derivations that say ``shown``, of which there must be one."""
        chart = self.chart(x, shown)
        if chart is None:
            raise InputError(f"the forest cannot say {' '.join(shown)!r}: no derivation has that yield")
        return chart

    def gold(self, x: ForestInput, draw: Draw, shown: Sequence[str]) -> Floats:
        """How often each edge is used in the mean by the derivations that say ``shown``, under the draw's weights."""
        return counts_given(self.saying(x, shown), draw.expected[1])

    def check_gold(self, x: ForestInput, shown: Sequence[str]) -> None:
        self.saying(x, shown)

    def draw(
        self, x: ForestInput, weights: Weights, signs: Signs, generator: Generator, coupling: int = INDEPENDENT,
        free: int = 0,
    ) -> Draw:  # fmt: skip
        models = {sign: self.distribution(x, weights, sign) for sign in dict.fromkeys((1, *signs.tolist()))}
        drawn = [models[sign] for sign in signs.tolist()]
        samplers = [model.sample for model in drawn]
        found = drawn_together(samplers, lambda y: self.shown(x, y), generator, coupling, free)
        return self._draw(x, models, drawn, found)

    def recall(
        self, x: ForestInput, structures: Sequence[Derivation], weights: Weights, signs: Signs
    ) -> Draw:
        models = {sign: self.distribution(x, weights, sign) for sign in dict.fromkeys((1, *signs.tolist()))}
        return self._draw(x, models, [models[sign] for sign in signs.tolist()], structures)

    def propose_best(self, x: ForestInput, weights: Weights) -> Draw:
        model = self.distribution(x, weights)
        return self._draw(x, {1: model}, [model], [model.argmax()])

    def _draw(
        self, x: ForestInput, models: Mapping[int, HypergraphDistribution],
        drawn: Sequence[HypergraphDistribution], structures: Sequence[Derivation],
    ) -> Draw:  # fmt: skip
        """Derivations under their models; beside E[phi] the log-shares of p_w, should a gold output be told."""
        pairs = list(zip(drawn, structures, strict=True))
        log_probs = np.array([model.log_propensity_of(y) for model, y in pairs])
        own = np.array([model.log_prob(y) for model, y in pairs])
        expected = [models[1].expected_counts(), models[1].log_shares]
        expected += [models[-1].expected_counts()] if -1 in models else []
        codes = tuple([self.code(x, y) for y in structures])
        entropy = models[1].entropy()
        return Draw(tuple(structures), codes, log_probs, tuple(expected), self.length(x), entropy, own)

    def best(self, x: ForestInput, weights: Weights) -> Yield:
        return self.shown(x, derivation.best(x.graph, self._scores(x, weights, 1)))

    def gradient(
        self, x: ForestInput, draw: Draw, codes: Sequence[Any], coefficients: Floats, signs: Signs
    ) -> Gradient:
        values = weighed(draw, codes, coefficients, signs)
        return Gradient(x.places, 0, len(x.places.rows), 1, self.totals(x, values))

    def corpus(self, raws: Iterable[Any], golds: Iterable[Sequence[str]] | None = None) -> Examples:
        yields = None if golds is None else [words_of(gold) for gold in golds]
        return Examples([self.encode(raw) for raw in raws], yields)

    def predict(self, corpus: Any, weights: Weights | Array) -> list[Yield]:
        ready = as_weights(weights)
        return [self.best(corpus[i], ready) for i in range(len(corpus))]

    def pack(self, x: ForestInput) -> dict[str, npt.NDArray[Any]]:
        words = np.frombuffer(json.dumps(x.words).encode(), np.uint8)
        return {**x.graph._asdict(), **x.features._asdict(), "index": x.places.rows, "words": words}

    def unpack(self, arrays: Mapping[str, npt.NDArray[Any]]) -> ForestInput:
        graph = Graph(**{name: arrays[name] for name in Graph._fields})
        features = Rows(**{name: arrays[name] for name in Rows._fields})
        words = tuple(json.loads(arrays["words"].tobytes()))
        return ForestInput(graph, features, places_of(arrays["index"]), words)

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "frozen": self.vocabulary.frozen}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"vocabulary": np.frombuffer(self.vocabulary.to_bytes(), np.uint8)}

    @classmethod
    def restore(cls, settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Hypergraph:
        vocabulary = Vocabulary.from_bytes(arrays["vocabulary"].tobytes())
        return cls(vocabulary if settings["frozen"] else Vocabulary(vocabulary.names()))


def words_of(shown: Sequence[str]) -> Yield:
    """A yield as a forest shows it."""
    if isinstance(shown, str):
        raise InputError(f"what a forest says is a list of words, not the text {shown!r}: split it")
    return tuple(shown)
