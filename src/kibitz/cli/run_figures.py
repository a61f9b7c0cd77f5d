"""What `kibitz learn` says of runs that have ended, or were stopped."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

from kibitz.analysis.numbers import Spread
from kibitz.analysis.tables import Table
from kibitz.cli.output import print_table, say, warn

FIGURES = ("dev", "test", "test_average")


def told(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Print the figures of the runs, and say where they are and how to go on."""
    for warning in dict.fromkeys(warning for result in results for warning in result["warnings"]):
        warn(warning)
    metric = results[0]["metric"]
    columns = ("seed", "iterations", "judged", "best at", "dev", "test", "averaged", "seconds")
    notes = ("averaged: the test score of the averaged last weights, chosen without gold",)
    rows = [
        (str(r["seed"]), r["iterations"], r["feedback"], r["best_iteration"], *(_score(r[f]) for f in
        FIGURES), r["seconds"]) for r in results
    ]  # fmt: skip
    if len(results) > 1:
        rows.append(("mean", None, None, None, *(_spread(results, figure) for figure in FIGURES), None))
    print_table(Table.of(columns, rows, metric, notes))
    for result in results:
        if result["interrupted"]:
            out = result.get("out")
            say(
                f"Stopped. Go on with: kibitz learn --resume {out}"
                if out
                else "Stopped; nothing is saved without --out."
            )
        elif "out" in result:
            say(f"Saved in {result['out']}.")
    return results[0] if len(results) == 1 else _together(results)


def _together(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Several seeds as one object: the means where figures differ, and every run."""
    first = results[0]
    same = {name: first[name] for name in ("task", "objective", "metric", "select")}
    means = {
        name: fmean(r[name] for r in results) if first[name] is not None else None
        for name in ("iterations", "feedback", "best_iteration", *FIGURES, "seconds", "us_per_iteration")
    }
    deviations = {name: stdev(r[name] for r in results) for name in FIGURES if first[name] is not None}
    return {
        **same,
        "seed": [r["seed"] for r in results],
        **means,
        "deviation": deviations,
        "interrupted": any(r["interrupted"] for r in results),
        "runs": list(results),
    }


def _score(value: float | None) -> Spread | None:
    return None if value is None else Spread.of([value], "score")


def _spread(results: Sequence[dict[str, Any]], figure: str) -> Spread | None:
    values = [result[figure] for result in results]
    return None if None in values else Spread.of(values, "score")
