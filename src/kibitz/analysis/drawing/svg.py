"""A sketch as SVG: the root on top, below each node the ways to make it, below each way its tails.

What a way says stands in its box, and a line to a tail leaves from that tail's name in it. The more probable a way,
the stronger its lines; the derivation that stands out is blue.
"""

from __future__ import annotations

from html import escape

from kibitz.analysis.drawing.layers import Line, layers
from kibitz.analysis.drawing.places import places
from kibitz.analysis.drawing.sketch import Sketch, Way, columns
from kibitz.analysis.numbers import number

COLUMN = 7.3  # the width of a letter of 12 pixels in any monospaced typeface
ODDS_COLUMN = 6.4  # and of one of 10.5 pixels
BASE = 4.2  # of a letter, below its middle
BOX, NARROW, GAP, BETWEEN, MARGIN = 24.0, 44.0, 20.0, 34.0, 14.0

STYLE = """
  text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1c2530; }
  text { text-anchor: middle; white-space: pre; }
  .sheet { fill: #ffffff; }
  .node { fill: #e6eef8; stroke: #7f9fc8; stroke-width: 1.2; }
  .way { fill: #f4f5f7; stroke: #c4cad2; }
  .line { fill: none; stroke: #7d8896; }
  .tail { fill: #35618f; font-style: italic; }
  .odds { font-size: 10.5px; fill: #59636e; stroke: #ffffff; stroke-width: 3; paint-order: stroke; }
  .best.line { stroke: #0072b2; }
  .best.way { fill: #e3f1fa; stroke: #0072b2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8edf3; }
    .sheet { fill: #161b22; }
    .node { fill: #22344b; stroke: #5f83b3; }
    .way { fill: #272d35; stroke: #4d5662; }
    .tail { fill: #9cc3ee; }
    .odds { fill: #b3bcc7; stroke: #161b22; }
    .best.line, .best.way { stroke: #56b4e9; }
    .best.way { fill: #143247; }
  }
"""


def as_svg(sketch: Sketch, *, title: str = "A forest") -> str:
    """The picture as the text of an SVG file."""
    return _Drawing(sketch).svg(title)


class _Drawing:
    """The sketch with everything in its place."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch, self.layers = sketch, layers(sketch)
        self.labels = [
            f"{name} +{hidden}" if hidden else name
            for name, hidden in zip(sketch.names, sketch.hidden, strict=True)
        ]
        self.widths = [columns(label) * COLUMN + 20 for label in self.labels]
        self.widths += [max(columns(way.said) * COLUMN + 16, NARROW) for way in sketch.ways]
        self.x = places(self.layers, self.width, COLUMN, GAP)
        self.y: dict[int, float] = {}
        for r, row in enumerate(self.layers.rows):
            self.y |= dict.fromkeys(row, BOX / 2 + r * (BOX + BETWEEN))

    def svg(self, title: str) -> str:
        """All of it: lines first, so that boxes lie above them, strong lines above weak ones."""
        wide = max(x + self.width(thing) / 2 for thing, x in self.x.items()) + 2 * MARGIN
        high = len(self.layers.rows) * (BOX + BETWEEN) - BETWEEN + 2 * MARGIN
        ways = self.sketch.ways
        lines = sorted(self.layers.lines, key=lambda line: (ways[line.way].best, _share(ways[line.way])))
        body = [
            *map(self.line, lines),
            *(self.way(way, len(self.labels) + w) for w, way in enumerate(ways)),
            *(self.node(label, v) for v, label in enumerate(self.labels)),
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" '
            f'width="{wide:.0f}" height="{high:.0f}" role="img" aria-labelledby="title desc">\n'
            f'<title id="title">{escape(title)}</title>\n<desc id="desc">{escape(self.described())}</desc>\n'
            f'<style>{STYLE}</style>\n<rect class="sheet" width="100%" height="100%" rx="6"/>\n'
            f'<g transform="translate({MARGIN:.0f} {MARGIN:.0f})">\n' + "\n".join(body) + "\n</g>\n</svg>\n"
        )

    def described(self) -> str:
        """For those who cannot see it."""
        names = self.sketch.names
        ways = "; ".join(f"{names[way.head]}: {way.said}" for way in reversed(self.sketch.ways))
        return f"The root is {names[-1]}. Each node and the ways to make it: {ways}."

    def width(self, thing: int) -> float:
        """Of a box; a bend has none."""
        return self.widths[thing] if thing < len(self.widths) else 0.0

    def line(self, line: Line) -> str:
        """A curve through all that the line touches, upright where it passes a row."""
        way = self.sketch.ways[line.way]
        at, height = self.x[line.things[0]] + line.port * COLUMN, self.y[line.things[0]] + BOX / 2
        path = f"M{at:.1f} {height:.1f}"
        for thing in line.things[1:]:
            x, top = self.x[thing], self.y[thing] - BOX / 2
            middle = (height + top) / 2
            path += f" C{at:.1f} {middle:.1f} {x:.1f} {middle:.1f} {x:.1f} {top:.1f}"
            at, height = x, top
            if thing != line.things[-1]:
                height += BOX
                path += f" V{height:.1f}"
        share = _share(way)
        strong = f'stroke-width="{0.9 + 2.1 * share:.2f}" stroke-opacity="{0.35 + 0.65 * share:.2f}"'
        return f'<path class="{_best(way)}line" {strong} d="{path}"/>'

    def node(self, label: str, thing: int) -> str:
        """A node: a rounded box with its name, and how many of its edges are not drawn."""
        x, y = self.x[thing], self.y[thing]
        return _box("node", x, y, self.width(thing), BOX / 2) + _text("", x, y, label)

    def way(self, way: Way, thing: int) -> str:
        """An edge: a box with what it says, everything of it in a tooltip, its probability above."""
        x, y = self.x[thing], self.y[thing]
        said = [
            _text("tail" if piece.tail is not None else "", x + port * COLUMN, y, piece.text)
            for piece, port in way.spread()
        ]
        odds = "" if way.probability is None else self.odds(number(way.probability), x, y, self.x[way.head])
        box = _box(f"{_best(way)}way", x, y, self.width(thing), 3)
        return f"<g><title>{escape(way.details)}</title>{box}{''.join(said)}{odds}</g>"

    def odds(self, text: str, x: float, y: float, head: float) -> str:
        """A probability above a box, on the side that the line from the head does not come from."""
        away = (len(text) * ODDS_COLUMN / 2 + 5) * (-1 if head > x + 1 else 1)
        return _text("odds", x + away, y - BOX / 2 - 8, text)


def _share(way: Way) -> float:
    """How strong its lines are, from 0 to 1."""
    share = 1.0 if way.probability is None else min(way.probability, 1.0)
    return max(share, 0.5) if way.best else share


def _best(way: Way) -> str:
    return "best " if way.best else ""


def _box(kind: str, x: float, y: float, width: float, round: float) -> str:
    return (
        f'<rect class="{kind}" x="{x - width / 2:.1f}" y="{y - BOX / 2:.1f}" width="{width:.1f}" '
        f'height="{BOX:.0f}" rx="{round:.0f}"/>'
    )


def _text(kind: str, x: float, y: float, text: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y + BASE:.1f}">{escape(text)}</text>'
