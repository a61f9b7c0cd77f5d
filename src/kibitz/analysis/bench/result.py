"""What a bench found: figures by room and name, and a table of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


def bench(what: str = "chain", progress: Callable[[str], None] = lambda text: None) -> Bench:
    """Measure one room."""
    from kibitz.analysis.bench.chain import bench_chain

    return {"chain": bench_chain}[what](progress)
