"""`kibitz learn`: what it leaves behind, what it prints, seeds, budgets, Ctrl-C and going on."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import load
from kibitz.cli.progress import PlainProgress

Kibitz = Callable[..., Any]
KEYS = {
    "task", "objective", "seed", "iterations", "feedback", "best_iteration", "metric", "dev", "test",
    "seconds", "us_per_iteration", "test_average",
}  # fmt: skip


def test_a_run_leaves_its_model_curve_settings_and_report(model: Path) -> None:
    assert sorted(path.name for path in model.iterdir()) == [
        "curve.jsonl",
        "model",
        "report.html",
        "settings.json",
    ]
    points = [json.loads(line) for line in (model / "curve.jsonl").read_text().splitlines()]
    assert [point["iteration"] for point in points] == list(range(0, 3001, 30))
    assert points[-1]["dev"] > points[0]["dev"]
    settings = json.loads((model / "settings.json").read_text())
    assert settings["finished"]
    assert settings["settings"]["iterations"] == 3000
    page = (model / "report.html").read_text()
    assert "<img" in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_json_has_the_promised_keys_and_the_model_scores_what_it_says(
    kibitz: Kibitz, files: Any, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    answer = kibitz("learn", "sequence", *files.options, "--iterations", 2000, "--out", out, "--json")
    assert answer.code == 0
    assert set(answer.json) >= KEYS
    assert answer.json["iterations"] == answer.json["feedback"] == 2000
    assert answer.json["metric"] == "F1"
    for part in ("dev", "test"):
        scored = kibitz("evaluate", out, getattr(files, part), "--json").json
        assert scored["score"] == pytest.approx(answer.json[part], abs=1e-12)


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(
    kibitz: Kibitz, files: Any, tmp_path: Path
) -> None:
    def weights(name: str, seed: int) -> Any:
        out = tmp_path / name
        kibitz("learn", "sequence", *files.options, "--iterations", 500, "--seed", seed, "--out", out)
        return load(out).weights

    first, again, other = weights("a", 1), weights("b", 1), weights("c", 2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_budget_of_judgements_is_kept(kibitz: Kibitz, files: Any) -> None:
    answer = kibitz("learn", "sequence", *files.options, "--objective", "pr-bin", "--feedback", 300, "--json")
    assert answer.json["feedback"] == 300
    assert answer.json["iterations"] > 300


def test_seeds_run_side_by_side_and_are_averaged(kibitz: Kibitz, files: Any, tmp_path: Path) -> None:
    answer = kibitz(
        "learn",
        "sequence",
        *files.options,
        "--iterations",
        300,
        "--seeds",
        2,
        "--seed",
        5,
        "--out",
        tmp_path,
        "--json",
    )
    runs = answer.json["runs"]
    assert [run["seed"] for run in runs] == answer.json["seed"] == [5, 6]
    assert answer.json["dev"] == pytest.approx(sum(run["dev"] for run in runs) / 2)
    assert load(tmp_path / "seed-5").seed == 5
    alone = kibitz("learn", "sequence", *files.options, "--iterations", 300, "--seed", 6, "--json").json
    assert alone["test"] == runs[1]["test"]


def test_without_dev_the_averaged_weights_are_kept(kibitz: Kibitz, files: Any) -> None:
    answer = kibitz(
        "learn", "sequence", "--train", files.train, "--test", files.test, "--iterations", 500, "--json"
    )
    assert answer.json["select"] == "average"
    assert answer.json["dev"] is None
    assert answer.json["test"] == answer.json["test_average"]


def test_starting_from_a_model_is_better_than_from_nothing(kibitz: Kibitz, files: Any, model: Path) -> None:
    few = ["--iterations", 1, "--select", "last", "--json"]
    cold = kibitz("learn", "sequence", *files.options, *few).json
    warm = kibitz("learn", "sequence", *files.options, *few, "--start", model).json
    assert warm["test"] > cold["test"] + 0.2


def test_attributes_that_a_model_had_not_seen_get_weights_when_it_goes_on(
    kibitz: Kibitz, model: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.txt"
    new.write_text("the DT B\nzeppelin NN I\nrose VBD O\n", encoding="utf-8")
    out = tmp_path / "run"
    answer = kibitz("learn", "sequence", "--train", new, "--start", model, "--iterations", 50, "--out", out)
    assert answer.code == 0, answer.err
    assert load(out).space.size > load(model).space.size


@pytest.fixture
def ctrl_c(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Press Ctrl-C when a run has done so many iterations."""

    def at(iteration: int) -> None:
        def update(self: PlainProgress, run: str, told: dict[str, Any]) -> None:
            if told["done"] == iteration:
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(PlainProgress, "update", update)

    return at


@pytest.mark.parametrize("objective", ["el", "pr-cont"])
def test_a_run_stopped_by_ctrl_c_and_resumed_ends_with_the_same_bits(
    kibitz: Kibitz, files: Any, tmp_path: Path, ctrl_c: Callable[[int], None], objective: str
) -> None:
    options = [*files.options, "--objective", objective, "--iterations", 1000]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    expected = kibitz("learn", "sequence", *options, "--out", whole, "--json").json
    ctrl_c(400)
    stopped = kibitz("learn", "sequence", *options, "--out", parts, "--json")
    assert stopped.code == 130
    assert stopped.json["iterations"] == 400
    assert f"kibitz learn --resume {parts}" in stopped.err
    assert load(parts).space.size == load(whole).space.size  # what was learnt so far can be used
    ctrl_c(-1)
    resumed = kibitz("learn", "--resume", parts, "--json").json
    timed = {"seconds", "us_per_iteration", "out"}
    assert {k: v for k, v in resumed.items() if k not in timed} == {
        k: v for k, v in expected.items() if k not in timed
    }
    assert np.array_equal(load(parts).weights, load(whole).weights)
    assert not (parts / "checkpoint").exists()


def test_a_stopped_run_is_not_written_over_and_keeps_its_settings(
    kibitz: Kibitz, refused: Any, files: Any, tmp_path: Path, ctrl_c: Callable[[int], None]
) -> None:
    ctrl_c(100)
    again = ["learn", "sequence", *files.options, "--iterations", 1000, "--out", tmp_path / "run"]
    assert kibitz(*again).code == 130
    assert "--resume" in refused(*again)
    assert "--rate" in refused("learn", "--resume", tmp_path / "run", "--rate", 0.5)


def test_a_resumed_run_needs_a_file_that_covers_its_labels(
    kibitz: Kibitz, refused: Any, files: Any, tmp_path: Path, ctrl_c: Callable[[int], None]
) -> None:
    ctrl_c(100)
    kibitz("learn", "sequence", *files.options, "--iterations", 1000, "--out", tmp_path / "run")
    other = tmp_path / "other.txt"
    other.write_text("a DT X\nb NN Y\n", encoding="utf-8")
    sentence = refused("learn", "sequence", "--resume", tmp_path / "run", "--train", other)
    assert str(other) in sentence
    assert "label" in sentence


def test_a_finished_run_is_not_resumed(refused: Any, model: Path) -> None:
    assert "--start" in refused("learn", "--resume", model)


def test_the_paper_preset_is_what_runs_when_it_is_asked_for(
    kibitz: Kibitz, files: Any, tmp_path: Path
) -> None:
    options = [*files.options, "--objective", "pr-cont", "--preset", "paper", "--iterations", 100]
    kibitz("learn", "sequence", *options, "--out", tmp_path / "run")
    settings = json.loads((tmp_path / "run" / "settings.json").read_text())["settings"]
    assert (settings["rate"], settings["pair_loss"], settings["opponent"]) == (1e-4, "violation", "contrast")
    learner = load(tmp_path / "run")
    assert learner.optimizer.rate == 1e-4
    assert dict(learner.objective.options)["pair_loss"] == "violation"
