"""What is translated: a sentence, or a lattice of readings in Python Lattice Format.

A lattice has positions 0 to n; an arc goes from one position to a later one, says a word and has features. A sentence
is the lattice with one arc from each position to the next. In Python Lattice Format every position is a tuple of its
arcs, each ``('word', cost, ..., steps)``; the costs, none or more, become the features LatticeCost_0, LatticeCost_1,
...; in place of numbers there may be one ``{'Name': value}``.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.translation.grammar.grammar import Ints, pointers
from kibitz.translation.grammar.symbols import Symbols

UNREACHABLE = np.int32(1 << 20)
Arc = tuple[int, int, int, dict[int, float]]  # start, end, word, features


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Arcs sorted by where they end; arc a says ``word[a]`` from ``start[a]``."""

    end_ptr: Ints  # [positions + 1]: the arcs that end at each position
    start: Ints
    word: Ints
    features: tuple[dict[int, float], ...]  # of each arc
    distance: Ints  # [positions, positions]: the fewest arcs between two positions

    def __len__(self) -> int:
        """The number of the last position."""
        return len(self.end_ptr) - 2

    def arcs(self) -> list[Arc]:
        """The arcs one by one."""
        ends = np.repeat(np.arange(len(self) + 1), np.diff(self.end_ptr)).tolist()
        return list(zip(self.start.tolist(), ends, self.word.tolist(), self.features, strict=True))

    @classmethod
    def of(cls, arcs: Sequence[Arc], last: int) -> Lattice:
        """The lattice of these arcs from position 0 to position ``last``."""
        order = sorted(range(len(arcs)), key=lambda a: arcs[a][1])
        kept = [arcs[a] for a in order]
        ends = np.array([end for _, end, _, _ in kept], np.int64)
        return cls(
            pointers(np.bincount(ends, minlength=last + 1)),
            np.array([start for start, _, _, _ in kept], np.int32),
            np.array([word for _, _, word, _ in kept], np.int32),
            tuple([features for _, _, _, features in kept]),
            _distances(kept, last),
        )


def pack_lattice(lattice: Lattice, symbols: Symbols) -> dict[str, npt.NDArray[np.uint8]]:
    """The lattice as an array, words and features by their names."""
    words, names = symbols.words.names(), symbols.features.names()
    arcs = [
        (start, end, words[word], {names[f]: value for f, value in features.items()})
        for start, end, word, features in lattice.arcs()
    ]
    return {"lattice": np.frombuffer(json.dumps([len(lattice), arcs]).encode(), np.uint8)}


def unpack_lattice(arrays: Mapping[str, npt.NDArray[Any]], symbols: Symbols) -> Lattice:
    """The lattice that ``pack_lattice`` packed."""
    last, arcs = json.loads(arrays["lattice"].tobytes())
    words, number = symbols.words, symbols.features.number
    return Lattice.of(
        [(i, j, words.number(word), {number(f): v for f, v in named.items()}) for i, j, word, named in arcs],
        last,
    )


def lattice_of_words(words: Sequence[str], symbols: Symbols) -> Lattice:
    """A sentence as a lattice."""
    if not words:
        raise InputError("the sentence is empty: it should have at least one word")
    numbers = symbols.words.numbers(words)
    return Lattice.of([(i, i + 1, word, {}) for i, word in enumerate(numbers)], len(numbers))


def parse_lattice(text: str, symbols: Symbols) -> Lattice:
    """The lattice that a line of Python Lattice Format describes."""
    try:
        positions = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise InputError(
            "this lattice is not in Python Lattice Format, such as ((('word', 0.5, 1),),)"
        ) from error
    if not isinstance(positions, tuple) or not positions:
        raise InputError("this lattice should be a tuple of positions, each a tuple of arcs")
    arcs = [
        _arc(arc, i, len(positions), symbols)
        for i, out in enumerate(positions)
        for arc in (out if isinstance(out, tuple) else (out,))
    ]
    lattice = Lattice.of(arcs, len(positions))
    if lattice.distance[0, len(positions)] == UNREACHABLE:
        raise InputError("no path of this lattice leads from its beginning to its end")
    return lattice


def _arc(arc: Any, start: int, last: int, symbols: Symbols) -> Arc:
    """One arc: a word, its features, and how many positions on it ends."""
    if not isinstance(arc, tuple) or len(arc) < 2 or not isinstance(arc[0], str) or not arc[0]:
        raise InputError(f"the arc {arc!r} of position {start} should be ('word', cost, steps)")
    word, *costs, steps = arc
    if not isinstance(steps, int) or not 1 <= steps <= last - start:
        raise InputError(f"the arc {arc!r} of position {start} should end 1 to {last - start} positions on")
    named: dict[str, Any] = {}
    for place, cost in enumerate(costs):
        named.update(cost if isinstance(cost, dict) else {f"LatticeCost_{place}": cost})
    if not all(isinstance(value, int | float) and isfinite(value) for value in named.values()):
        raise InputError(f"the costs of the arc {arc!r} of position {start} should be finite numbers")
    features = {symbols.features.number(name): float(value) for name, value in named.items() if value}
    return start, start + steps, symbols.words.number(word), features


def _distances(arcs: Sequence[Arc], last: int) -> Ints:
    """distance[i, j] = 1 + the least distance[i, start] over the arcs that end at j."""
    distance = np.full((last + 1, last + 1), UNREACHABLE, np.int32)
    np.fill_diagonal(distance, 0)
    for start, end, _, _ in arcs:
        np.minimum(distance[:, end], distance[:, start] + 1, out=distance[:, end])
    return np.minimum(distance, UNREACHABLE)
