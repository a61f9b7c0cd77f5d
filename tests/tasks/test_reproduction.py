"""The reproductions: which runs they are made of, that none is done twice, and what their tables say."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kibitz.data import Split
from kibitz.errors import InputError
from kibitz.tasks import reproduce_chunking, reproduce_convergence, table_1, table_2
from kibitz.tasks.record import Piece, Record


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that the processes find as well: they are given this process's search path."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    return importlib.import_module("workers")


def test_a_record_does_what_is_missing_and_nothing_else(workers: ModuleType, tmp_path: Path) -> None:
    def pieces(*numbers: int) -> list[Piece]:
        return [Piece(f"run-{n}", {"n": n}, n) for n in numbers]

    record = Record(tmp_path)
    first = record.all(pieces(2, 3), workers.square)
    second = record.all(pieces(2, 3, 4), workers.square)
    assert {name: result["value"] for name, result in second.items()} == {"run-2": 4, "run-3": 9, "run-4": 16}
    assert second["run-2"] == first["run-2"]  # the number of the process is in it: it was not made again


def test_a_result_of_other_settings_is_made_again(workers: ModuleType, tmp_path: Path) -> None:
    record = Record(tmp_path)
    record.all([Piece("run", {"rate": 1}, 2)], workers.square)
    assert record.all([Piece("run", {"rate": 2}, 5)], workers.square)["run"]["value"] == 25


def test_a_damaged_result_is_named(workers: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(InputError, match=r"run\.json is damaged"):
        Record(tmp_path).all([Piece("run", {}, 2)], workers.square)


def test_every_run_of_a_table_has_a_name_of_its_own() -> None:
    for rows in (reproduce_chunking.rows(), reproduce_convergence.rows()):
        assert len({row.name for row in rows}) == len(rows)


def test_table_2_has_equal_rates_and_those_of_table_1() -> None:
    rows = reproduce_convergence.rows()
    equal = {row.settings.rate for row in rows if row.rates == reproduce_convergence.EQUAL}
    own = {row.algorithm: row.settings.rate for row in rows if row.rates == reproduce_convergence.OWN}
    assert equal == {1e-6}
    assert own == {"CE": 1e-6, "EL": 1e-4, "PR(bin)": 1e-4, "PR(cont)": 1e-4}


@pytest.fixture
def chunking() -> tuple[list[reproduce_chunking.Row], dict[str, list[dict[str, Any]]]]:
    """Made-up runs: EL best, PR(cont) first, PR(bin) worst."""
    rows = reproduce_chunking.rows()
    f1 = {"full information": 0.94, "EL": 0.93, "PR(cont)": 0.92, "PR(bin)": 0.6, "CE": 0.9}
    best = {"full information": 100, "EL": 900, "PR(cont)": 500, "PR(bin)": 300, "CE": 800}
    results = {
        row.name: [
            {
                "dev": f1[row.algorithm],
                "test": f1[row.algorithm] + 0.001 * seed,
                "test_average": 0.5,
                "best_iteration": best[row.algorithm],
                "seconds": 60.0,
                "curve": [[0, 0.1], [1000, f1[row.algorithm]]],
                "counts": [[round(10 * f1[row.algorithm]), 10, 10]] * 20,
            }
            for seed in (1, 2)
        ]
        for row in rows
    }
    return rows, results


def test_table_1_puts_the_paper_beside_ours(chunking: Any) -> None:
    rows, results = chunking
    table = table_1.score_table(rows, results)
    of_el = dict(zip(table.columns, table.cells[1], strict=True))
    assert of_el["test F1"] == "0.9315 ± 0.0007"
    assert of_el["test F1, averaged weights"] == "0.5000 ± 0.0000"
    assert of_el["best at"].startswith("900")
    assert of_el["paper: F1"].startswith("0.923")
    assert of_el["paper: best at"] == "7.5M"
    assert of_el["time a run"] == "1 min 00 s"


def test_the_claims_follow_the_figures(chunking: Any) -> None:
    rows, results = chunking
    for group in (reproduce_chunking.CHOSEN, reproduce_chunking.PAPER):
        verdicts = {row[0]: row[2] for row in table_1.claims(rows, results, group).rows}
        assert set(verdicts.values()) == {"holds"}, verdicts
    for run in results["ce-chosen"]:
        run["test"] = 0.99
    verdicts = {row[0]: row[2] for row in table_1.claims(rows, results, reproduce_chunking.CHOSEN).rows}
    assert verdicts["EL reaches the best F1."] == "does not hold"


def test_significance_is_tested_between_all_algorithms_at_their_chosen_settings(chunking: Any) -> None:
    rows, results = chunking
    table = table_1.significance_table(rows, results)
    chosen = [row for row in rows if row.group == reproduce_chunking.CHOSEN]
    assert len(table.rows) == len(chosen) * (len(chosen) - 1) // 2
    by_pair = {row[0]: (row[1], row[2]) for row in table.rows}
    difference, p = by_pair["EL : PR(bin)"]
    assert difference == "+0.3000"
    assert float(str(p)) < 0.01


def test_the_page_of_table_1_has_both_plots(chunking: Any) -> None:
    rows, results = chunking
    assert table_1.page(rows, results, [1, 2], 0.05).html().count("<img") == 2


@pytest.fixture
def convergence() -> tuple[list[reproduce_convergence.Row], dict[str, list[dict[str, Any]]]]:
    """Made-up runs in which every relation of the paper's text holds but the one about L."""
    rows = reproduce_convergence.rows()
    scale = {"CE": 1.0, "EL": 1e-3, "PR(bin)": 1e-3, "PR(cont)": 9e-4}
    results: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        value = scale[row.algorithm]
        estimates = {"squared_norm": value, "lipschitz": 1.0, "variance": value}
        norm = {"value": 1.0, "error": 0.1, "mean_square": 5.0, "relative_variance": 4.0}
        results[row.name] = [
            {"single_steps": estimates, "epoch_differences": estimates, "smoothness": 0.5, "norm": norm}
            for _ in range(2)
        ]
    return rows, results


def test_table_2_has_the_paper_and_both_definitions(convergence: Any) -> None:
    rows, results = convergence
    table = table_2.estimate_table(rows, results, reproduce_convergence.EQUAL)
    of_ce = dict(zip(table.columns, table.cells[0], strict=True))
    assert of_ce["σ², paper"].startswith("4.88")
    assert of_ce["σ², single steps"] == of_ce["σ², epoch differences"] == "1 ± 0"
    own = table_2.estimate_table(rows, results, reproduce_convergence.OWN)
    assert {row[1] for row in own.cells} == {"–"}  # the paper gives no figures at those rates


def test_the_claims_of_table_2_follow_the_figures(convergence: Any) -> None:
    rows, results = convergence
    iterations = {"EL": [900.0], "CE": [800.0], "PR(cont)": [500.0]}
    table = table_2.claims(rows, results, reproduce_convergence.SINGLE, iterations)
    verdicts = {str(row[0]): row[2] for row in table.rows}
    failing = {claim for claim, verdict in verdicts.items() if verdict != "holds"}
    assert failing == {"L of PR is several orders of magnitude smaller than that of CE."}
    without = table_2.claims(rows, results, reproduce_convergence.SINGLE, {})
    assert "not measured" in {row[2] for row in without.rows}


def test_a_gradient_lost_in_its_noise_has_no_relative_variance(convergence: Any) -> None:
    rows, results = convergence
    results["el-equal-rates"][0]["norm"]["relative_variance"] = None
    of_el = next(row for row in table_2.noise_table(rows, results).cells if row[0] == "EL")
    assert of_el[5] == "–"


def test_the_page_of_table_2_has_a_plot_for_each_kind_of_rates(convergence: Any) -> None:
    rows, results = convergence
    assert table_2.page(rows, results, [1, 2], 1.0, {}).html().count("<img") == 2


def test_one_run_of_table_1_counts_what_its_score_says(conll: Split) -> None:
    row = next(row for row in reproduce_chunking.rows() if row.name == "el-chosen")
    settings = reproduce_chunking.shortened(row.settings, 2e-4)
    run = reproduce_chunking.Run(reproduce_chunking.RECIPE, settings, 1)
    result = reproduce_chunking.work(run, lambda told: None)
    right, found, gold = (sum(row[i] for row in result["counts"]) for i in range(3))
    assert len(result["counts"]) == 2012
    assert gold == 12_422
    assert result["test"] == pytest.approx(2 * right / (found + gold))
    assert result["curve"][0][0] == 0
    assert result["curve"][-1][0] == settings.iterations == 1500
