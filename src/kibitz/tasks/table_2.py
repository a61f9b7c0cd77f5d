"""Table 2 made of the runs: the estimates beside the paper's, the noise, claims, bars, one page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from kibitz.analysis import paper
from kibitz.analysis.bars import estimate_bars
from kibitz.analysis.claims import ByAlgorithm, Results, claims_table
from kibitz.analysis.convergence import Estimates
from kibitz.analysis.numbers import Spread, number
from kibitz.analysis.paper_claims import CONVERGENCE, ESTIMATES
from kibitz.analysis.report import Figure, Report, Section
from kibitz.analysis.tables import Cell, Table
from kibitz.tasks.reproduce_convergence import EPOCH, EQUAL, EQUAL_RATE, OWN, SHORTFALL, SINGLE, ByRow, Row

DEFINITIONS = {SINGLE: "single steps", EPOCH: "epoch differences"}
Theirs = Mapping[str, paper.Convergence]


def estimate_table(table: Sequence[Row], results: ByRow, rates: str, theirs: Theirs = paper.TABLE_2) -> Table:
    """Table 2 at one kind of rates, both definitions, ours beside the paper's where it has figures."""
    signs = list(ESTIMATES.values())
    columns = (
        "algorithm",
        *(f"{sign}, {source}" for sign in signs for source in ("paper", *DEFINITIONS.values())),
    )
    lines: list[tuple[Cell, ...]] = []
    for row in table:
        if row.rates != rates:
            continue
        cells: list[Cell] = [row.title]
        for which in ESTIMATES:
            cells += _bars(row, results, which, theirs)
        lines.append(tuple(cells))
    title = {EQUAL: f"Table 2: rate {number(EQUAL_RATE)} for all", OWN: "The same at the rates of Table 1"}[
        rates
    ]
    return Table.of(columns, lines, title, ("All estimates include the rate, as in the paper.",))


def noise_table(table: Sequence[Row], results: ByRow) -> Table:
    """The noise of a step in units of the gradient, at the last weights, whatever the feedback's scale."""
    columns = (
        "algorithm", "rates", "|∇J|²", "standard error", "E|s|²", "E|s - ∇J|² / |∇J|²", "L at equal draws",
    )  # fmt: skip
    lines: list[tuple[Cell, ...]] = []
    for row in table:
        norms = [run["norm"] for run in results[row.name]]
        figures = [Spread.of([norm[name] for norm in norms]) for name in ("value", "error", "mean_square")]
        relative = [norm["relative_variance"] for norm in norms]
        noise = None if None in relative else Spread.of(relative)
        smooth = Spread.of([run["smoothness"] for run in results[row.name]])
        lines.append((row.title, row.rates, *figures, noise, smooth))
    notes = (
        "Without the rate, but for L. No figure where a gradient was not seen above its noise.",
        "L at equal draws compares gradients of the same input and draw, so that it has no noise in it.",
    )
    return Table.of(columns, lines, "Noise relative to the squared gradient, at the last weights", notes)


def claims(
    table: Sequence[Row], results: ByRow, definition: str, iterations: Mapping[str, Sequence[float]]
) -> Table:
    """The claims of section 6 about Table 2: by the paper's text, or by what its authors' programs did."""
    variant = "" if definition == SINGLE else SHORTFALL
    measured = Results(
        iterations=iterations,
        equal_rates=_estimates(table, results, EQUAL, definition, variant),
        chosen_rates=_estimates(table, results, OWN, definition, variant),
    )
    titles = {
        SINGLE: "Claims, by the paper's text: single steps, violation loss",
        EPOCH: "Claims, by the authors' programs: epoch differences, shortfall",
    }
    return claims_table(measured, CONVERGENCE, titles[definition])


def _estimates(
    table: Sequence[Row], results: ByRow, rates: str, definition: str, variant: str
) -> ByAlgorithm:
    chosen = [
        row
        for row in table
        if row.rates == rates and row.variant == (variant if "PR" in row.algorithm else "")
    ]
    return {row.algorithm: [Estimates(**run[definition]) for run in results[row.name]] for row in chosen}


def scored_iterations(folder: Path) -> dict[str, list[float]]:
    """Iterations to the dev optimum at the paper's settings, from a reproduction of Table 1 in `folder`."""
    found: dict[str, list[float]] = {}
    for name, objective in (("EL", "el"), ("CE", "ce"), ("PR(cont)", "pr-cont")):
        files = sorted((folder / "runs").glob(f"{objective}-paper-seed-*.json"))
        values = [json.loads(path.read_text(encoding="utf-8"))["result"]["best_iteration"] for path in files]
        if values:
            found[name] = [float(value) for value in values]
    return found


def bars(table: Sequence[Row], results: ByRow, rates: str, theirs: Theirs = paper.TABLE_2) -> bytes:
    """The three estimates as bars: the paper, single steps, epoch differences."""
    shown = [row for row in table if row.rates == rates]
    panels = {
        sign: {row.title: _bars(row, results, which, theirs) for row in shown}
        for which, sign in ESTIMATES.items()
    }
    return estimate_bars(panels, ["paper", *DEFINITIONS.values()])


def _bars(row: Row, results: ByRow, which: str, theirs: Theirs) -> list[Spread | None]:
    known = theirs[row.algorithm] if row.rates == EQUAL and not row.variant else None
    place = list(ESTIMATES).index(which)
    first = None if known is None else Spread(getattr(known, which), known.deviations[place], 3)
    ours = [Spread.of([run[definition][which] for run in results[row.name]]) for definition in DEFINITIONS]
    return [first, *ours]


def page(
    table: Sequence[Row],
    results: ByRow,
    seeds: Sequence[int],
    fraction: float,
    iterations: Mapping[str, Sequence[float]],
) -> Report:
    """The whole reproduction on one page."""
    part = "" if fraction == 1 else f" at {fraction:g} of the iterations"
    lead = f"Convergence of the chunking runs{part}, seeds {', '.join(map(str, seeds))}."
    blocks = [
        Section.of(
            rates.capitalize(),
            estimate_table(table, results, rates),
            Figure(
                bars(table, results, rates), f"The three estimates at {rates}, as bars on a logarithmic axis"
            ),
        )
        for rates in (EQUAL, OWN)
    ]
    verdicts = (claims(table, results, definition, iterations) for definition in DEFINITIONS)
    return Report.of(
        "Table 2: convergence",
        lead,
        [*blocks, Section.of("Noise", noise_table(table, results)), Section.of("Claims", *verdicts)],
    )
