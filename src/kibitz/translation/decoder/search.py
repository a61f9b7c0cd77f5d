"""Cube pruning: the parse with language models, as much of it as is worth having.

A node of the result is a node v of the parse with a *state* for each model, the fragment (left, right) of what it
says. A *candidate* for v is one of its edges with a node of the result for each of its tails. It adds to their scores

    w . phi(application) + sum_m w_m (score of the application's fragments + change by joining its parts)

Of the edges of v only the ``pop_limit`` best are tried, as they are before their parts are joined, which is what takes
time. The best candidate is taken first, again and again, up to ``pop_limit`` times or until it is worse than the best
one of v by more than ``beam``. It becomes an edge, of an old node where its state is known and of a new one where it is
not; its successors have the next best node in the place of one tail's. They touch no tail before the one touched last,
so that every candidate is made once. With no limit and no beam the result holds every derivation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.grammar.grammar import Floats, Ints
from kibitz.translation.language_model.fragments import join

FULL = -1  # the room was too small


class Room(NamedTuple):
    """Memory that is used again for every search; what holds a number a model or a tail has that many columns."""

    left: Ints  # of nodes, which stand in the order of their parse nodes, best first within each
    right: Ints
    best: Floats  # the score of the best derivation
    ranked: Ints
    block: Ints  # [parse nodes + 1]: where the nodes of each begin
    head: Ints  # of edges, in the order in which they were found
    origin: Ints  # the edge of the parse
    tails: Ints
    local: Floats  # what the edge adds to the score
    change: Floats  # what joining adds to each model's log10 p
    edge: Ints  # of candidates
    place: Ints  # the rank of each tail's node
    new_left: Ints
    new_right: Ints
    new_change: Floats
    added: Floats
    total: Floats
    heap: Ints
    slot: Ints  # the nodes of one parse node, by hashing their states
    owner: Ints  # the parse node that a slot's content belongs to


class Size(NamedTuple):
    """How much a room holds: nodes of the parse, tails of an edge, edges, candidates of one node of the parse."""

    nodes: int
    arity: int
    edges: int
    candidates: int


def room_for(size: Size, models: int) -> Room:
    """Room of that size; it has no more nodes than edges."""
    M, A = max(models, 1), max(size.arity, 1)
    slots = 1 << int(2 * size.candidates).bit_length()
    return Room(
        left=np.zeros((size.edges, M), np.int32),
        right=np.zeros((size.edges, M), np.int32),
        best=np.zeros(size.edges),
        ranked=np.zeros(size.edges, np.int32),
        block=np.zeros(size.nodes + 1, np.int32),
        head=np.zeros(size.edges, np.int32),
        origin=np.zeros(size.edges, np.int32),
        tails=np.zeros((size.edges, A), np.int32),
        local=np.zeros(size.edges),
        change=np.zeros((size.edges, M)),
        edge=np.zeros(size.candidates, np.int32),
        place=np.zeros((size.candidates, A), np.int32),
        new_left=np.zeros((size.candidates, M), np.int32),
        new_right=np.zeros((size.candidates, M), np.int32),
        new_change=np.zeros((size.candidates, M)),
        added=np.zeros(size.candidates),
        total=np.zeros(size.candidates),
        heap=np.zeros(size.candidates, np.int32),
        slot=np.zeros(slots, np.int32),
        owner=np.zeros(slots, np.int32),
    )


@kernel
def search(graph, rule, parts, score, weight, tables, scratches, pop_limit, beam, room):  # type: ignore[no-untyped-def]
    """Fill the room; returns the numbers of nodes and edges, the first FULL where the room is too small.

    ``score`` is w . phi of every application with its fragments, ``weight`` is that of each model's log10 p.
    """
    V = len(graph.first) - 1
    nodes = edges = 0
    for i in range(len(room.owner)):
        room.owner[i] = -1
    for v in range(V):
        room.block[v] = nodes
        if graph.first[v + 1] - graph.first[v] > len(room.edge):
            return FULL, edges
        count = size = 0
        for _ in range(_likeliest(graph, rule, score, room, v, pop_limit)):
            for i in range(graph.tail_ptr[room.edge[count] + 1] - graph.tail_ptr[room.edge[count]]):
                room.place[count, i] = 0
            _weigh(graph, rule, parts, score, weight, tables, scratches, room, count)
            size = _push(room, size, count)
            count += 1
        top = room.total[room.heap[0]]
        pops = 0
        while size > 0 and pops < pop_limit and room.total[room.heap[0]] >= top - beam:
            c = room.heap[0]
            size = _pop(room, size)
            pops += 1
            e = room.edge[c]
            arity = graph.tail_ptr[e + 1] - graph.tail_ptr[e]
            if count + arity > len(room.edge) or edges == len(room.head):
                return FULL, edges
            if v == V - 1:
                for m in range(len(weight)):  # what is complete is one, whatever it ends with
                    room.new_left[c, m] = room.new_right[c, m] = 0
            u, is_new = _node_of_state(room, v, c, nodes, len(weight))
            nodes += is_new
            room.best[u] = max(room.best[u], room.total[c])
            room.head[edges], room.origin[edges], room.local[edges] = u, e, room.added[c]
            for i in range(arity):
                room.tails[edges, i] = room.ranked[
                    room.block[graph.tails[graph.tail_ptr[e] + i]] + room.place[c, i]
                ]
            for m in range(len(weight)):
                room.change[edges, m] = room.new_change[c, m]
            edges += 1
            for i in range(arity - 1, -1, -1):
                t = graph.tails[graph.tail_ptr[e] + i]
                if room.place[c, i] + 1 < room.block[t + 1] - room.block[t]:
                    room.edge[count] = e
                    for k in range(arity):
                        room.place[count, k] = room.place[c, k]
                    room.place[count, i] += 1
                    _weigh(graph, rule, parts, score, weight, tables, scratches, room, count)
                    size = _push(room, size, count)
                    count += 1
                if room.place[c, i] > 0:
                    break
        _rank(room, room.block[v], nodes)
        room.block[v + 1] = nodes
    return nodes, edges


@fused
def _likeliest(graph, rule, score, room, v, most):  # type: ignore[no-untyped-def]
    """Write the best edges of v into the room, as they are before their parts are joined; returns how many.

    Joining is what takes time, and no more than ``most`` will be taken.
    """
    lo, count = graph.first[v], graph.first[v + 1] - graph.first[v]
    for c in range(count):
        e = lo + c
        total = score[rule[e]]
        for t in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
            total += room.best[room.ranked[room.block[graph.tails[t]]]]
        room.edge[c], room.total[c] = e, total
    if count > most:
        _best_first(room.edge, room.total, count, most)
    return min(count, most)


@fused
def _best_first(edge, total, count, most):  # type: ignore[no-untyped-def]
    """Bring the ``most`` best of the first ``count`` to the front, in any order, by quickselect."""
    lo, hi = 0, count - 1
    while lo < hi:
        pivot, i, j = total[(lo + hi) >> 1], lo, hi
        while i <= j:
            while total[i] > pivot:
                i += 1
            while total[j] < pivot:
                j -= 1
            if i <= j:
                total[i], total[j] = total[j], total[i]
                edge[i], edge[j] = edge[j], edge[i]
                i += 1
                j -= 1
        if most <= j:
            hi = j
        elif most > i:
            lo = i
        else:
            break


@fused
def _weigh(graph, rule, parts, score, weight, tables, scratches, room, c):  # type: ignore[no-untyped-def]
    """Fill in the states, changes and scores of candidate c."""
    e = room.edge[c]
    a = rule[e]
    begin = graph.tail_ptr[e]
    below = 0.0
    for i in range(graph.tail_ptr[e + 1] - begin):
        below += room.best[room.ranked[room.block[graph.tails[begin + i]] + room.place[c, i]]]
    added = score[a]
    for m in range(len(weight)):
        left = right = np.int32(0)
        change = 0.0
        for k in range(parts.ptr[a], parts.ptr[a + 1]):
            part = parts.part[k]
            if part >= 0:
                next_left, next_right = parts.left[m, part], parts.right[m, part]
            else:
                i = -1 - part
                u = room.ranked[room.block[graph.tails[begin + i]] + room.place[c, i]]
                next_left, next_right = room.left[u, m], room.right[u, m]
            more, left, right = join(tables[m], scratches[m], left, right, next_left, next_right)
            change += more
        room.new_left[c, m], room.new_right[c, m], room.new_change[c, m] = left, right, change
        added += weight[m] * change
    room.added[c], room.total[c] = added, below + added


@fused
def _node_of_state(room, v, c, nodes, models):  # type: ignore[no-untyped-def]
    """The node of v with the state of candidate c, and whether it is new."""
    mixed = np.uint64(v)
    for m in range(models):
        mixed = (mixed ^ np.uint64(room.new_left[c, m])) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ np.uint64(room.new_right[c, m])) * np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(32)
    place = np.int64(mixed & np.uint64(len(room.slot) - 1))
    while room.owner[place] == v:
        u = room.slot[place]
        same = True
        for m in range(models):
            same = (
                same and room.left[u, m] == room.new_left[c, m] and room.right[u, m] == room.new_right[c, m]
            )
        if same:
            return u, 0
        place = (place + 1) & (len(room.slot) - 1)
    room.owner[place], room.slot[place] = v, nodes
    for m in range(models):
        room.left[nodes, m], room.right[nodes, m] = room.new_left[c, m], room.new_right[c, m]
    room.best[nodes] = room.total[c]
    room.ranked[nodes] = nodes
    return np.int32(nodes), 1


@fused
def _push(room, size, c):  # type: ignore[no-untyped-def]
    """Put a candidate on the heap, best on top; returns the new size."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if room.total[room.heap[above]] >= room.total[c]:
            break
        room.heap[place] = room.heap[above]
        place = above
    room.heap[place] = c
    return size + 1


@fused
def _pop(room, size):  # type: ignore[no-untyped-def]
    """Take the best candidate from the heap; returns the new size."""
    size -= 1
    c = room.heap[size]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        if below + 1 < size and room.total[room.heap[below + 1]] > room.total[room.heap[below]]:
            below += 1
        if room.total[room.heap[below]] <= room.total[c]:
            break
        room.heap[place] = room.heap[below]
        place = below
    room.heap[place] = c
    return size


@fused
def _rank(room, lo, hi):  # type: ignore[no-untyped-def]
    """Sort the nodes lo to hi by their best score; they are nearly sorted, having been found best first."""
    for i in range(lo + 1, hi):
        u = room.ranked[i]
        k = i
        while k > lo and room.best[room.ranked[k - 1]] < room.best[u]:
            room.ranked[k] = room.ranked[k - 1]
            k -= 1
        room.ranked[k] = u
