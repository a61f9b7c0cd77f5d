"""The order of things: every node and way of a sketch gets a row, and a place in it so that few lines cross.

Rows of nodes and rows of ways alternate, the root is alone in the first. A line that passes rows has a bend in each.
After Sugiyama, Tagawa and Toda (1981): rows are ordered by the mean places of what they are joined to, up and down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kibitz.analysis.drawing.sketch import Sketch

SWEEPS = 16
OUT_OF_ORDER = 4
_PORT = (
    1 / 200
)  # of a place that a column of a port counts: it decides between neighbours, and moves nothing else


class Link(NamedTuple):
    """A piece of a line, from one row to the next; ``port`` columns right of the middle of the upper thing."""

    upper: int
    lower: int
    port: float
    way: int


class Line(NamedTuple):
    """From a head to its way, or from a way to a tail: the things it touches, top to bottom."""

    way: int
    port: float
    things: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """Things are numbered: nodes, then ways, then the bends of lines."""

    rows: tuple[tuple[int, ...], ...]
    links: tuple[Link, ...]
    lines: tuple[Line, ...]


def layers(sketch: Sketch) -> Layers:
    """Rows by the longest way from the root; places by what is said where, or by sweeps if fewer lines cross then."""
    nodes = len(sketch.names)
    row = _rows(sketch)
    links: list[Link] = []
    lines: list[Line] = []

    def line(way: int, upper: int, lower: int, port: float) -> None:
        touched = [upper]
        for r in range(row[upper] + 1, row[lower] + 1):
            thing = lower if r == row[lower] else len(row)
            if thing == len(row):
                row.append(r)
            links.append(Link(touched[-1], thing, port if len(touched) == 1 else 0.0, way))
            touched.append(thing)
        lines.append(Line(way, port, tuple(touched)))

    for w, way in enumerate(sketch.ways):
        line(w, way.head, nodes + w, 0.0)
        for piece, port in way.spread():
            if piece.tail is not None:
                line(w, nodes + w, way.tails[piece.tail], port)
    rows: list[list[int]] = [[] for _ in range(max(row) + 1)]
    said = _said_at(sketch, lines, len(row))
    for thing in sorted(range(len(row)), key=said.__getitem__):
        rows[row[thing]].append(thing)
    return Layers(tuple(map(tuple, _ordered(rows, links))), tuple(links), tuple(lines))


def _rows(sketch: Sketch) -> list[int]:
    """The row of every node and way. The tails of a way have smaller numbers than its head."""
    row = [0] * (len(sketch.names) + len(sketch.ways))
    for w in sorted(range(len(sketch.ways)), key=lambda w: -sketch.ways[w].head):
        way = sketch.ways[w]
        row[len(sketch.names) + w] = row[way.head] + 1
        for tail in way.tails:
            row[tail] = max(row[tail], row[way.head] + 2)
    return row


def _said_at(sketch: Sketch, lines: Sequence[Line], things: int) -> list[float]:
    """Where in the output, from 0 to 1, a thing is said, if each way shares what its head says equally among tails."""
    nodes = len(sketch.names)
    below: list[list[Line]] = [[] for _ in range(nodes + len(sketch.ways))]
    for line in lines:
        below[line.things[0]].append(line)
    stretches: list[list[tuple[float, float]]] = [[] for _ in range(things)]
    stretches[nodes - 1].append((0.0, 1.0))
    for v in range(nodes - 1, -1, -1):
        start, end = (sum(ends) / len(ends) for ends in zip(*stretches[v], strict=True))
        stretches[v] = [(start, end)]
        for to_way in below[v]:
            way = to_way.things[-1]
            stretches[way].append((start, end))
            share = (end - start) / max(1, len(below[way]))
            for i, to_tail in enumerate(below[way]):
                for thing in to_tail.things[1:]:
                    stretches[thing].append((start + i * share, start + (i + 1) * share))
    return [(stretch[0][0] + stretch[0][1]) / 2 for stretch in stretches]


def _ordered(rows: list[list[int]], links: Sequence[Link]) -> list[list[int]]:
    """The rows with the fewest crossings of those that sweeps down and up meet, and of their mirror images."""
    best, fewest = rows, crossings(rows, links)
    met = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        _sweep(met, links, down=sweep % 2 == 0)
        for seen in ([list(row) for row in met], [row[::-1] for row in met]):
            count = crossings(seen, links)
            if count < fewest:
                best, fewest = seen, count
    return best


def _sweep(rows: list[list[int]], links: Sequence[Link], *, down: bool) -> None:
    """Order each row by the mean places of what it is joined to in the row before."""
    for r in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
        fixed = {thing: place for place, thing in enumerate(rows[r - 1 if down else r + 1])}
        wanted: dict[int, list[float]] = {thing: [] for thing in rows[r]}
        for upper, lower, port, _ in links:
            if down and upper in fixed and lower in wanted:
                wanted[lower].append(fixed[upper] + port * _PORT)
            elif not down and lower in fixed and upper in wanted:
                wanted[upper].append(fixed[lower] - port * _PORT)
        places = {t: sum(at) / len(at) if at else float(i) for i, (t, at) in enumerate(wanted.items())}
        rows[r].sort(key=places.__getitem__)


def crossings(rows: Sequence[Sequence[int]], links: Sequence[Link]) -> int:
    """How many pairs of lines cross; two of one way count more, for then its tails do not stand as it says them."""
    row = {thing: r for r, things in enumerate(rows) for thing in things}
    place = {thing: float(i) for things in rows for i, thing in enumerate(things)}
    between: list[list[tuple[float, float, int]]] = [[] for _ in rows]
    for upper, lower, port, way in links:
        between[row[upper]].append((place[upper] + port * _PORT, place[lower], way))
    return sum(
        OUT_OF_ORDER if a[2] == b[2] else 1
        for ends in between
        for i, a in enumerate(ends)
        for b in ends[:i]
        if (a[0] - b[0]) * (a[1] - b[1]) < 0
    )
