"""What a bench found: figures by room and name, and a table of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from kibitz.analysis.tables import Table


@dataclass(frozen=True, slots=True)
class Bench:
    """``figures`` by room and name; ``rows`` say what each means, with the bar it is held to."""

    figures: dict[str, dict[str, Any]]
    rows: tuple[tuple[str, str, str, str], ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The figures, nested by room."""
        return self.figures

    def table(self) -> Table:
        """The figures as people read them."""
        return Table.of(("figure", "median", "quartiles", "what it is"), self.rows, "Speed", self.notes)


ROOMS = ("chain", "forest", "translation")


def bench(what: str | None = None, progress: Callable[[str], None] = lambda text: None) -> Bench:
    """Measure one room, or one after the other."""
    found = [_measure(room, progress) for room in ([what] if what else ROOMS)]
    return Bench(
        {room: figures for each in found for room, figures in each.figures.items()},
        tuple(row for each in found for row in each.rows),
        tuple(note for each in found for note in each.notes),
    )


def _measure(room: str, progress: Callable[[str], None]) -> Bench:
    measured: Bench = getattr(import_module(f"kibitz.analysis.bench.{room}"), f"bench_{room}")(progress)
    return measured
