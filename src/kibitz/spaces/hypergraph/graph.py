"""A forest as the compiled loops take it, and as learning takes it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.hypergraph.forest import Forest, Ints
from kibitz.spaces.rows import Rows


class Graph(NamedTuple):
    """The arrays of a forest that say what derives what; see :class:`Forest`."""

    first: Ints
    tail_ptr: Ints
    tails: Ints
    out_ptr: Ints
    out: Ints

    @property
    def nodes(self) -> int:
        return len(self.first) - 1

    @property
    def edges(self) -> int:
        return len(self.tail_ptr) - 1


class ForestInput(NamedTuple):
    """One encoded input: position e of ``x`` holds the weights and values of the features of edge e."""

    graph: Graph
    x: Rows
    words: tuple[str, ...]


def encode_forest(forest: Forest, vocabulary: Vocabulary) -> ForestInput:
    """A feature gets its weight's number at first sight; those that a frozen vocabulary does not know are left out."""
    rows = np.array(vocabulary.numbers(forest.names), np.int64)[forest.feature]
    known = rows >= 0
    kept = np.concatenate([[0], np.cumsum(known)])
    x = Rows(
        kept[forest.feature_ptr].astype(np.int32),
        rows[known].astype(np.uint32),
        forest.value[known].astype(np.float32),
    )
    graph = Graph(forest.first, forest.tail_ptr, forest.tails, forest.out_ptr, forest.out)
    return ForestInput(graph, x, forest.words)
