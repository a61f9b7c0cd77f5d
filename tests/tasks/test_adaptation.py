"""The translation experiment: its texts, its halves, and what its runs come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import DataUnavailable
from kibitz.tasks.adaptation import convergence
from kibitz.tasks.adaptation.experiment import Results, median
from kibitz.tasks.adaptation.ground import Ground
from kibitz.tasks.adaptation.halves import STRETCH, halves
from kibitz.tasks.adaptation.rows import rows_of
from kibitz.tasks.adaptation.settings import ALGORITHMS, LEARNING, ROWS, Choices
from kibitz.tasks.adaptation.tables import score_table
from kibitz.tasks.adaptation.texts import Texts, spread

SENTENCES = 40


def counts(right: int) -> list[list[int]]:
    """The counts of sentences of ten words of which so many are right, in one stretch."""
    return [[right - n for n in range(4)] + [10, 9, 8, 7, 10, 10]] * SENTENCES


def run(test: float, right: int, best: int = 10) -> dict[str, Any]:
    return {"dev": test - 0.01, "test": test, "counts": counts(right), "best_iteration": best}


def results(in_domain: float = 0.3) -> Results:
    """Made-up runs: the start at 0.2, the reference at 0.3, learners half-way but for CE, which learned nothing."""
    runs = {
        "out-of-domain": [run(0.2, 5), run(0.19, 5), run(0.21, 5)],
        "in-domain": [run(in_domain, 8), run(0.29, 8), run(0.31, 8)],
        **{row: [run(0.24, 6, 10), run(0.26, 7, 30)] for row in LEARNING},
        "CE": [run(0.2, 5), run(0.2, 5)],
    }
    ground = Ground(Path(), {}, {}, {}, "key")
    return Results(ground, Choices(), runs, {"out-of-domain": 0, "in-domain": 0})


def test_a_gap_is_closed_by_another_part_than_the_scores_say() -> None:
    rows = {row.row: row for row in rows_of(results())}
    assert tuple(rows) == ROWS
    assert rows["PR(bin)"].gap_closed == pytest.approx(0.5)
    assert rows["PR(bin)"].test.mean == pytest.approx(0.25)
    assert rows["PR(bin)"].iterations is not None
    assert rows["PR(bin)"].iterations.mean == 20
    assert rows["PR(bin)"].p_value is not None
    assert rows["PR(bin)"].p_value < 0.01
    assert (rows["CE"].gap_closed, rows["CE"].p_value) == (0.0, 1.0)
    assert (
        rows["out-of-domain"].p_value
        is rows["out-of-domain"].gap_closed
        is rows["in-domain"].gap_closed
        is None
    )
    assert rows["in-domain"].p_value is not None
    assert rows["in-domain"].p_value < 0.01


def test_the_p_value_is_not_that_of_the_worst_seed() -> None:
    made = results()
    runs = {**made.runs, "EL": [run(0.24, 7), run(0.2, 5)]}
    changed = Results(made.ground, made.choices, runs, made.medians)
    assert {row.row: row.p_value for row in rows_of(changed)}["EL"] == 1.0


def test_a_gap_of_nothing_is_closed_by_a_part() -> None:
    assert all(row.gap_closed is None for row in rows_of(results(in_domain=0.2)))


def test_the_paper_stands_beside_ours() -> None:
    table = score_table(rows_of(results()))
    of = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.cells}
    assert of["PR(bin)"]["gap closed"] == "50 %"
    assert of["PR(bin)"]["paper: gap closed"] == "46 %"
    assert of["CE"]["paper: gap closed"] == "34 %"
    assert of["EL"]["paper: gap closed"] == "9 %"
    assert of["PR(cont)"]["paper: test BLEU"] == "–"


def test_the_estimates_are_at_one_rate_with_the_papers_settings() -> None:
    rows = {row.algorithm: row.settings for row in convergence.rows()}
    assert list(rows) == list(ALGORITHMS)
    assert {(s.rate, s.optimizer, s.schedule, s.baseline) for s in rows.values()} == {
        (1e-6, "sgd", "constant", "none")
    }
    pairs = [rows[name] for name in ("PR(bin)", "PR(cont)")]
    assert {(settings.pair_loss, settings.opponent) for settings in pairs} == {("violation", "contrast")}
    assert (rows["CE"].clip, rows["CE"].l2) == (5e-3, 1e-6)


def test_full_is_twenty_passes_and_a_short_run_has_short_estimates() -> None:
    full = Choices().full(7000)
    assert {settings.iterations for settings in full.rows.values()} == {140_000}
    assert full.observed_inputs is None
    short = Choices().lasting(60)
    assert {settings.iterations for settings in short.rows.values()} == {60} == {short.tuning.iterations}
    assert short.observed_inputs == 3


@given(st.lists(st.sampled_from("abcdefghij"), min_size=2, max_size=30))
def test_a_line_is_in_both_halves_or_a_half_has_none(lines: list[str]) -> None:
    half_of = halves(lines)
    assert set(half_of) == set(lines)
    if len(set(lines)) == len(lines):
        assert set(half_of.values()) == {0, 1}


def test_stretches_of_lines_take_turns() -> None:
    half_of = halves([str(n) for n in range(3 * STRETCH)])
    assert [half_of[str(n)] for n in (0, STRETCH - 1, STRETCH, 2 * STRETCH - 1, 2 * STRETCH)] == [
        0,
        0,
        1,
        1,
        0,
    ]


@given(st.integers(1, 50), st.integers(1, 60))
def test_what_is_spread_is_in_order_without_repeats(count: int, most: int) -> None:
    found = spread(range(count), most)
    assert len(found) == min(count, most)
    assert found == sorted(set(found))
    assert set(found) <= set(range(count))


def test_the_median_is_the_middle_one() -> None:
    assert [median(scores) for scores in ([0.3], [0.1, 0.2], [0.3, 0.1, 0.2], [0.1, 0.1, 0.1])] == [
        0,
        0,
        2,
        1,
    ]


def test_the_data_sets_have_no_line_of_dev_or_test_to_learn_from() -> None:
    try:
        pairs = {part: Texts().pair(part) for part in ("in-domain", "post-edits", "tune", "dev", "test")}
    except DataUnavailable:
        pytest.skip("data set not at hand: news")
    assert {part: len(sources) for part, (sources, _) in pairs.items()} == {
        "in-domain": 7754, "post-edits": 6753, "tune": 1045, "dev": 1064, "test": 2007,
    }  # fmt: skip
    learned = set(pairs["in-domain"][0])
    assert pairs["post-edits"][0] == pairs["in-domain"][0][:6753]
    scored = [line for part in ("tune", "dev", "test") for line in pairs[part][0]]
    shared = [line for line in scored if line in learned]
    assert all(len(line.split()) < 8 for line in shared), shared
