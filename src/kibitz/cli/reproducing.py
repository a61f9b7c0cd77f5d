"""What `kibitz reproduce` does once its options are read."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.analysis.numbers import duration
from kibitz.analysis.report import Report
from kibitz.analysis.tables import Table
from kibitz.cli.output import kept, print_table, say
from kibitz.cli.progress import progress
from kibitz.cli.reproduced import keep, seeds_to
from kibitz.data.folders import write_whole
from kibitz.tasks import choose_settings
from kibitz.tasks import reproduce_chunking as chunking
from kibitz.tasks import reproduce_convergence as convergence
from kibitz.tasks import table_1 as first
from kibitz.tasks import table_2 as second
from kibitz.tasks.sweep import remaining


def table_1(out: Path, seeds: int, fraction: float, workers: int | None) -> dict[str, Any]:
    """Run, print and keep Table 1."""
    numbers, began = seeds_to(seeds), time.monotonic()
    with kept(out), progress("dev F1") as bars:
        table, results = chunking.reproduce(out, numbers, fraction, at_once=workers, heard=bars.update)
    tables = {
        "scores": first.score_table(table, results),
        "significance": first.significance_table(table, results),
        "claims": first.claims(table, results, chunking.CHOSEN),
        "claims_at_the_papers_settings": first.claims(table, results, chunking.PAPER),
    }
    pictures = {
        f"dev-f1-{group}": first.curves(table, results, group) for group in (chunking.CHOSEN, chunking.PAPER)
    }
    return _told(
        out, tables, pictures, first.page(table, results, numbers, fraction), numbers, fraction, began
    )


def chosen_settings(out: Path, seeds: int, workers: int | None) -> dict[str, Any]:
    """Run the sweep of Table 1's settings, print and keep its table."""
    numbers, began = seeds_to(seeds), time.monotonic()
    record = out / "sweep.jsonl"
    names = [
        ", ".join(f"{name} {value}" for name, value in trial.point) + f", seed {trial.run.seed}"
        for trial in remaining(choose_settings.wanted(numbers), record)
    ]
    with kept(out), progress() as bars:
        standings = choose_settings.choose(
            record, numbers, at_once=workers, heard=lambda number, told: bars.update(names[number], told)
        )
    table = choose_settings.settings_table(standings)
    print_table(table)
    write_whole(out / "tables.md", table.markdown().encode() + b"\n")
    seconds = time.monotonic() - began
    say(f"Done in {duration(seconds)}. The record is {record}.")
    chosen = {name: {**of[0].point, "dev": of[0].dev} for name, of in standings.items()}
    return {"seeds": numbers, "seconds": round(seconds, 1), "record": str(record), "chosen": chosen}


def table_2(out: Path, seeds: int, fraction: float, scores: Path, workers: int | None) -> dict[str, Any]:
    """Run, print and keep Table 2."""
    numbers, began = seeds_to(seeds), time.monotonic()
    with kept(out), progress() as bars:
        table, results = convergence.reproduce(out, numbers, fraction, at_once=workers, heard=bars.update)
    iterations = second.scored_iterations(scores)
    tables = {
        "equal_rates": second.estimate_table(table, results, convergence.EQUAL),
        "own_rates": second.estimate_table(table, results, convergence.OWN),
        "noise": second.noise_table(table, results),
        "claims_by_single_steps": second.claims(table, results, convergence.SINGLE, iterations),
        "claims_by_epoch_differences": second.claims(table, results, convergence.EPOCH, iterations),
    }
    pictures = {
        f"estimates-{rates.replace(' ', '-')}": second.bars(table, results, rates)
        for rates in (convergence.EQUAL, convergence.OWN)
    }
    page = second.page(table, results, numbers, fraction, iterations)
    if not iterations:
        say(f"No Table 1 in {scores}: run `kibitz reproduce chunking` for the claims that compare with it.")
    return _told(out, tables, pictures, page, numbers, fraction, began)


def _told(
    out: Path, tables: Mapping[str, Table], pictures: Mapping[str, bytes], page: Report, seeds: Sequence[int],
    fraction: float, began: float,
) -> dict[str, Any]:  # fmt: skip
    """Print and keep everything, return the figures."""
    made = keep(out, tables, pictures, page, began)
    shared = {"seeds": list(seeds), "fraction": fraction, **made}
    return {**shared, **{name: table.json() for name, table in tables.items()}}
