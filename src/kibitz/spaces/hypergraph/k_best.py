"""The k best derivations, found lazily (Huang and Chiang 2005, algorithm 3).

A candidate is an edge with a derivation for each of its tails, these being candidates themselves. Every node has a heap
of candidates, and a chain of those taken from it, its derivations in order, best first. Candidate v is the best one of
node v. The next of a node is looked for only when a node above needs it.

The successors of a candidate put the next derivation in the place of one tail's. They touch no tail before the one that
was touched last, so that every candidate is made once, and by one that is no worse.

What a node says depends on no more of its tails than what they say. So where only the best derivation of each yield is
wanted, a candidate that says what its node said before is left out at once, at every node: its successors are made, but
nothing above ever sees it. However many derivations say the same, they cost no more than those of one node.
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import compiled, kernel
from kibitz.spaces.hypergraph.derivation import best_below
from kibitz.spaces.hypergraph.fingerprint import PARTS, fill_mark, key
from kibitz.spaces.hypergraph.growing import ROOM, append

EDGE, TAIL, LEFT, RIGHT, AFTER, BELOW = range(6)  # TAIL: the next to touch; BELOW and on: those of the tails
NONE, LAST = -1, -2


@compiled
def k_best(graph, score, k, unique):  # type: ignore[no-untyped-def]
    """The k best, or all where there are fewer: their edges one after the other, where each begins, their scores.

    With ``unique`` of those that say the same only the best.
    """
    N, arity = len(graph.first) - 1, 0
    for e in range(len(graph.tail_ptr) - 1):
        arity = max(arity, graph.tail_ptr[e + 1] - graph.tail_ptr[e])
    made = np.full((N + ROOM, BELOW + arity), NONE, np.int64)
    total = np.empty(N + ROOM)
    choice = np.empty(N, np.int32)
    best_below(graph, score, total, choice)
    mark, said = np.empty((len(made) if unique else 1, PARTS), np.int64), {np.int64(0)}
    for v in range(N):
        _fill(graph, made, v, choice[v])
        if unique:
            fill_mark(graph, choice[v], made[v, BELOW:], mark, v)
            said.add(key(v, mark[v]))
    count = N
    last, tip, heap, begun = np.arange(N), np.arange(N), np.full(N, NONE), np.zeros(N, np.bool_)
    edges, n = np.empty(ROOM, np.int32), 0
    starts, scores, found = np.zeros(k + 1, np.int64), np.empty(k), 0
    stack, taken = np.empty(ROOM, np.int64), N - 1
    while found < k and taken != LAST:
        stack[0], depth = taken, 1
        while depth > 0:
            depth -= 1
            c = stack[depth]
            e = made[c, EDGE]
            edges, n = append(edges, n, e)
            for i in range(graph.tail_ptr[e + 1] - graph.tail_ptr[e] - 1, -1, -1):
                stack, depth = append(stack, depth, made[c, BELOW + i])
        scores[found] = total[taken]
        found += 1
        starts[found] = n
        if found < k:
            made, total, mark, count = _next(
                graph, score, choice, made, total, mark, count, last, tip, heap, begun, said, unique
            )
            taken = made[taken, AFTER]
    return edges[:n].copy(), starts[: found + 1].copy(), scores[:found].copy()


@compiled
def _next(  # type: ignore[no-untyped-def]
    graph, score, choice, made, total, mark, count, last, tip, heap, begun, said, unique
):
    """Take one more candidate of the root, and for that as many as are needed of the nodes below.

    Of each node, ``last`` is the candidate taken last from its heap, ``tip`` the last of its derivations.
    """
    stack, depth = np.empty(ROOM, np.int64), 1
    stack[0] = len(last) - 1
    while depth > 0:
        v = stack[depth - 1]
        if not begun[v]:  # every other edge, with the best of its tails
            begun[v] = True
            for e in range(graph.first[v], graph.first[v + 1]):
                if e != choice[v]:
                    made, total, mark = _room(made, total, mark, count, unique)
                    _fill(graph, made, count, e)
                    _weigh(graph, score, made, total, mark, count, unique)
                    heap[v] = _join(made, total, heap[v], count)
                    count += 1
        c = last[v]
        e = made[c, EDGE]
        arity, waiting = graph.tail_ptr[e + 1] - graph.tail_ptr[e], False
        while made[c, TAIL] < arity and not waiting:
            i = made[c, TAIL]
            after = made[made[c, BELOW + i], AFTER]
            if after == NONE:
                stack, depth = append(stack, depth, graph.tails[graph.tail_ptr[e] + i])
                waiting = True
                continue
            if after != LAST:
                made, total, mark = _room(made, total, mark, count, unique)
                made[count] = made[c]
                made[count, LEFT] = made[count, RIGHT] = made[count, AFTER] = NONE
                made[count, BELOW + i] = after
                _weigh(graph, score, made, total, mark, count, unique)
                heap[v] = _join(made, total, heap[v], count)
                count += 1
            made[c, TAIL] += 1
        if waiting:
            continue
        if heap[v] == NONE:
            made[tip[v], AFTER] = LAST
            depth -= 1
            continue
        last[v] = heap[v]
        heap[v] = _join(made, total, made[last[v], LEFT], made[last[v], RIGHT])
        if unique:
            saying = key(v, mark[last[v]])
            if saying in said:
                continue
            said.add(saying)
        made[tip[v], AFTER] = last[v]
        tip[v] = last[v]
        depth -= 1
    return made, total, mark, count


@kernel
def _fill(graph, made, c, e):  # type: ignore[no-untyped-def]
    """Candidate c: edge e with the best derivation of each tail."""
    made[c, EDGE], made[c, TAIL] = e, 0
    made[c, LEFT] = made[c, RIGHT] = made[c, AFTER] = NONE
    for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
        made[c, BELOW + i - graph.tail_ptr[e]] = graph.tails[i]


@kernel
def _weigh(graph, score, made, total, mark, c, unique):  # type: ignore[no-untyped-def]
    """Fill in the score of candidate c, and the fingerprint of what it says where that is wanted."""
    e = made[c, EDGE]
    total[c] = score[e]
    for i in range(graph.tail_ptr[e + 1] - graph.tail_ptr[e]):
        total[c] += total[made[c, BELOW + i]]
    if unique:
        fill_mark(graph, e, made[c, BELOW:], mark, c)


@kernel
def _join(made, total, a, b):  # type: ignore[no-untyped-def]
    """Two heaps as one (skew heaps: the children of every node on the way change places)."""
    root = place = NONE
    while a != NONE and b != NONE:
        if total[b] > total[a]:
            a, b = b, a
        if place == NONE:
            root = a
        else:
            made[place, LEFT] = a
        place = a
        a = made[place, RIGHT]
        made[place, RIGHT] = made[place, LEFT]
    rest = a if a != NONE else b
    if place == NONE:
        return rest
    made[place, LEFT] = rest
    return root


@compiled
def _room(made, total, mark, count, unique):  # type: ignore[no-untyped-def]
    """Room for one candidate more."""
    if count < len(made):
        return made, total, mark
    if unique:
        mark = np.concatenate((mark, np.empty_like(mark)))
    return np.concatenate((made, np.empty_like(made))), np.concatenate((total, np.empty_like(total))), mark
