"""Table 1 made of the runs: scores beside the paper's, significance, claims, learning curves, one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.analysis import paper
from kibitz.analysis.claims import Results, claims_table
from kibitz.analysis.numbers import Spread, count, duration
from kibitz.analysis.paper_claims import SCORES
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Figure, Report, Section
from kibitz.analysis.significance import randomisation
from kibitz.analysis.tables import Cell, Table
from kibitz.tasks.reproduce_chunking import CHOSEN, FULL, PAPER, ByRow, Row


def score_table(table: Sequence[Row], results: ByRow) -> Table:
    """Table 1, ours beside the paper's."""
    columns = (
        "algorithm", "settings", "rate", "iterations", "best at", "dev F1", "test F1",
        "test F1, averaged weights", "paper: F1", "paper: best at", "time a run",
    )  # fmt: skip
    lines: list[tuple[Cell, ...]] = []
    for row in table:
        runs = results[row.name]
        theirs = paper.TABLE_1.get(row.algorithm) if not row.variant else None
        f1: Cell = None if theirs is None else Spread(theirs.f1, theirs.deviation, 3, "score")
        lines.append((
            row.title,
            row.group,
            row.settings.rate,
            count(row.settings.iterations),
            _spread(runs, "best_iteration", "count"),
            _spread(runs, "dev"),
            _spread(runs, "test"),
            _spread(runs, "test_average"),
            f"{paper.FULL_INFORMATION:.3f}" if row.algorithm == FULL else f1,
            count(theirs.iterations) if theirs else None,
            duration(sum(run["seconds"] for run in runs) / len(runs)),
        ))  # fmt: skip
    notes = (
        "Mean ± standard deviation over seeds. Weights and meta-parameters are chosen on dev; the averaged "
        "weights are those of the second half of the run, chosen without any gold.",
        "PR(cont) and PR(bin) with the settings 'paper' use the violation loss of the paper's text, the "
        "chosen ones and the variant 'shortfall' that of its authors' program; the variant 'self' compares "
        "two draws from the same model.",
    )
    return Table.of(columns, lines, "Table 1, chunking", notes)


def significance_table(table: Sequence[Row], results: ByRow) -> Table:
    """Approximate randomisation between the algorithms at their chosen settings."""
    chosen = [row for row in table if row.group == CHOSEN]
    lines: list[tuple[Cell, ...]] = []
    for i, first in enumerate(chosen):
        for second in chosen[i + 1 :]:
            a, b = ([run["counts"] for run in results[row.name]] for row in (first, second))
            found = randomisation(a, b)
            lines.append(
                (f"{first.title} : {second.title}", f"{found.difference:+.4f}", f"{found.p_value:.4f}")
            )
    title = "Differences in test F1 at the chosen settings, with p by approximate randomisation"
    return Table.of(("algorithms", "difference", "p"), lines, title)


def claims(table: Sequence[Row], results: ByRow, group: str) -> Table:
    """The claims of section 6 about Table 1, at one group of settings."""
    title = {CHOSEN: "Claims, at the chosen settings", PAPER: "Claims, at the paper's settings"}[group]
    return claims_table(measured(table, results, group), SCORES, title)


def measured(table: Sequence[Row], results: ByRow, group: str) -> Results:
    """The figures that the claims are about."""
    plain = {row.algorithm: results[row.name] for row in table if row.group == group and not row.variant}
    full = next(results[row.name] for row in table if row.algorithm == FULL)
    bandit = {name: runs for name, runs in plain.items() if name != FULL}
    return Results(
        f1={name: [run["test"] for run in runs] for name, runs in bandit.items()},
        iterations={name: [run["best_iteration"] for run in runs] for name, runs in bandit.items()},
        full_information=sum(run["test"] for run in full) / len(full),
    )


def curves(table: Sequence[Row], results: ByRow, group: str) -> bytes:
    """Dev F1 over iterations at one group of settings."""
    drawn = [row for row in table if row.group == group and row.algorithm != FULL]
    lines = [Curve.of(row.title, [run["curve"] for run in results[row.name]]) for row in drawn]
    full = [run["dev"] for row in table if row.algorithm == FULL for run in results[row.name]]
    return learning_curves(lines, references={FULL: sum(full) / len(full)})


def page(table: Sequence[Row], results: ByRow, seeds: Sequence[int], fraction: float) -> Report:
    """The whole reproduction on one page."""
    part = "" if fraction == 1 else f" at {fraction:g} of the iterations"
    lead = f"Noun-phrase chunking under bandit feedback{part}, seeds {', '.join(map(str, seeds))}."
    figures = [
        Figure(
            curves(table, results, group),
            f"Dev F1 over iterations, {group} settings",
            f"The {group} settings.",
        )
        for group in (CHOSEN, PAPER)
    ]
    return Report.of(
        "Table 1: task loss",
        lead,
        [
            Section.of("Scores", score_table(table, results)),
            Section.of("Learning curves", *figures),
            Section.of("Significance", significance_table(table, results)),
            Section.of("Claims", claims(table, results, CHOSEN), claims(table, results, PAPER)),
        ],
    )


def _spread(runs: Sequence[Mapping[str, Any]], figure: str, style: Any = "score") -> Spread:
    return Spread.of([run[figure] for run in runs], style)
