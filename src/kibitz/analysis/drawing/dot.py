"""A sketch in Graphviz's language DOT: ovals are nodes, boxes the ways to make them."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.analysis.drawing.sketch import Sketch
from kibitz.analysis.numbers import number

BEST = "#0072b2"


def as_dot(sketch: Sketch) -> str:
    """The text of a DOT file; lines to tails are numbered where a way has several."""
    return "digraph forest {\n" + "".join(f"  {line}\n" for line in _statements(sketch)) + "}\n"


def _statements(sketch: Sketch) -> Iterator[str]:
    yield "graph [ordering=out];"
    yield 'node [fontname="monospace", fontsize=12];'
    yield 'edge [fontname="monospace", fontsize=10, arrowhead=none];'
    for v, (name, hidden) in enumerate(zip(sketch.names, sketch.hidden, strict=True)):
        label = f"{name} +{hidden}" if hidden else name
        yield f"n{v} [label={_quoted(label)}, shape=oval];"
    for w, way in enumerate(sketch.ways):
        colour = f', color="{BEST}"' if way.best else ""
        yield f"w{w} [label={_quoted(way.said)}, shape=box, tooltip={_quoted(way.details)}{colour}];"
        odds = "" if way.probability is None else f"label={_quoted(number(way.probability))}"
        yield f"n{way.head} -> w{w} [{odds}{colour if odds else colour[2:]}];"
        slots = [piece.tail for piece in way.pieces if piece.tail is not None]
        for place, slot in enumerate(slots, start=1):
            which = f'label="{place}"' if len(slots) > 1 else ""
            yield f"w{w} -> n{way.tails[slot]} [{which}{colour if which else colour[2:]}];"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
