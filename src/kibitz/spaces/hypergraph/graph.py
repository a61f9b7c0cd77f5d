"""A forest as the compiled loops take it, and as learning takes it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
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
    """One encoded input.

    Its features have numbers of their own, by which ``features`` lists those of every edge; position f of ``places`` is
    the weight of feature f. Weights are thus looked up, and stepped, once for a feature and not once for an edge.
    """

    graph: Graph
    features: Rows
    places: Rows
    words: tuple[str, ...]

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The number of each feature's weight, in rising order."""
        return self.places.rows.astype(np.int64)


def encode_forest(forest: Forest, vocabulary: Vocabulary) -> ForestInput:
    """A feature gets its weight's number at first sight; those that a frozen vocabulary does not know are left out."""
    numbers = np.array(vocabulary.numbers(forest.names), np.int64)
    own = np.full(len(numbers), -1, np.int32)
    order = np.argsort(numbers, kind="stable")[np.count_nonzero(numbers < 0) :]
    own[order] = np.arange(len(order))
    features = own[forest.feature]
    known = features >= 0
    here = slice(None) if known.all() else known  # of a slice nothing is copied
    kept = np.zeros(len(known) + 1, np.int32)
    np.cumsum(known, out=kept[1:])
    with np.errstate(over="ignore"):
        values = forest.value.astype(np.float32)
    if not np.isfinite(values).all():
        raise InputError("a feature of the forest has a value that is out of the range of single precision")
    return ForestInput(
        Graph(forest.first, forest.tail_ptr, forest.tails, forest.out_ptr, forest.out),
        Rows(
            kept[forest.feature_ptr],
            features[here].view(np.uint32),
            values[here],
        ),
        places_of(numbers[order]),
        forest.words,
    )


def places_of(index: npt.NDArray[Any]) -> Rows:
    """One weight a position."""
    return Rows(np.arange(len(index) + 1, dtype=np.int32), index.astype(np.uint32), np.empty(0, np.float32))
