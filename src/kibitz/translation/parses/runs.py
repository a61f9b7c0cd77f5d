"""The edges of a parse in runs.

Rules with the same source side fit the same places, and stand beside each other in a grammar. So most edges of a node
have the tails of the edge before them, and the next application: a run is its first application, its length, its tails.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.compiled import compiled, kernel
from kibitz.translation.grammar.grammar import Ints, pointers


class Runs(NamedTuple):
    """Runs of a node v are those from ``first[v]`` to ``first[v + 1]``; their tails stand one after the other."""

    first: npt.NDArray[np.integer]
    rule: npt.NDArray[np.integer]
    length: npt.NDArray[np.integer]
    tails: npt.NDArray[np.integer]


class Edges(NamedTuple):
    """The same edge by edge, as a parse has them."""

    first: Ints
    rule: Ints
    tail_ptr: Ints
    tails: Ints


def runs_of(edges: Edges) -> Runs:
    """Edges in runs, as long as they can be."""
    begins = np.zeros(len(edges.rule) + 1, np.bool_)
    _mark(*edges, begins)
    start = np.flatnonzero(begins)
    kept = start[:-1]
    arity = np.diff(edges.tail_ptr)[kept]
    place = np.arange(arity.sum()) + np.repeat(edges.tail_ptr[kept] - pointers(arity)[:-1], arity)
    first = np.searchsorted(start, edges.first)
    return Runs(first, edges.rule[kept], np.diff(start), edges.tails[place])


def edges_of(runs: Runs, arity: Ints) -> Edges:
    """The edges of runs; ``arity`` is that of every application."""
    first, rule, length, tails = (column.astype(np.int32) for column in runs)
    return Edges(*_spread(first, rule, length, tails, arity))


@kernel
def _mark(first, rule, tail_ptr, tails, begins):  # type: ignore[no-untyped-def]
    """Mark the edges that go on with no run, and the end."""
    for v in range(len(first) - 1):
        for e in range(first[v], first[v + 1]):
            arity = tail_ptr[e + 1] - tail_ptr[e]
            if e == first[v] or rule[e] != rule[e - 1] + 1 or tail_ptr[e] - tail_ptr[e - 1] != arity:
                begins[e] = True
                continue
            for t in range(tail_ptr[e], tail_ptr[e + 1]):
                if tails[t] != tails[t - arity]:
                    begins[e] = True
    begins[len(rule)] = True


@compiled
def _spread(first_run, run_rule, length, run_tails, arity):  # type: ignore[no-untyped-def]
    edges = places = 0
    for r in range(len(run_rule)):
        edges += length[r]
        places += length[r] * arity[run_rule[r]]
    first = np.empty(len(first_run), np.int32)
    rule, tail_ptr = np.empty(edges, np.int32), np.empty(edges + 1, np.int32)
    tails = np.empty(places, np.int32)
    e = t = own = 0
    for v in range(len(first_run) - 1):
        first[v] = e
        for r in range(first_run[v], first_run[v + 1]):
            for i in range(length[r]):
                rule[e], tail_ptr[e] = run_rule[r] + i, t
                e += 1
                for k in range(arity[run_rule[r]]):
                    tails[t] = run_tails[own + k]
                    t += 1
            own += arity[run_rule[r]]
    first[len(first_run) - 1], tail_ptr[edges] = e, t
    return first, rule, tail_ptr, tails
