"""All derivations that say the same words, as a forest of their own.

A node of it is an item (v, i, j): node v saying words i to j of the output; an edge of it is an edge of the forest with
the items of its tails, and remembers which. Its derivations are those derivations of the forest that say the output, so
the same sums over it give the log-probability of the output, and the mean of anything given the output. The work is
that of a chart parser whose grammar is the forest, where few nodes can say any part of the output.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.spaces.compiled import compiled
from kibitz.spaces.hypergraph.forest import Ints
from kibitz.spaces.hypergraph.graph import Graph
from kibitz.spaces.hypergraph.growing import ROOM, append


class Saying(NamedTuple):
    """The derivations that say an output; ``origin`` is the forest's edge of each edge."""

    graph: Graph
    origin: Ints


def saying(graph: Graph, words: Ints) -> Saying | None:
    """The derivations that say these words, by number; None where there are none."""
    first, tail_ptr, tails, origin, whole = _items(graph, words)
    nothing = np.zeros(0, np.int32)
    return Saying(Graph(first, tail_ptr, tails, nothing, nothing), origin) if whole else None


@compiled
def _items(graph, words):  # type: ignore[no-untyped-def]
    """Items node by node, so that those of tails come first; and whether the last one is the root saying it all."""
    root, n = len(graph.first) - 2, len(words)
    known = np.zeros(max(0, graph.out.max() if len(graph.out) else 0) + 1, np.bool_)
    for word in words:
        known[word] = True
    of_node = np.zeros(
        root + 2, np.int64
    )  # items of node v are of_node[v] to of_node[v + 1], by start and end
    start, end, items = np.empty(ROOM, np.int32), np.empty(ROOM, np.int32), 0
    first, tail_ptr = np.zeros(ROOM, np.int32), np.zeros(ROOM, np.int32)
    origin, edges = np.empty(ROOM, np.int32), 0
    tails, places = np.empty(ROOM, np.int32), 0
    for v in range(root + 1):
        keys, found, below = _matches(graph, v, words, known, of_node, start, end)
        order = np.argsort(keys, kind="mergesort")
        for m in range(len(order)):
            key = keys[order[m]]
            if v == root and key != n:  # i = 0 and j = n
                continue
            if m == 0 or key != keys[order[m - 1]]:
                start, _ = append(start, items, key // (n + 1))
                end, items = append(end, items, key % (n + 1))
            e = found[order[m]]
            origin, edges = append(origin, edges, e)
            for i in range(graph.tail_ptr[e + 1] - graph.tail_ptr[e]):
                tails, places = append(tails, places, below[order[m], i])
            tail_ptr, _ = append(tail_ptr, edges, places)
            first, _ = append(first, items, edges)
        of_node[v + 1] = items
    whole = of_node[root + 1] > of_node[root]
    return (
        first[: items + 1].copy(),
        tail_ptr[: edges + 1].copy(),
        tails[:places].copy(),
        origin[:edges].copy(),
        whole,
    )


@compiled
def _matches(graph, v, words, known, of_node, start, end):  # type: ignore[no-untyped-def]
    """Every way in which an edge of node v says words i to j: i (n + 1) + j, the edge, and the items of its tails."""
    n = len(words)
    arity = length = 0
    for e in range(graph.first[v], graph.first[v + 1]):
        arity = max(arity, graph.tail_ptr[e + 1] - graph.tail_ptr[e])
        length = max(length, graph.out_ptr[e + 1] - graph.out_ptr[e])
    keys, edges, m = np.empty(8, np.int64), np.empty(8, np.int32), 0
    below = np.empty((8, arity), np.int32)
    place, item = np.empty(length + 1, np.int64), np.empty(length, np.int64)
    for e in range(graph.first[v], graph.first[v + 1]):
        if not _can_say(graph, e, known, of_node):
            continue
        begin, symbols = graph.out_ptr[e], graph.out_ptr[e + 1] - graph.out_ptr[e]
        for i in range(n + 1):
            place[0], k, forward = i, 0, True
            while k >= 0:
                if k == symbols:  # said: look for other ends of its tails
                    if m == len(keys):
                        keys, edges = np.append(keys, keys), np.append(edges, edges)
                        below = np.concatenate((below, below))
                    keys[m], edges[m] = i * (n + 1) + place[k], e
                    for s in range(symbols):
                        if graph.out[begin + s] < 0:
                            below[m, -1 - graph.out[begin + s]] = item[s]
                    m += 1
                    k, forward = k - 1, False
                    continue
                symbol = graph.out[begin + k]
                if symbol >= 0:
                    forward = forward and place[k] < n and words[place[k]] == symbol
                    if forward:
                        place[k + 1] = place[k] + 1
                else:
                    t = graph.tails[graph.tail_ptr[e] - 1 - symbol]
                    if forward:
                        item[k] = of_node[t] + np.searchsorted(start[of_node[t] : of_node[t + 1]], place[k])
                    else:
                        item[k] += 1
                    forward = item[k] < of_node[t + 1] and start[item[k]] == place[k]
                    if forward:
                        place[k + 1] = end[item[k]]
                k += 1 if forward else -1
    return keys[:m], edges[:m], below[:m]


@compiled
def _can_say(graph, e, known, of_node):  # type: ignore[no-untyped-def]
    """Whether the words of an edge occur in the output, and its tails say some part of it."""
    for k in range(graph.out_ptr[e], graph.out_ptr[e + 1]):
        if graph.out[k] >= 0 and not known[graph.out[k]]:
            return False
    for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
        if of_node[graph.tails[i]] == of_node[graph.tails[i] + 1]:
            return False
    return True
