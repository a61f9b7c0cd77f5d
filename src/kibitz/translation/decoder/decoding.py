"""What decoding found: the forest of a sentence's translations under the weights of the moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.spaces.compiled import compiled, kernel
from kibitz.spaces.hypergraph.derivation import is_derivation
from kibitz.spaces.hypergraph.forest import Forest
from kibitz.spaces.hypergraph.graph import Graph
from kibitz.translation.decoder.search import Room
from kibitz.translation.decoder.sentence import Sentence
from kibitz.translation.grammar.grammar import Floats, Ints, stretches


@dataclass(frozen=True, slots=True, eq=False)
class Decoding:
    """Edge e comes of edge ``origin[e]`` of the parse; joining its parts changes log10 p of model m by change[e, m]."""

    sentence: Sentence
    graph: Graph
    origin: Ints
    score: Floats  # w . phi
    application_scores: Floats  # the same of applications, without language models
    change: Floats
    pops: int  # candidates that were taken, and became edges

    def __len__(self) -> int:
        """The number of edges under the goal."""
        return len(self.origin)

    def positions(self, counts: Floats) -> Floats:
        """What multiplies each position of the sentence, where edges are used so often.

        That of an application is how often it is, that of a model is sum_e count(e) log10 p(e).
        """
        parts = self.sentence.parts
        values = np.zeros(parts.score.shape[1] + parts.score.shape[0])
        _add_positions(self.sentence.parse.rule, self.origin, counts, parts.score, self.change, values)
        return values

    def forest(self) -> Forest:
        """The same as any packed forest, for files and pictures."""
        parse, parts = self.sentence.parse, self.sentence.parts
        said, rule, models = parse.said, parse.rule[self.origin], len(parts.score)
        # The log10 p of models stand after the features of an edge's application.
        ptr, feature = stretches(said.feature_ptr, said.feature, rule)
        _, value = stretches(said.feature_ptr, said.value, rule)
        ends = np.repeat(ptr[1:], models)
        of_models = self.sentence.x.rows[len(self.sentence.x.rows) - models :].astype(np.int32)
        feature = np.insert(feature, ends, np.tile(of_models, len(rule)))
        kept, own = np.unique(feature, return_inverse=True)
        names = said.symbols.features.names()
        return Forest(
            nodes=self._names(),
            first=self.graph.first,
            tail_ptr=self.graph.tail_ptr,
            tails=self.graph.tails,
            out_ptr=self.graph.out_ptr,
            out=self.graph.out,
            words=tuple(self.sentence.words),
            feature_ptr=(ptr + models * np.arange(len(ptr))).astype(np.int32),
            feature=own.astype(np.int32),
            value=np.insert(value, ends, (parts.score[:, rule].T + self.change).ravel()),
            names=tuple([names[f] for f in kept.tolist()]),
        )

    def _names(self) -> tuple[str, ...]:
        """Category and span of every node, with a number where states of language models tell nodes apart."""
        parse = self.sentence.parse
        heads = np.repeat(np.arange(parse.nodes), np.diff(parse.first))[self.origin[self.graph.first[:-1]]]
        count: Counter[int] = Counter()
        found = []
        for v in heads.tolist():
            count[v] += 1
            found.append(f"{parse.name(v)}/{count[v]}" if count[v] > 1 else parse.name(v))
        return tuple(found)

    def edges_of(self, derivation: Sequence[int]) -> tuple[int, ...] | None:
        """The edges of a derivation of the parse, where pruning left it."""
        graph, parse = self.graph, self.sentence.graph
        if not is_derivation(parse, np.array(derivation, np.int64)):
            return None
        found: list[int] = []
        below: list[int] = []  # nodes, of which the last ones are tails of the edge to come
        for e in reversed(derivation):
            arity = int(parse.tail_ptr[e + 1] - parse.tail_ptr[e])
            tails = [below.pop() for _ in range(arity)]
            same = [
                f for f in np.flatnonzero(self.origin == e).tolist()
                if graph.tails[graph.tail_ptr[f] : graph.tail_ptr[f + 1]].tolist() == tails
            ]  # fmt: skip
            if not same:
                return None
            found.append(same[0])
            below.append(int(np.searchsorted(graph.first, same[0], side="right")) - 1)
        return tuple(reversed(found))


@kernel
def _add_positions(rule, origin, counts, score, change, values):  # type: ignore[no-untyped-def]
    models, applications = score.shape
    for e in range(len(origin)):
        a = rule[origin[e]]
        values[a] += counts[e]
        for m in range(models):
            values[applications + m] += counts[e] * (score[m, a] + change[e, m])


def decoding_of(
    sentence: Sentence, application_scores: Floats, sign: int, room: Room, nodes: int, edges: int
) -> Decoding:
    """What a search left in the room, as far as the goal can be made of it."""
    models = sentence.parts.left.shape[0]
    first, tail_ptr, tails, origin, score, change = _under_goal(sentence.graph, room, nodes, edges, models)
    out_ptr, out = stretches(sentence.graph.out_ptr, sentence.graph.out, origin)
    return Decoding(
        sentence,
        Graph(first, tail_ptr, tails, out_ptr, out),
        origin,
        sign * score,
        application_scores,
        change,
        edges,
    )


@compiled
def _under_goal(graph, room, nodes, edges, models):  # type: ignore[no-untyped-def]
    """The nodes and edges under the last node, edges grouped by their heads."""
    number = np.full(nodes, -1, np.int32)  # first 0 for what is reached, then new numbers
    number[nodes - 1] = 0
    count, places = np.zeros(nodes, np.int32), 0
    for f in range(edges - 1, -1, -1):  # the edges of a node come after those of its tails' nodes
        if number[room.head[f]] >= 0:
            arity = graph.tail_ptr[room.origin[f] + 1] - graph.tail_ptr[room.origin[f]]
            for i in range(arity):
                number[room.tails[f, i]] = 0
            count[room.head[f]] += 1
            places += arity
    kept = 0
    for u in range(nodes):
        kept += number[u] >= 0
    first = np.zeros(kept + 1, np.int32)
    filled = np.zeros(kept, np.int32)
    kept = 0
    for u in range(nodes):
        if number[u] >= 0:
            number[u] = kept
            first[kept + 1] = first[kept] + count[u]
            kept += 1
    total = first[kept]
    order = np.empty(total, np.int32)
    for f in range(edges):
        u = number[room.head[f]]
        if u >= 0:
            order[first[u] + filled[u]] = f
            filled[u] += 1
    tail_ptr, tails = np.zeros(total + 1, np.int32), np.empty(places, np.int32)
    origin, score, change = np.empty(total, np.int32), np.empty(total), np.empty((total, models))
    place = 0
    for e in range(total):
        f = order[e]
        origin[e], score[e] = room.origin[f], room.local[f]
        for m in range(models):
            change[e, m] = room.change[f, m]
        for i in range(graph.tail_ptr[origin[e] + 1] - graph.tail_ptr[origin[e]]):
            tails[place] = number[room.tails[f, i]]
            place += 1
        tail_ptr[e + 1] = place
    return first, tail_ptr, tails, origin, score, change
