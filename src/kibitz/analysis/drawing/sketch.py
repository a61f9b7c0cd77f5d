"""What of a forest is drawn, and in which words: all of it, or the part that some edges make."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from kibitz.analysis.numbers import number
from kibitz.spaces.hypergraph.forest import Edge, Forest

NAME = 18  # columns that a name may take
SAID = 44  # columns that what an edge says may take


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that an edge says, or the name of a tail: then ``tail`` is its number."""

    text: str
    tail: int | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """An edge as it is drawn: one way to make its head."""

    head: int
    tails: tuple[int, ...]
    pieces: tuple[Piece, ...]
    probability: float | None
    best: bool  # whether it is part of the derivation that stands out
    details: str  # everything, unshortened

    @property
    def said(self) -> str:
        """What it says, a blank between pieces."""
        return " ".join(piece.text for piece in self.pieces)

    def spread(self) -> list[tuple[Piece, float]]:
        """Every piece, and how many columns its middle lies to the right of the middle of all of them."""
        found, at = [], -columns(self.said) / 2
        for piece in self.pieces:
            wide = columns(piece.text)
            found.append((piece, at + wide / 2))
            at += wide + 1
        return found


@dataclass(frozen=True, slots=True)
class Sketch:
    """Nodes in the order of the forest, the root last; ``hidden`` counts the edges of each that are left out."""

    names: tuple[str, ...]
    hidden: tuple[int, ...]
    ways: tuple[Way, ...]


def sketch(
    forest: Forest,
    *,
    probabilities: Sequence[float] | None = None,
    best: Collection[int] = (),
    edges: Collection[int] | None = None,
) -> Sketch:
    """The forest, or its edges with the numbers ``edges``, which should be those of whole derivations.

    ``probabilities`` has one for every edge of the forest; the edges in ``best`` stand out.
    """
    place: dict[str, int] = {}
    hidden: Counter[str] = Counter()
    ways: list[Way] = []
    for e, edge in enumerate(forest.edges()):
        if edges is not None and e not in edges:
            hidden[edge.head] += 1
            continue
        head = place.setdefault(edge.head, len(place))
        tails = tuple([place[tail] for tail in edge.tails])
        p = None if probabilities is None else float(probabilities[e])
        ways.append(Way(head, tails, _pieces(edge), p, e in best, _details(edge, p)))
    names = tuple([shortened(name, NAME) for name in place])
    return Sketch(names, tuple([hidden[name] for name in place]), tuple(ways))


def columns(text: str) -> int:
    """How many columns a text takes where all letters are equally wide, but those of East Asia twice that."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def shortened(text: str, limit: int) -> str:
    """At most ``limit`` columns of a text, with an ellipsis where something is left out."""
    text = _printable(text)
    if columns(text) <= limit:
        return text
    while columns(text) > limit - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def _pieces(edge: Edge) -> tuple[Piece, ...]:
    """What the edge says; where that is long, each run of words is shortened, and no tail is left out."""
    runs: list[Piece] = []
    for words, group in groupby(edge.output, key=lambda symbol: isinstance(symbol, str)):
        if words:
            runs.append(Piece(" ".join(map(str, group))))
        else:
            runs += [Piece(edge.tails[int(slot)], int(slot)) for slot in group]
    share = max(6, SAID // max(1, len(runs)))
    return tuple(
        [
            Piece(shortened(run.text, min(NAME, share) if run.tail is not None else share), run.tail)
            for run in runs
        ]
    )


def _details(edge: Edge, probability: float | None) -> str:
    said = " ".join(
        symbol if isinstance(symbol, str) else f"[{edge.tails[symbol]}]" for symbol in edge.output
    )
    lines = [f"{edge.head} → {said or 'nothing'}"]
    if probability is not None:
        lines.append(f"probability {number(probability)}")
    lines += [f"{name} = {number(value)}" for name, value in edge.features.items()]
    return "\n".join(map(_printable, lines))


def _printable(text: str) -> str:
    """The text with a mark in place of what no picture can show, and no XML file can hold."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
