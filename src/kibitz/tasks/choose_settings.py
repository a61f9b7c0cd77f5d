"""The sweep that chose the settings of Table 1: one grid for each algorithm, at the paper's number of iterations.

Rates are constant, as in the paper; full information may decay its rate, as anyone who has gold labels would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.analysis.numbers import Spread, count
from kibitz.analysis.tables import Table
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.side_by_side import Heard
from kibitz.tasks.sweep import Standing, Trial, sweep, trials

RECIPE = Recipe("chunking")
GRIDS: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "full information": {"objective": ["likelihood"], "rate": [0.03, 0.1, 0.3]},
    "EL": {"objective": ["el"], "rate": [5e-3, 1e-2, 2e-2, 3e-2]},
    "PR(cont)": {"objective": ["pr-cont"], "rate": [1e-2, 2e-2, 3e-2, 5e-2]},
    "PR(bin), self": {"objective": ["pr-bin"], "rate": [5e-3, 1e-2, 3e-2]},
    "CE": {"objective": ["ce"], "rate": [2e-6, 3e-6, 5e-6, 1e-5]},
}


def wanted(seeds: Sequence[int]) -> list[Trial]:
    """Every run of the grids."""
    return [trial for axes in GRIDS.values() for trial in trials(RECIPE, "table-1", axes, seeds)]


def choose(
    record: Path,
    seeds: Sequence[int],
    *,
    at_once: int | None = None,
    heard: Heard = lambda number, told: None,
) -> dict[str, list[Standing]]:
    """Run what is not on record; the standings of each algorithm, best on dev first."""
    standings = sweep(wanted(seeds), record, at_once=at_once, heard=heard)
    return {
        name: [s for s in standings if s.point["objective"] == axes["objective"][0]]
        for name, axes in GRIDS.items()
    }


def settings_table(standings: Mapping[str, Sequence[Standing]]) -> Table:
    """Dev F1 of every rate, the chosen one marked; no test score has a say here."""
    rows = []
    for name, of_algorithm in standings.items():
        for place, standing in enumerate(of_algorithm):
            dev = [result["dev"] for result in standing.results] if not standing.failed else None
            asked = count(standing.results[0].get("iterations", 0))
            rows.append((
                name, standing.point["rate"], asked, None if dev is None else Spread.of(dev, "score"),
                "chosen" if place == 0 else "",
            ))  # fmt: skip
    return Table.of(
        ("algorithm", "rate", "iterations", "dev F1", ""), rows, "The settings of Table 1, chosen on dev"
    )
