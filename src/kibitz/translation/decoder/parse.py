"""A parse: the forest of a sentence's derivations before any language model, which does not depend on weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.spaces.compiled import kernel
from kibitz.spaces.hypergraph.forest import Forest
from kibitz.translation.decoder.applications import Applications
from kibitz.translation.grammar.grammar import Ints, stretches


@dataclass(frozen=True, slots=True, eq=False)
class Parse:
    """Nodes so numbered that tails come before heads, the goal last; edges e of node v from first[v] to first[v + 1].

    Edge e applies *application* ``rule[e]``: a rule with what the arcs under it cost. ``said`` holds the applications,
    so that what depends on nothing else is computed once for all edges that share one.
    """

    category: Ints  # -1 is the goal
    start: Ints
    end: Ints
    first: Ints
    rule: Ints
    tail_ptr: Ints
    tails: Ints
    said: Applications

    def __len__(self) -> int:
        """The number of edges."""
        return len(self.rule)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.category)

    @property
    def arity(self) -> int:
        """The most tails of an edge."""
        return int(np.diff(self.tail_ptr).max())

    def name(self, v: int) -> str:
        """The category and span of a node."""
        category = "Goal" if v == self.nodes - 1 else self._categories[self.category[v]]
        return f"{category}-{self.start[v]}-{self.end[v]}"

    @property
    def _categories(self) -> list[str]:
        return self.said.symbols.categories.names()

    def derivations(self) -> float:
        """How many derivations there are; a float, for there may be 10^300."""
        counts = np.zeros(self.nodes)
        _count(self.first, self.tail_ptr, self.tails, counts)
        return float(counts[-1])

    def forest(self) -> Forest:
        """The same as a forest, for learning and for looking at."""
        said, names = self.said, self.said.symbols.features.names()
        out_ptr, out = stretches(said.target_ptr, said.target, self.rule)
        feature_ptr, feature = stretches(said.feature_ptr, said.feature, self.rule)
        _, value = stretches(said.feature_ptr, said.value, self.rule)
        kept, numbered = np.unique(feature, return_inverse=True)
        return Forest(
            nodes=tuple(map(self.name, range(self.nodes))),
            first=self.first,
            tail_ptr=self.tail_ptr,
            tails=self.tails,
            out_ptr=out_ptr,
            out=out,
            words=tuple(said.words),
            feature_ptr=feature_ptr,
            feature=numbered.astype(np.int32),
            value=value,
            names=tuple([names[f] for f in kept.tolist()]),
        )


@kernel
def _count(first, tail_ptr, tails, counts):  # type: ignore[no-untyped-def]
    """counts[v] = sum over its edges of the product over their tails."""
    for v in range(len(counts)):
        for e in range(first[v], first[v + 1]):
            product = 1.0
            for t in range(tail_ptr[e], tail_ptr[e + 1]):
                product *= counts[tails[t]]
            counts[v] += product
