"""A packed forest: many outputs that share their parts, as one directed acyclic hypergraph.

A node stands for a part of an output, a hyperedge for one way to make its head node out of its tail nodes. A
*derivation* chooses an edge for the root, then one for each tail of that edge, and so on; what it says from left to
right is its *yield*. phi of a derivation is the sum of the features of its edges.

Nodes are numbered so that the tails of an edge come before its head; the root is the last node. The edges of node v
are numbers ``first[v]`` to ``first[v + 1]``. ``out`` holds what an edge says: word w as w, the yield of its tail i as
-1 - i.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Symbol = str | int  # a word, or the number of a tail


@dataclass(frozen=True, slots=True)
class Edge:
    """A hyperedge as people read it: ``output`` holds words, and numbers of tails."""

    head: str
    tails: tuple[str, ...]
    output: tuple[Symbol, ...]
    features: dict[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """The flat arrays of a forest; :class:`ForestBuilder` makes them, and checks what it is given."""

    nodes: tuple[str, ...]  # names
    first: Ints  # [nodes + 1]
    tail_ptr: Ints  # [edges + 1]
    tails: Ints
    out_ptr: Ints  # [edges + 1]
    out: Ints
    words: tuple[str, ...]
    feature_ptr: Ints  # [edges + 1]
    feature: Ints
    value: npt.NDArray[np.float64]
    names: tuple[str, ...]  # of features

    @property
    def root(self) -> str:
        """The name of the node that derivations start from."""
        return self.nodes[-1]

    def __len__(self) -> int:
        """The number of edges."""
        return len(self.tail_ptr) - 1

    def __eq__(self, other: object) -> bool:
        """Whether all is the same: names, numbers and their order."""
        if not isinstance(other, Forest):
            return NotImplemented
        pairs = [(getattr(self, field.name), getattr(other, field.name)) for field in fields(self)]
        return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    def edges(self) -> Iterator[Edge]:
        """Every edge, in the order of the arrays."""
        for v, head in enumerate(self.nodes):
            for e in range(self.first[v], self.first[v + 1]):
                yield Edge(head, self._tails(e), self._output(e), self._features(e))

    def _tails(self, e: int) -> tuple[str, ...]:
        return tuple([self.nodes[t] for t in self.tails[self.tail_ptr[e] : self.tail_ptr[e + 1]].tolist()])

    def _output(self, e: int) -> tuple[Symbol, ...]:
        symbols = self.out[self.out_ptr[e] : self.out_ptr[e + 1]].tolist()
        return tuple([self.words[s] if s >= 0 else -1 - s for s in symbols])

    def _features(self, e: int) -> dict[str, float]:
        places = slice(self.feature_ptr[e], self.feature_ptr[e + 1])
        names = [self.names[i] for i in self.feature[places].tolist()]
        return dict(zip(names, self.value[places].tolist(), strict=True))

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays."""
        arrays: list[Any] = [getattr(self, field.name) for field in fields(self)]
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
