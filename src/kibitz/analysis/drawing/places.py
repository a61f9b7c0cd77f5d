"""Where things stand in their rows: as near to above and below what they are joined to as their order allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from kibitz.analysis.drawing.layers import Layers

SWEEPS = 24
STRAIGHT = 8.0  # how much more a bend wants its place than a thing does: long lines should be straight


def places(layers: Layers, width: Callable[[int], float], column: float, gap: float) -> dict[int, float]:
    """The middle of every thing, where a column is ``column`` wide; bends have the width 0."""
    things = [thing for row in layers.rows for thing in row]
    x: dict[int, float] = {}
    for row in layers.rows:
        at = 0.0
        for thing in row:
            x[thing] = at + width(thing) / 2
            at += width(thing) + gap
    up: dict[int, list[tuple[int, float]]] = {thing: [] for thing in things}
    down: dict[int, list[tuple[int, float]]] = {thing: [] for thing in things}
    for link in layers.links:
        offset = link.port * column
        up[link.lower].append((link.upper, offset))
        down[link.upper].append((link.lower, -offset))
    for sweep in range(SWEEPS):
        above = sweep % 2 == 0
        for row in layers.rows if above else layers.rows[::-1]:
            wanted, pull = [], []
            for thing in row:
                ends = (up if above else down)[thing] or down[thing] or up[thing]
                wanted.append(sum(x[end] + offset for end, offset in ends) / len(ends) if ends else x[thing])
                pull.append(STRAIGHT if width(thing) == 0.0 else 1.0)
            apart = [(width(a) + width(b)) / 2 + gap for a, b in pairwise(row)]
            x.update(zip(row, apart_enough(wanted, pull, apart), strict=True))
    left = min(x[thing] - width(thing) / 2 for thing in things)
    return {thing: middle - left for thing, middle in x.items()}


def apart_enough(wanted: Sequence[float], pull: Sequence[float], apart: Sequence[float]) -> list[float]:
    """The x that minimise sum_i pull_i (x_i - wanted_i)^2 with x_i+1 - x_i >= apart_i.

    Less the distances summed so far this is isotonic regression: neighbours in the wrong order are pooled.
    """
    offset = [0.0]
    for distance in apart:
        offset.append(offset[-1] + distance)
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for at, weight, shift in zip(wanted, pull, offset, strict=True):
        mean, total, members = at - shift, weight, 1
        while pools and pools[-1][0] > mean:
            below, more, others = pools.pop()
            mean = (mean * total + below * more) / (total + more)
            total, members = total + more, members + others
        pools.append((mean, total, members))
    means = [mean for mean, _, members in pools for _ in range(members)]
    return [mean + shift for mean, shift in zip(means, offset, strict=True)]
