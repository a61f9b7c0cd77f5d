"""Translation as a space: what can be said of a sentence, decoded anew under the weights of each moment."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.coupling import INDEPENDENT, drawn_together
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import derivation, inside_outside
from kibitz.spaces.hypergraph.saying import Saying, saying
from kibitz.spaces.hypergraph.weighing import weighed
from kibitz.spaces.protocol import Draw, Gradient, Signs, Space, SparseVector
from kibitz.spaces.weights import Array, Weights, as_weights
from kibitz.translation.corpus import InMemory, Sentences
from kibitz.translation.decoder.decoder import Decoder
from kibitz.translation.decoder.distribution import (
    Derivation,
    TranslationDistribution,
    Yield,
    flatten,
    spelled,
)
from kibitz.translation.decoder.lattice import pack_lattice, unpack_lattice
from kibitz.translation.decoder.parts import log10_of
from kibitz.translation.decoder.sentence import Sentence
from kibitz.translation.grammar import Segment, Symbols
from kibitz.translation.parses.keeping import KeptParses, Report, silent
from kibitz.translation.system import System

Floats = npt.NDArray[np.float64]


class Translation(Space):
    """A Gibbs model on the translations that a decoder finds.

    An input is a sentence, its words or a lattice; its parse is kept, and under any weights decoded into a forest,
    which is what the distribution is on. A structure is a derivation, named by edges of the parse; what is shown is
    what it says. An opponent is drawn from the same forest under ``-w``; with ``rebuilt``, from one decoded so.
    """

    kind = "translation"

    def __init__(self, decoder: Decoder, *, rebuilt: bool = False, system: System | None = None) -> None:
        self.decoder, self.rebuilt, self.system = decoder, rebuilt, system

    @classmethod
    def of(cls, system: System, *, rebuilt: bool = False) -> Translation:
        """The space of a system's translations, which can be saved: it is its files."""
        return cls(system.decoder(Symbols()), rebuilt=rebuilt, system=system)

    @property
    def size(self) -> int:
        return len(self.decoder.symbols.features)

    def encode(self, raw: Any) -> Sentence:
        return raw if isinstance(raw, Sentence) else self.decoder.ready(raw)

    def distribution(self, x: Any, weights: Weights | Array, sign: int = 1) -> TranslationDistribution:
        if sign not in (1, -1):
            raise InputError(f"a sign is +1 or -1, not {sign}")
        encoded = self.encode(x)
        ready = self.enough(as_weights(weights))
        decoding = self.decoder.decode(encoded, ready, sign if self.rebuilt else 1)
        return TranslationDistribution(decoding, sign)

    def features(self, x: Any, y: Derivation) -> SparseVector:
        encoded = self.encode(x)
        return flatten(encoded, self.code(encoded, y))

    def parts(self, x: Any, y: Derivation) -> Floats:
        """How often each edge of the parse is used."""
        edges = self.encode(x).graph.edges
        return np.bincount(np.array(y, np.int64), minlength=edges).astype(np.float64)

    def structures(self, x: Any) -> Iterator[Derivation]:
        return derivation.every(self.encode(x).graph)

    def shown(self, x: Any, y: Derivation) -> Yield:
        return spelled(self.encode(x), y)

    def code(self, x: Sentence, y: Derivation) -> Floats:
        """What multiplies each position: how often each application is used, and log10 p of each model."""
        edges = np.array(y, np.int64)
        if not derivation.is_derivation(x.graph, edges):
            raise InputError(f"the edges {' '.join(map(str, y))} are no derivation of the sentence")
        return self._positions(x, np.bincount(edges, minlength=x.graph.edges), self.shown(x, y))

    def _positions(self, x: Sentence, counts: npt.NDArray[Any], said: Sequence[str]) -> Floats:
        of_rules = np.bincount(x.parse.rule, counts, len(x.parse.said))
        return np.append(of_rules, [log10_of(model, said) for model in x.models.named.values()])

    def _saying(self, x: Sentence, shown: Sequence[str]) -> Saying:
        """The derivations of the parse that say ``shown``, of which there must be one."""
        words = x.numbers(shown)
        chart = None if (words < 0).any() else saying(x.graph, words)
        if chart is None:
            raise InputError(f"the grammar cannot say {' '.join(shown)!r} of this sentence")
        return chart

    def check_gold(self, x: Sentence, shown: Sequence[str]) -> None:
        self._saying(x, shown)

    def gold(self, x: Sentence, draw: Draw, shown: Sequence[str]) -> Floats:
        """The mean of the derivations that say ``shown``, pruned or not, under the draw's weights.

        What language models say of them is the same, so their shares are those of their applications' scores.
        """
        chart = self._saying(x, shown)
        score, share = draw.expected[1][x.parse.rule[chart.origin]], np.empty(chart.graph.edges)
        nodes, edges = np.empty(chart.graph.nodes), np.empty(chart.graph.edges)
        inside_outside.inside(chart.graph, score, nodes, score, share)
        inside_outside.outside(chart.graph, share, nodes, edges)
        return self._positions(x, np.bincount(chart.origin, edges, x.graph.edges), shown)

    def draw(
        self, x: Sentence, weights: Weights, signs: Signs, generator: Generator, coupling: int = INDEPENDENT,
        free: int = 0,
    ) -> Draw:  # fmt: skip
        models = self._models(x, weights, dict.fromkeys((1, *signs.tolist())))
        drawn = [models[sign] for sign in signs.tolist()]
        samplers, first = [model.found.sample for model in drawn], models[1]
        found = drawn_together(
            samplers, lambda edges: self.shown(x, first.parsed(edges)), generator, coupling, free
        )
        structures = [model.parsed(edges) for model, edges in zip(drawn, found, strict=True)]
        return self._draw(x, models, list(zip(drawn, found, strict=True)), structures)

    def recall(self, x: Sentence, structures: Sequence[Derivation], weights: Weights, signs: Signs) -> Draw:
        """What pruning leaves out today has no probability."""
        models = self._models(x, weights, dict.fromkeys((1, *signs.tolist())))
        pairs = zip((models[sign] for sign in signs.tolist()), structures, strict=True)
        found = [(model, model.decoding.edges_of(y)) for model, y in pairs]
        return self._draw(x, models, found, structures)

    def propose_best(self, x: Sentence, weights: Weights) -> Draw:
        model = self._models(x, weights, (1,))
        best = model[1].found.argmax()
        return self._draw(x, model, [(model[1], best)], [model[1].parsed(best)])

    def _models(
        self, x: Sentence, weights: Weights, signs: Iterable[int]
    ) -> dict[int, TranslationDistribution]:
        """The distributions of the signs, on one forest unless it is rebuilt."""
        models = {1: self.distribution(x, weights)}
        for sign in signs:
            if sign not in models:
                models[sign] = (
                    self.distribution(x, weights, sign)
                    if self.rebuilt
                    else TranslationDistribution(models[1].decoding, sign)
                )
        return models

    def _draw(
        self,
        x: Sentence,
        models: Mapping[int, TranslationDistribution],
        drawn: Sequence[tuple[TranslationDistribution, Derivation | None]],
        structures: Sequence[Derivation],
    ) -> Draw:
        """Derivations, None where not found; beside E[phi] the applications' scores, should a gold output be told."""
        log_probs, own = (np.full(len(drawn), -np.inf) for _ in range(2))
        for d, (model, edges) in enumerate(drawn):
            if edges is not None:
                log_probs[d], own[d] = model.found.log_propensity_of(edges), model.found.log_prob(edges)
        expected = [models[1].expected_positions(), models[1].decoding.application_scores]
        expected += [models[-1].expected_positions()] if -1 in models else []
        codes = tuple([self.code(x, y) for y in structures])
        entropy = models[1].entropy()
        return Draw(tuple(structures), codes, log_probs, tuple(expected), self.length(x), entropy, own)

    def gradient(
        self, x: Sentence, draw: Draw, codes: Sequence[Any], coefficients: Floats, signs: Signs
    ) -> Gradient:
        return Gradient(x.x, 0, len(x.x.ptr) - 1, 1, weighed(draw, codes, coefficients, signs))

    def best(self, x: Any, weights: Weights) -> Yield:
        """What the best derivation says of the forest that ``best_pop_limit`` leaves."""
        encoded, limit = self.encode(x), self.system.best_pop_limit if self.system else None
        decoding = self.decoder.decode(encoded, weights, pop_limit=limit)
        return self.shown(encoded, TranslationDistribution(decoding, 1).argmax())

    def corpus(self, raws: Iterable[Any], golds: Iterable[Yield] | None = None) -> Sentences:
        return Sentences(InMemory(self.encode, raws), golds)

    def kept_corpus(
        self,
        segments: Sequence[Segment],
        golds: Iterable[Yield] | None = None,
        *,
        where: str = "sentences",
        report: Report = silent,
    ) -> Sentences:
        """The same with parses that are kept on disk, or found there; ``where`` is what messages call the sentences."""
        if self.system is None:
            return self.corpus(segments, golds)
        return Sentences(KeptParses(self.system, self.decoder, segments, where, report), golds)

    def predict(self, corpus: Any, weights: Weights | Array) -> list[Yield]:
        ready = self.enough(as_weights(weights))
        return [self.best(corpus[i], ready) for i in range(len(corpus))]

    def key(self, x: Sentence) -> int:
        """By its words: a parse is large, and numbers of words are those of one process."""
        words = self.decoder.symbols.words.named(x.lattice.word.tolist())
        return zlib.crc32(" ".join(words).encode(), zlib.crc32(x.lattice.start.tobytes())) & 0xFFFF

    def pack(self, x: Sentence) -> dict[str, npt.NDArray[Any]]:
        files = np.frombuffer(json.dumps(x.brought[1:]).encode(), np.uint8)
        return {**pack_lattice(x.lattice, self.decoder.symbols), "files": files}

    def unpack(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Sentence:
        lattice = unpack_lattice(arrays, self.decoder.symbols)
        return self.decoder.parse(lattice, *json.loads(arrays["files"].tobytes()))

    def settings(self) -> dict[str, Any]:
        if self.system is None:
            raise InputError(
                "a translation model is saved by the files it is made of: make it with Translation.of"
            )
        return {"kind": self.kind, "system": self.system.to_dict(), "rebuilt": self.rebuilt}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"features": np.frombuffer(self.decoder.symbols.features.to_bytes(), np.uint8)}

    @classmethod
    def restore(cls, settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Translation:
        named = Vocabulary(Vocabulary.from_bytes(arrays["features"].tobytes()).names())
        system = System.from_dict(settings["system"])
        return cls(system.decoder(Symbols(features=named)), rebuilt=settings["rebuilt"], system=system)
