"""Single derivations: drawn, best, checked, and what they say.

A derivation is the list of its edges from the root down, each edge followed by what derives its first tail, then its
second, and so on. So every derivation is one list, and the list says all of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from kibitz.spaces.compiled import compiled, fused, kernel
from kibitz.spaces.generator import uniform
from kibitz.spaces.hypergraph.graph import Graph
from kibitz.spaces.hypergraph.growing import ROOM, append


def every(graph: Graph) -> Iterator[tuple[int, ...]]:
    """All derivations, one after the other; only for forests small enough."""

    def below(v: int) -> Iterator[tuple[int, ...]]:
        for e in range(graph.first[v], graph.first[v + 1]):
            tails = graph.tails[graph.tail_ptr[e] : graph.tail_ptr[e + 1]].tolist()
            for parts in itertools.product(*map(below, tails)):
                yield (e, *itertools.chain.from_iterable(parts))

    return below(graph.nodes - 1)


@compiled
def sample(graph, share, random):  # type: ignore[no-untyped-def]
    """An exact draw: at each node an edge with the probability of its share."""
    edges, n = np.empty(ROOM, np.int32), 0
    stack, depth = np.empty(ROOM, np.int32), 1
    stack[0] = len(graph.first) - 2
    while depth > 0:
        depth -= 1
        v = stack[depth]
        e = _choose(graph, share, v, uniform(random) if graph.first[v] + 1 < graph.first[v + 1] else 0.0)
        stack, depth = _push_tails(graph, e, stack, depth)
        edges, n = append(edges, n, e)
    return edges[:n].copy()


@fused
def _choose(graph, share, v, threshold):  # type: ignore[no-untyped-def]
    """The edge at which the running sum of shares passes the threshold."""
    chosen = graph.first[v]
    reached = 0.0
    for e in range(graph.first[v], graph.first[v + 1]):
        if share[e] > 0.0:
            chosen = e
            reached += share[e]
            if threshold < reached:
                break
    return chosen


@compiled
def best(graph, score):  # type: ignore[no-untyped-def]
    """The best derivation (ties go to the first edge): best(v) = max_e score(e) + sum_t best(t)."""
    value, choice = np.empty(len(graph.first) - 1), np.empty(len(graph.first) - 1, np.int32)
    best_below(graph, score, value, choice)
    edges, n = np.empty(ROOM, np.int32), 0
    stack, depth = np.empty(ROOM, np.int32), 1
    stack[0] = len(choice) - 1
    while depth > 0:
        depth -= 1
        e = choice[stack[depth]]
        stack, depth = _push_tails(graph, e, stack, depth)
        edges, n = append(edges, n, e)
    return edges[:n].copy()


@kernel
def best_below(graph, score, value, choice):  # type: ignore[no-untyped-def]
    """The best score below every node, and the edge that it begins with."""
    for v in range(len(graph.first) - 1):
        value[v] = -np.inf
        for e in range(graph.first[v], graph.first[v + 1]):
            here = score[e]
            for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
                here += value[graph.tails[i]]
            if here > value[v]:
                value[v], choice[v] = here, e


@compiled
def is_derivation(graph, edges):  # type: ignore[no-untyped-def]
    """Whether a list of numbers is a derivation of the forest."""
    stack, depth = np.empty(ROOM, np.int32), 1
    stack[0] = len(graph.first) - 2
    for e in edges:
        if depth == 0:
            return False
        depth -= 1
        if e < graph.first[stack[depth]] or e >= graph.first[stack[depth] + 1]:
            return False
        stack, depth = _push_tails(graph, e, stack, depth)
    return depth == 0


@compiled
def said(graph, edges):  # type: ignore[no-untyped-def]
    """The words of a derivation, by number."""
    size = np.ones(len(edges), np.int64)  # of the part that begins at each place
    for p in range(len(edges) - 1, -1, -1):
        for _ in range(graph.tail_ptr[edges[p] + 1] - graph.tail_ptr[edges[p]]):
            size[p] += size[p + size[p]]
    words, n = np.empty(ROOM, np.int32), 0
    place, symbol = (
        np.zeros(ROOM, np.int64),
        np.zeros(ROOM, np.int64),
    )  # a stack of places and what is next there
    symbol[0], depth = graph.out_ptr[edges[0]], 1
    while depth > 0:
        p, k = place[depth - 1], symbol[depth - 1]
        if k == graph.out_ptr[edges[p] + 1]:
            depth -= 1
            continue
        symbol[depth - 1] += 1
        if graph.out[k] >= 0:
            words, n = append(words, n, graph.out[k])
            continue
        below = p + 1
        for _ in range(-1 - graph.out[k]):
            below += size[below]
        place, _ = append(place, depth, below)
        symbol, depth = append(symbol, depth, graph.out_ptr[edges[below]])
    return words[:n].copy()


@compiled
def _push_tails(graph, e, stack, depth):  # type: ignore[no-untyped-def]
    """Put the tails of an edge on the stack, the first one on top."""
    for i in range(graph.tail_ptr[e + 1] - 1, graph.tail_ptr[e] - 1, -1):
        stack, depth = append(stack, depth, graph.tails[i])
    return stack, depth
