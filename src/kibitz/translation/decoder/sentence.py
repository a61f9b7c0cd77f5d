"""A sentence made ready: all that decoding needs to know of it but the weights, kept from one iteration to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.spaces.hypergraph.graph import Graph
from kibitz.spaces.rows import Rows
from kibitz.translation.decoder.lattice import Lattice
from kibitz.translation.decoder.models import Models
from kibitz.translation.decoder.parse import Parse
from kibitz.translation.decoder.parts import Parts, parts_of
from kibitz.translation.grammar.grammar import Ints, stretches
from kibitz.translation.grammar.segment import Segment


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """Position a of ``x`` holds the features of application a; the last positions, one a model, log10 p of each."""

    lattice: Lattice
    brought: Segment  # the files that are for it alone; the text is the lattice
    models: Models
    parse: Parse
    graph: Graph  # the parse, with what its edges say
    words: Sequence[str]  # that it can say
    x: Rows
    parts: Parts

    def numbers(self, words: Sequence[str]) -> Ints:
        """The numbers of words; -1 for those that the parse cannot say."""
        known = {word: i for i, word in enumerate(self.words)}
        return np.array([known.get(word, -1) for word in words], np.int32)


def sentence_of(lattice: Lattice, parse: Parse, models: Models, brought: Segment) -> Sentence:
    """The parse, with the fragments of language models."""
    return sentence_with(lattice, parse, models, parts_of(parse, list(models.named.values())), brought)


def sentence_with(lattice: Lattice, parse: Parse, models: Models, parts: Parts, brought: Segment) -> Sentence:
    """The parse, with fragments that are known; each model's log10 p is the feature of its name."""
    said = parse.said
    out_ptr, out = stretches(said.target_ptr, said.target, parse.rule)
    numbers = said.symbols.features.numbers(models.named)
    ends = said.feature_ptr[-1] + 1 + np.arange(len(numbers))
    x = Rows(
        np.concatenate([said.feature_ptr, ends]).astype(np.int32),
        np.concatenate([said.feature, numbers]).astype(np.uint32),
        np.concatenate([said.value, np.ones(len(numbers))]).astype(np.float32),
    )
    graph = Graph(parse.first, parse.tail_ptr, parse.tails, out_ptr, out)
    return Sentence(lattice, brought, models, parse, graph, said.words, x, parts)
