"""Table 1 of the paper for chunking: every algorithm at the chosen settings and at the paper's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.errors import InputError
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.record import Piece, Record
from kibitz.tasks.run import Run, perform
from kibitz.tasks.settings import Settings
from kibitz.tasks.task import Report as Heard

CHOSEN, PAPER, TABLE_1 = "chosen", "paper", "table-1"
FULL = "full information"
RECIPE = Recipe("chunking")
ByRow = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Row:
    """An algorithm with one group of settings; `algorithm` is its name in the paper's table."""

    algorithm: str
    group: str
    settings: Settings
    variant: str = ""

    @property
    def name(self) -> str:
        words = (self.settings.objective, self.variant, self.group)
        return "-".join(word.replace(" ", "-") for word in words if word)

    @property
    def title(self) -> str:
        return f"{self.algorithm}, {self.variant}" if self.variant else self.algorithm


def rows() -> list[Row]:
    """The rows of the table; PR by the paper's formula, and by the shortfall of its authors' program."""
    bin_chosen = preset("chunking", "pr-bin", TABLE_1)
    cont_chosen, cont_paper = preset("chunking", "pr-cont", TABLE_1), preset("chunking", "pr-cont", PAPER)
    return [
        Row(FULL, CHOSEN, preset("chunking", "likelihood", TABLE_1)),
        Row("EL", CHOSEN, preset("chunking", "el", TABLE_1)),
        Row("EL", PAPER, preset("chunking", "el", PAPER)),
        Row("PR(cont)", CHOSEN, cont_chosen),
        Row("PR(cont)", PAPER, cont_paper),
        Row("PR(cont)", PAPER, replace(cont_paper, pair_loss="shortfall"), "shortfall"),
        Row("PR(bin)", CHOSEN, replace(cont_chosen, objective="pr-bin")),
        Row("PR(bin)", CHOSEN, bin_chosen, "self"),
        Row("PR(bin)", PAPER, preset("chunking", "pr-bin", PAPER)),
        Row("CE", CHOSEN, preset("chunking", "ce", TABLE_1)),
        Row("CE", PAPER, preset("chunking", "ce", PAPER)),
    ]


def reproduce(
    out: Path, seeds: Sequence[int], fraction: float, *, at_once: int | None = None,
    heard: Callable[[str, dict[str, Any]], None] = lambda name, told: None,
) -> tuple[list[Row], ByRow]:  # fmt: skip
    """Run what is missing in `out`; the results of every row, one a seed."""
    table = [replace(row, settings=shortened(row.settings, fraction)) for row in rows()]
    pieces = {row.name: [_piece(row, seed) for seed in seeds] for row in table}
    everything = [piece for of_row in pieces.values() for piece in of_row]
    # The longest first: two cores then end at about the same time.
    everything.sort(key=lambda piece: -piece.job.settings.iterations)
    results = Record(out / "runs").all(everything, work, at_once=at_once, heard=heard)
    return table, {name: [results[piece.name] for piece in of_row] for name, of_row in pieces.items()}


def shortened(settings: Settings, fraction: float) -> Settings:
    """The same settings for a part of the iterations."""
    if not 0 < fraction <= 1:
        raise InputError(f"The fraction {fraction:g} is out of range: give a number above 0 and at most 1.")
    return replace(settings, iterations=max(1, round(settings.iterations * fraction)))


def _piece(row: Row, seed: int) -> Piece:
    key = {"recipe": RECIPE.to_dict(), "settings": row.settings.to_dict(), "seed": seed}
    return Piece(f"{row.name}-seed-{seed}", key, Run(RECIPE, row.settings, seed))


def work(run: Run, report: Heard) -> dict[str, Any]:
    """One run: its figures, its curve on dev, and what the chosen weights get right in each test sentence."""
    outcome = perform(run, report)
    test = outcome.task.test
    space: Any = outcome.task.space
    counts = space.counts(test, outcome.chosen, outcome.task.loss)
    curve = [(point.iteration, point.dev) for point in outcome.simulation.curve]
    return {**outcome.result(), "curve": curve, "counts": counts[:, :3].astype(int).tolist()}
