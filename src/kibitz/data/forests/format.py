"""What a format of forests is: how a file of it begins, how forests are read from it and written in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kibitz.data.forests.lines import Lines
from kibitz.spaces.hypergraph.forest import Forest


class Named(NamedTuple):
    """A forest and what its file calls it; where a file gives no names, they count from 0."""

    id: str
    forest: Forest


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write forests down."""

    name: str
    what: str  # for people
    begins: Callable[[str], bool]  # whether a file whose first line is this one may be of the format
    parse: Callable[[Lines], Iterator[Named]]
    text: Callable[[Iterable[Named]], Iterator[str]]  # a piece for each forest
