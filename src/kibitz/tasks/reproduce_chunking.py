"""Table 1 of the paper for chunking: every algorithm at the chosen settings and at the paper's, over several seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.analysis import paper
from kibitz.analysis.claims import Results, claims_table
from kibitz.analysis.numbers import Spread, count, duration
from kibitz.analysis.paper_claims import SCORES
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Figure, Report, Section
from kibitz.analysis.significance import randomisation
from kibitz.analysis.tables import Cell, Table
from kibitz.errors import InputError
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.record import Piece, Record
from kibitz.tasks.run import Report as Heard
from kibitz.tasks.run import Run, perform
from kibitz.tasks.settings import Settings

CHOSEN, PAPER = "chosen", "paper"
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
    """The rows of the table. PR by the paper's formula, and by the shortfall that its authors' program used."""
    bin_chosen = preset("chunking", "pr-bin")
    cont_chosen, cont_paper = preset("chunking", "pr-cont"), preset("chunking", "pr-cont", PAPER)
    return [
        Row(FULL, CHOSEN, preset("chunking", "likelihood")),
        Row("EL", CHOSEN, preset("chunking", "el")),
        Row("EL", PAPER, preset("chunking", "el", PAPER)),
        Row("PR(cont)", CHOSEN, cont_chosen),
        Row("PR(cont)", PAPER, cont_paper),
        Row("PR(cont)", PAPER, replace(cont_paper, pair_loss="shortfall"), "shortfall"),
        Row("PR(bin)", CHOSEN, replace(cont_chosen, objective="pr-bin")),
        Row("PR(bin)", CHOSEN, bin_chosen, "self"),
        Row("PR(bin)", PAPER, preset("chunking", "pr-bin", PAPER)),
        Row("CE", CHOSEN, preset("chunking", "ce")),
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
    assert test is not None
    counts = outcome.task.space.counts(test, outcome.chosen, outcome.task.loss)  # type: ignore[arg-type]
    curve = [(point.iteration, point.dev) for point in outcome.simulation.curve]
    return {**outcome.result(), "curve": curve, "counts": counts[:, :3].astype(int).tolist()}


def score_table(table: Sequence[Row], results: ByRow) -> Table:
    """Table 1, ours beside the paper's."""
    columns = (
        "algorithm", "settings", "rate", "iterations", "best at", "dev F1", "test F1", "test F1, averaged weights",
        "paper: F1", "paper: best at", "time a run",
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
        "Mean ± standard deviation over seeds. Weights and meta-parameters are chosen on dev; the averaged weights are "
        "those of the second half of the run, chosen without any gold.",
        "PR(cont) and PR(bin) with the settings 'paper' use the violation loss of the paper's text, the chosen ones and the "
        "variant 'shortfall' that of its authors' program; the variant 'self' compares two draws from the same model.",
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
            lines.append((f"{first.title} : {second.title}", f"{found.difference:+.4f}", f"{found.p_value:.4f}"))
    title = "Differences in test F1, with p by approximate randomisation (chosen settings, runs of equal seed paired)"
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
    figures = {group: Figure(curves(table, results, group), f"Dev F1 over iterations, {group} settings", f"The {group} settings.")
               for group in (CHOSEN, PAPER)}  # fmt: skip
    return Report.of(
        "Table 1: task loss",
        lead,
        [
            Section.of("Scores", score_table(table, results)),
            Section.of("Learning curves", *figures.values()),
            Section.of("Significance", significance_table(table, results)),
            Section.of("Claims", claims(table, results, CHOSEN), claims(table, results, PAPER)),
        ],
    )


def _spread(runs: Sequence[Mapping[str, Any]], figure: str, style: Any = "score") -> Spread:
    return Spread.of([run[figure] for run in runs], style)
