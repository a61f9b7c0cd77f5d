"""Which states a chain has, and which may follow which.

A *state* is what one position of the lattice can be: a label (order 1), or the pair of the previous label and this one
(order 2). Each state is one column of the weight rows. Forbidden states and steps do not exist here, so no weight can
bring them back, under ``+w`` or ``-w``.

The successors of a state are a range of columns, because columns are sorted by the label before (the *context*), then
by the label: ``(a, b)`` is followed by ``(b, .)``. The weight of a step is that of its target column in the row of the
source's context (order 1: the source's label; order 2: the label before it), so a transition is one more attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uint64

from kibitz.errors import InputError
from kibitz.spaces.compiled import fused

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

DENSE_UP_TO = 32  # states for which every pair has its place in the step matrix
SPECIALISED_UP_TO = 8  # states whose number is known to the compiler


class Topology(NamedTuple):
    """The arrays that the lattice kernels read."""

    columns: int
    contexts: int
    first: Ints  # first[s] .. last[s]: the columns that may follow state s
    last: Ints
    step: Ints  # step[s]: the row of the step matrix that state s uses
    context: Ints  # context[r]: the context whose weights row r of the step matrix reads
    mask: Floats  # [rows, columns]: 1 where the step exists
    initial: Floats  # 1 where a state may open
    final: Floats  # 1 where a state may close
    reachable: (
        Floats  # [depth, columns]: 1 where a state can be reached at that position (the last row holds on)
    )
    label: Ints  # the label of each state
    before: Ints  # the label before (order 2), -1 where there is none


@fused
def width(shape, columns):  # type: ignore[no-untyped-def]
    """The number of columns: known to the compiler for small models (a tuple of that length), else read."""
    return uint64(len(shape)) if len(shape) > 0 else uint64(columns)


def build_topology(
    labels: int,
    order: int,
    forbidden: frozenset[tuple[int, int]],
    initial: Sequence[int],
    final: Sequence[int],
    start: int | None,
    transitions: bool,
) -> Topology:
    """Enumerate the states, their steps and where they can be reached."""
    states = _states(labels, order, forbidden, initial, start)
    allowed = np.ones((labels, labels), dtype=bool)
    for a, b in forbidden:
        allowed[a, b] = False
    label = np.array([b for _, b in states], np.int32)
    before = np.array([a for a, _ in states], np.int32)
    if order == 1:
        context = label
        first, last = np.zeros_like(label), np.full_like(label, len(states))
        opens = np.array([b in initial and (start is None or bool(allowed[start, b])) for b in label])
    else:
        context = before
        first = np.searchsorted(before, label, side="left").astype(np.int32)
        last = np.searchsorted(before, label, side="right").astype(np.int32)
        edge = labels if start is None else start
        opens = np.array([a == edge and b in initial for a, b in states])
    contexts = int(context.max()) + 1
    if order == 1 or len(states) <= DENSE_UP_TO:
        step, rows = np.arange(len(states), dtype=np.int32), context
        mask = np.array([allowed[b, label] & (np.arange(len(states)) >= first[s]) & (np.arange(len(states)) < last[s])
                         for s, b in enumerate(label)])  # fmt: skip
    else:
        step, rows = context, np.arange(contexts, dtype=np.int32)
        mask = np.ones((contexts, len(states)), dtype=bool)
    following = [np.flatnonzero(mask[step[s]][first[s] : last[s]]) + first[s] for s in range(len(states))]
    if order == 1 or len(states) <= DENSE_UP_TO:
        first, last = np.zeros_like(first), np.full_like(last, len(states))
    closes = [b in final for b in label]
    return Topology(
        columns=len(states),
        contexts=contexts if transitions else 0,
        first=first,
        last=last,
        step=step.astype(np.int32),
        context=rows.astype(np.int32),
        mask=mask.astype(np.float64).ravel(),
        initial=opens.astype(np.float64),
        final=np.array(closes, np.float64),
        reachable=_reachable(following, opens).ravel(),
        label=label,
        before=np.where((before < labels) & (order == 2), before, -1).astype(np.int32),
    )


def _states(
    labels: int, order: int, forbidden: frozenset[tuple[int, int]], initial: Sequence[int], start: int | None
) -> list[tuple[int, int]]:
    if order == 1:
        return [(0, b) for b in range(labels)]
    pairs = [(a, b) for a in range(labels) for b in range(labels) if (a, b) not in forbidden]
    if start is None:  # a boundary of its own stands before the first label
        pairs += [(labels, b) for b in sorted(initial)]
    if not pairs:
        raise InputError(
            "every pair of labels is forbidden, so there is nothing to predict: allow some steps"
        )
    return pairs


def _reachable(following: list[npt.NDArray[np.intp]], opens: npt.NDArray[np.bool_]) -> Floats:
    """Which states a path can be in at position 0, 1, ... until the set repeats itself for good.

    Where it never does (a cycle of forbidden steps), the last row holds every state of the cycle.
    """
    rows = [opens]
    for _ in range(2 * len(opens)):
        row = np.zeros_like(opens)
        for s in np.flatnonzero(rows[-1]).tolist():
            row[following[s]] = True
        if (row == rows[-1]).all():
            return np.array(rows, np.float64)
        rows.append(row)
    return np.array([*rows, np.any(rows, axis=0)], np.float64)
