"""What the runs come to: a row of scores for each system, with its significance and the part of the gap it closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from kibitz.analysis.numbers import Spread
from kibitz.analysis.significance import bleu, randomisation
from kibitz.tasks.adaptation.experiment import Results
from kibitz.tasks.adaptation.settings import IN, OUT, ROWS


@dataclass(frozen=True, slots=True)
class Row:
    """A system: of the two that were tuned the median, of the others the mean over seeds; None where nothing applies.

    ``p_value`` is the largest over seeds, of the difference in test BLEU to the start; ``gap_closed`` the part of the
    way from the start to the reference of the domain; ``iterations`` those to the dev optimum.
    """

    row: str
    dev: Spread
    test: Spread
    p_value: float | None
    gap_closed: float | None
    iterations: Spread | None

    def json(self) -> dict[str, Any]:
        iterations = None if self.iterations is None else self.iterations.mean
        return {
            "row": self.row, "dev": self.dev.mean, "test": self.test.mean, "p_value": self.p_value,
            "gap_closed": self.gap_closed, "iterations": iterations,
        }  # fmt: skip


def rows_of(results: Results) -> list[Row]:
    """The rows in their order."""
    out, reference = (float(results.median(row)["test"]) for row in (OUT, IN))
    return [_row(name, results, out, reference) for name in ROWS]


def _row(name: str, results: Results, out: float, reference: float) -> Row:
    if name in results.medians:
        median = results.median(name)
        p_value = None if name == OUT else p_against_start(results, median)
        return Row(
            name,
            Spread.of([median["dev"]], "score"),
            Spread.of([median["test"]], "score"),
            p_value,
            None,
            None,
        )
    runs = results.runs[name]
    test = Spread.of([run["test"] for run in runs], "score")
    gap = reference - out
    return Row(
        name,
        Spread.of([run["dev"] for run in runs], "score"),
        test,
        max(p_against_start(results, run) for run in runs),
        (test.mean - out) / gap if gap else None,
        Spread.of([run["best_iteration"] for run in runs], "count"),
    )


def p_against_start(results: Results, run: Mapping[str, Any]) -> float:
    """How surprising the difference in test BLEU would be between interchangeable systems."""
    return randomisation(run["counts"], results.median(OUT)["counts"], bleu).p_value


def told(results: Results) -> dict[str, Any]:
    """The rows and what stands behind them, as JSON."""
    from kibitz.feedback import SentenceBLEU

    ground, choices = results.ground, results.choices
    rows = rows_of(results)
    scores = {row.row: row.test.mean for row in rows}
    return {
        "rows": [row.json() for row in rows],
        "gap": scores[IN] - scores[OUT],
        "signature": SentenceBLEU().signature,
        "by_seed": {name: [_of_seed(run) for run in runs] for name, runs in results.runs.items()},
        "medians": {name: place + 1 for name, place in results.medians.items()},
        "texts": {part: dict(figures) for part, figures in ground.texts.items()},
        "learned_from": dict(ground.learned_from),
        "grammar_rules": ground.build["stages"]["grammar"]["rules"],
        "features": results.median(OUT)["features"],
        "inputs": {name: settings.inputs for name, settings in choices.rows.items()},
        "T": {name: settings.iterations for name, settings in choices.rows.items()},
        "D": {name: results.runs[name][0]["inputs"] for name in results.runs},
        "settings": {
            "tuning": choices.tuning.to_dict(),
            **{name: settings.to_dict() for name, settings in choices.rows.items()},
        },
        "pop_limits": [choices.pop_limit, choices.best_pop_limit],
        "build_seconds": ground.build["seconds"],
        "run_seconds": fmean(run["seconds"] for runs in results.runs.values() for run in runs),
    }


def _of_seed(run: Mapping[str, Any]) -> dict[str, Any]:
    figures = (
        "dev", "test", "best_iteration", "iterations", "feedback", "active", "milliseconds", "seconds", "curve",
    )  # fmt: skip
    return {name: run[name] for name in figures}
