"""The results as tables, pictures and one page."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.analysis import paper
from kibitz.analysis.gains import gain_bars
from kibitz.analysis.numbers import count, duration
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Facts, Figure, Report, Section
from kibitz.analysis.tables import Cell, Table
from kibitz.feedback import SentenceBLEU
from kibitz.tasks import table_2
from kibitz.tasks.adaptation import convergence
from kibitz.tasks.adaptation.experiment import Results
from kibitz.tasks.adaptation.rows import Row
from kibitz.tasks.adaptation.settings import IN, OUT
from kibitz.tasks.reproduce_convergence import EQUAL, ByRow


def score_table(rows: Sequence[Row]) -> Table:
    """The rows, the paper's figures beside ours."""
    columns = (
        "system", "dev BLEU", "test BLEU", "p", "gap closed", "best at", "paper: test BLEU", "paper: gap closed",
        "paper: best at",
    )  # fmt: skip
    out, reference = (paper.TRANSLATION[name].bleu for name in (OUT, IN))
    lines: list[tuple[Cell, ...]] = []
    for row in rows:
        theirs = paper.TRANSLATION.get(row.row)
        closed = (theirs.bleu - out) / (reference - out) if theirs and theirs.iterations else None
        lines.append((
            row.row,
            row.dev,
            row.test,
            None if row.p_value is None else f"{row.p_value:.4f}",
            _percent(row.gap_closed),
            row.iterations,
            f"{theirs.bleu:.4f}" if theirs else None,
            _percent(closed),
            count(theirs.iterations) if theirs and theirs.iterations else None,
        ))  # fmt: skip
    notes = (
        f"Corpus BLEU of tokenised words in lower case: {SentenceBLEU().signature}. Mean ± standard deviation over "
        "seeds; of the two tuned systems the median of three by dev. Weights are chosen on dev.",
        "p: approximate randomisation against the out-of-domain start, the largest over seeds.",
    )
    return Table.of(columns, lines, "Translation, from parliament to news", notes)


def run_table(results: Results) -> Table:
    """What every run took and came to."""
    columns = ("run", "dev BLEU", "test BLEU", "best at", "iterations", "judged", "active weights", "time")
    lines: list[tuple[Cell, ...]] = [
        (
            f"{name}, seed {seed}", f"{run['dev']:.4f}", f"{run['test']:.4f}", run["best_iteration"],
            run["iterations"], run["feedback"], run["active"], duration(run["seconds"]),
        )
        for name, runs in results.runs.items()
        for seed, run in enumerate(runs, start=1)
    ]  # fmt: skip
    return Table.of(columns, lines, "Every run")


def text_table(results: Results) -> Table:
    """How much text there is of each part."""
    lines = [
        (part, figures["sentences"], figures["source_words"], figures["target_words"])
        for part, figures in results.ground.texts.items()
    ]
    return Table.of(("text", "sentences", "source words", "target words"), lines, "Texts")


def curves(results: Results) -> bytes:
    """Dev BLEU over iterations."""
    lines = [
        Curve.of(name, [run["curve"] for run in runs])
        for name, runs in results.runs.items()
        if name not in results.medians
    ]
    references = {name: results.median(name)["dev"] for name in results.medians}
    return learning_curves(lines, metric="dev BLEU", references=references)


def bars(rows: Sequence[Row]) -> bytes:
    """Test BLEU from the start on."""
    scores = {row.row: row.test for row in rows}
    return gain_bars({name: score for name, score in scores.items() if name != OUT}, OUT, scores[OUT].mean)


def page(rows: Sequence[Row], results: Results, observed: ByRow, seeds: Sequence[int]) -> Report:
    """The whole experiment on one page."""
    scores = {row.row: row.test.mean for row in rows}
    lead = (
        "A translation system tuned on parliament learns to translate news from the scores of its own translations, "
        f"seeds {', '.join(map(str, seeds))}."
    )
    table = convergence.rows()
    facts = Facts((
        ("out-of-domain test BLEU", f"{scores[OUT]:.4f}"), ("in-domain test BLEU", f"{scores[IN]:.4f}"),
        ("gap", f"{scores[IN] - scores[OUT]:.4f}"),
    ))  # fmt: skip
    estimates = (
        table_2.estimate_table(table, observed, EQUAL, paper.TRANSLATION_TABLE_2),
        Figure(
            table_2.bars(table, observed, EQUAL, paper.TRANSLATION_TABLE_2),
            "The three estimates as bars on a logarithmic axis",
        ),
        table_2.noise_table(table, observed),
    )
    return Report.of(
        "Translation from bandit feedback",
        lead,
        [
            Section.of(
                "Scores", facts, score_table(rows), Figure(bars(rows), "Test BLEU as bars from the start on")
            ),
            Section.of("Learning curves", Figure(curves(results), "Dev BLEU over iterations")),
            Section.of("Convergence", *estimates),
            Section.of("Runs and texts", run_table(results), text_table(results)),
        ],
    )


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.0f} %"
