"""What `kibitz sweep` does once its options are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.analysis.numbers import Spread
from kibitz.analysis.tables import Table
from kibitz.cli.learning import task_options
from kibitz.cli.output import kept, print_table, say
from kibitz.cli.progress import progress
from kibitz.errors import InputError
from kibitz.tasks.grid import values
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.sweep import Standing, remaining, sweep, trials

WORDS = ("objective", "schedule", "pair_loss", "opponent", "baseline", "optimizer", "inputs", "features")
COUNTS = ("iterations", "feedback", "order")


def swept(
    task: str,
    preset: str,
    axes: Mapping[str, str | None],
    per_decade: int,
    seeds: Sequence[int],
    of_task: Mapping[str, Any],
    record: Path,
    workers: int | None,
) -> dict[str, Any]:
    """Run the grid, print the standings, return them."""
    if not seeds or per_decade < 1:
        raise InputError("--seeds and --per-decade must be 1 or more.")
    recipe = Recipe(task, **task_options(of_task))
    grid = {name: _values(name, text, per_decade) for name, text in axes.items() if text is not None}
    wanted = trials(recipe, preset, grid, seeds)
    missing = remaining(wanted, record)
    say(f"{len(wanted)} runs, {len(wanted) - len(missing)} of them already in {record}.")
    names = [
        ", ".join(f"{name} {value}" for name, value in t.point) + f", seed {t.run.seed}" for t in missing
    ]
    with kept(record), progress() as bars:
        standings = sweep(
            wanted, record, at_once=workers, heard=lambda number, told: bars.update(names[number], told)
        )
    return _told(task, standings, record)


def _values(name: str, text: str, per_decade: int) -> list[Any]:
    kind = str if name in WORDS else int if name in COUNTS else float
    return values(name.replace("_", "-"), text, kind, per_decade)


def _told(task: str, standings: Sequence[Standing], record: Path) -> dict[str, Any]:
    best = standings[0]
    if best.dev is None:
        raise InputError(f"Every run of the sweep failed; the first because {best.results[0]['failed']}")
    metric = best.results[0]["metric"]
    axes = [name for name in best.point if len({s.point[name] for s in standings}) > 1]
    columns = (*(name.replace("_", " ") for name in axes), f"dev {metric}", "best at", "")
    rows = [
        (
            *(str(s.point[name]) for name in axes),
            _spread(s, "dev"),
            _spread(s, "best_iteration"),
            f"{s.failed} failed" if s.failed else "",
        )
        for s in standings
    ]
    print_table(Table.of(columns, rows, title="Best first, by the mean dev score"))
    test = None if best.results[0]["test"] is None else Spread.of([r["test"] for r in best.results], "score")
    if test is not None:
        say(f"Test {metric} of the best: {test}. Every run is in {record}.")
    return {
        "task": task,
        "metric": metric,
        "record": str(record),
        "standings": [{"settings": dict(s.point), "dev": s.dev, "failed": s.failed} for s in standings],
        "best": {"settings": dict(best.point), "dev": best.dev, "test": test.mean if test else None},
    }


def _spread(standing: Standing, figure: str) -> Spread | None:
    if standing.failed:
        return None
    return Spread.of([result[figure] for result in standing.results], "score" if figure == "dev" else "count")
