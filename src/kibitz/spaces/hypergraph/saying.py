"""All derivations that say the same words, as a forest of their own.

A node of it is an item (v, i, j): node v saying words i to j of the output; an edge of it is an edge of the forest with
the items of its tails, and remembers which. Its derivations are those derivations of the forest that say the output, so
the same sums over it give the log-probability of the output, and the mean of anything given the output. The work is
that of a chart parser whose grammar is the forest, where few nodes can say any part of the output.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.spaces.compiled import compiled, fused, kernel
from kibitz.spaces.hypergraph.forest import Ints
from kibitz.spaces.hypergraph.graph import Graph
from kibitz.spaces.hypergraph.growing import ROOM, enough


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
    arity, length = _most(graph.tail_ptr), _most(graph.out_ptr)
    of_node = np.zeros(
        root + 2, np.int64
    )  # items of node v are of_node[v] to of_node[v + 1], by start and end
    start, end, items = np.empty(ROOM, np.int32), np.empty(ROOM, np.int32), 0
    first, tail_ptr = np.zeros(ROOM, np.int32), np.zeros(ROOM, np.int32)
    origin, edges = np.empty(ROOM, np.int32), 0
    tails, places = np.empty(ROOM, np.int32), 0
    found, below = np.empty((ROOM, 2), np.int64), np.empty((ROOM, arity), np.int32)
    place, item = np.empty(length + 1, np.int64), np.empty(length + 1, np.int64)
    for v in range(root + 1):
        m = 0
        for e in range(graph.first[v], graph.first[v + 1]):
            if _can_say(graph, e, known, of_node):
                more = -1
                while more < 0:
                    more = _match(graph, e, words, of_node, start, end, place, item, found, below, m)
                    if more < 0:
                        found, below = np.concatenate((found, found)), np.concatenate((below, below))
                m = more
        order = np.argsort(found[:m, 0], kind="mergesort")
        start, end, first = enough(start, items + m), enough(end, items + m), enough(first, items + m + 1)
        origin, tail_ptr = enough(origin, edges + m), enough(tail_ptr, edges + m + 1)
        tails = enough(tails, places + m * arity)
        before = -1
        for chosen in order:
            key, e = found[chosen, 0], found[chosen, 1]
            if v == root and key != n:  # i = 0 and j = n
                continue
            if key != before:
                start[items], end[items] = key // (n + 1), key % (n + 1)
                items += 1
            before = key
            for i in range(graph.tail_ptr[e + 1] - graph.tail_ptr[e]):
                tails[places] = below[chosen, i]
                places += 1
            origin[edges] = e
            edges += 1
            tail_ptr[edges], first[items] = places, edges
        of_node[v + 1] = items
    whole = of_node[root + 1] > of_node[root]
    return (
        first[: items + 1].copy(),
        tail_ptr[: edges + 1].copy(),
        tails[:places].copy(),
        origin[:edges].copy(),
        whole,
    )


@kernel
def _most(ptr):  # type: ignore[no-untyped-def]
    most = 0
    for e in range(len(ptr) - 1):
        most = max(most, ptr[e + 1] - ptr[e])
    return most


@fused
def _can_say(graph, e, known, of_node):  # type: ignore[no-untyped-def]
    """Whether the words of an edge occur in the output, and its tails say some part of it."""
    for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
        if of_node[graph.tails[i]] == of_node[graph.tails[i] + 1]:
            return False
    for k in range(graph.out_ptr[e], graph.out_ptr[e + 1]):
        if graph.out[k] >= 0 and not known[graph.out[k]]:
            return False
    return True


@fused
def _match(graph, e, words, of_node, start, end, place, item, found, below, m):  # type: ignore[no-untyped-def]
    """Note every way in which edge e says words i to j: i (n + 1) + j and e, and the items of the tails.

    Returns how many are noted then, or -1 where there is no room for all.
    """
    n = len(words)
    begin, symbols = graph.out_ptr[e], graph.out_ptr[e + 1] - graph.out_ptr[e]
    opening = graph.out[begin] if symbols > 0 else 0
    low, high = 0, n + 1
    if opening < 0:  # begin only where the first tail does
        t = graph.tails[graph.tail_ptr[e] - 1 - opening]
        low, high = of_node[t], of_node[t + 1]
    for candidate in range(low, high):
        i = start[candidate] if opening < 0 else candidate
        if opening < 0 and candidate > low and start[candidate - 1] == i:
            continue
        place[0], k, forward = i, 0, True
        while k >= 0:
            if k == symbols:  # said: look for other ends of its tails
                if m == len(found):
                    return -1
                found[m, 0], found[m, 1] = i * (n + 1) + place[k], e
                for s in range(symbols):
                    if graph.out[begin + s] < 0:
                        below[m, -1 - graph.out[begin + s]] = item[s]
                m += 1
                forward = False
            elif graph.out[begin + k] >= 0:
                forward = forward and place[k] < n and words[place[k]] == graph.out[begin + k]
                place[k + 1] = place[k] + 1
            else:
                t = graph.tails[graph.tail_ptr[e] - 1 - graph.out[begin + k]]
                item[k] = _first_from(start, of_node[t], of_node[t + 1], place[k]) if forward else item[k] + 1
                forward = item[k] < of_node[t + 1] and start[item[k]] == place[k]
                if forward:
                    place[k + 1] = end[item[k]]
            k += 1 if forward else -1
    return m


@fused
def _first_from(start, low, high, place):  # type: ignore[no-untyped-def]
    """The first of the items low to high that begins at ``place`` or after it."""
    while low < high:
        middle = (low + high) // 2
        if start[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low
