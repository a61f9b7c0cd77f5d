"""The translation experiment from the command line, whole, on a small language of our own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from kibitz.cli.application import app
from kibitz.tasks import record
from kibitz.tasks.adaptation import experiment, parsing, settings
from kibitz.tasks.adaptation.texts import PARTS
from kibitz.translation.grammar import read_weights

Kibitz = Callable[..., Any]
WORDS = {
    "chat": "cat", "chien": "dog", "jardin": "garden", "livre": "book", "petit": "little", "vert": "green",
    "dort": "sleeps", "tombe": "falls", "maison": "house", "pain": "bread",
}  # fmt: skip
NEWS = {**WORDS, "chat": "tom", "jardin": "yard"}  # what the same words are in the other domain
ROWS = ["out-of-domain", "in-domain", "EL", "PR(bin)", "PR(cont)", "CE", "post-edits"]


def write_pair(folder: Path, part: str, words: dict[str, str], count: int, seed: int) -> list[object]:
    """Sentences of one word after the other, and the option that names them."""
    random = np.random.Generator(np.random.PCG64(seed))
    source = [random.permutation(list(WORDS))[: random.integers(4, 7)] for _ in range(count)]
    for ending, dictionary in (("fr", {word: word for word in WORDS}), ("en", words)):
        lines = [" ".join(dictionary[word] for word in line) + " .\n" for line in source]
        (folder / f"{part}.{ending}").write_text("".join(lines))
    return [f"--{part}", folder / f"{part}.fr", folder / f"{part}.en"]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Parliament mostly has a cat, and news has a tom."""
    folder = tmp_path_factory.mktemp("texts")
    found = write_pair(folder, PARTS[0], WORDS, 300, 1)
    write_pair(folder, "news", NEWS, 240, 2)
    for ending in ("fr", "en"):
        with (folder / f"{PARTS[0]}.{ending}").open("a") as file:
            file.write((folder / f"news.{ending}").read_text())
    for seed, part in enumerate(PARTS[1:], start=3):
        found += write_pair(folder, part, WORDS if part == "held-out" else NEWS, 12, seed)
    return found


def in_this_process(
    worker: Any, jobs: Sequence[Any], *, at_once: int | None = None, heard: Any
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The runs one after the other, without the time that new processes take."""
    for number, job in enumerate(jobs):
        yield number, worker(job, lambda told, number=number: heard(number, told))


@pytest.fixture(scope="module")
def command(texts: list[object], tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    out = tmp_path_factory.mktemp("adapted") / "out"
    return ["reproduce", "translation", *texts, "--iterations", 60, "--seeds", 2, "--out", out, "--json"]


@pytest.fixture(scope="module")
def figures(command: list[object], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        for room in (record, parsing):
            patch.setattr(room, "run_side_by_side", in_this_process)
        result = CliRunner().invoke(app, [str(argument) for argument in command])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def test_a_row_is_missing_or_says_something_else_than_its_runs(figures: dict[str, Any]) -> None:
    rows = {row["row"]: row for row in figures["rows"]}
    assert list(rows) == ROWS
    assert all(
        set(row) == {"row", "dev", "test", "p_value", "gap_closed", "iterations"} for row in figures["rows"]
    )
    out, reference = (rows[name]["test"] for name in ROWS[:2])
    assert out < reference, "the small language has nothing to adapt to"
    assert rows["out-of-domain"]["p_value"] is None
    for name in ROWS[:2]:
        assert rows[name]["gap_closed"] is rows[name]["iterations"] is None
        assert len(figures["by_seed"][name]) == 3
        assert [at for at, _ in figures["by_seed"][name][0]["curve"]] == [0, 30, 60]
        chosen = figures["by_seed"][name][figures["medians"][name] - 1]
        assert sorted(run["dev"] for run in figures["by_seed"][name])[1] == chosen["dev"] == rows[name]["dev"]
    for name in ROWS[2:]:
        runs = figures["by_seed"][name]
        assert rows[name]["test"] == pytest.approx(sum(run["test"] for run in runs) / 2)
        assert rows[name]["iterations"] == sum(run["best_iteration"] for run in runs) / 2
        assert rows[name]["gap_closed"] == pytest.approx((rows[name]["test"] - out) / (reference - out))
        assert 0.0 < rows[name]["p_value"] <= 1.0
        assert figures["T"][name] == 60
        for run in runs:
            scores = dict(run["curve"])
            assert (min(scores), max(scores)) == (0, 60)
            assert len(scores) > settings.LOOKS
            assert scores[run["best_iteration"]] == max(scores.values())
    assert "tok:none" in figures["signature"]
    assert figures["texts"]["in-domain"]["sentences"] == figures["D"]["EL"] == 12


def test_the_estimates_are_those_of_another_rate_or_of_fewer_algorithms(figures: dict[str, Any]) -> None:
    for table in ("convergence", "noise"):
        assert [row["algorithm"] for row in figures[table]["rows"]] == ["EL", "PR(bin)", "PR(cont)", "CE"]
    el = figures["convergence"]["rows"][0]
    assert el["σ², paper"]["mean"] == 3.13e-4
    assert el["σ², single steps"]["mean"] > 0.0


def test_the_folder_lacks_a_system_a_page_or_the_weights_of_a_run(
    figures: dict[str, Any], command: list[object]
) -> None:
    out = Path(figures["out"])
    made = {path.name for path in out.iterdir()}
    assert {"report.html", "tables.md", "dev-bleu.png", "test-bleu.png", "estimates.png"} <= made
    assert (out / "report.html").read_text().count("<img") == 3
    weights = read_weights(out / "weights" / "pr-bin-seed-2.weights")
    assert len(weights) == figures["by_seed"]["PR(bin)"][1]["active"]
    assert not list((out / "checkpoints").glob("*/*"))


def test_a_sentence_is_decoded_with_a_model_that_has_seen_its_reference(figures: dict[str, Any]) -> None:
    learning = Path(figures["out"]) / "learning"
    lines = (learning / "in-domain.source").read_text().splitlines()
    halves = ["half-1" if "half-1" in line else "half-2" for line in lines]
    assert halves == ["half-2"] * 6 + ["half-1"] * 6  # the first six lines make the first half
    assert all('<seg model="DomainLanguageModel=' in line for line in lines)
    assert not any("<seg" in line for line in (learning / "post-edits.source").read_text().splitlines())


def test_an_experiment_that_has_ended_does_something_again(
    figures: dict[str, Any], command: list[object], kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(worker: Any, jobs: Sequence[Any], **options: Any) -> Iterator[Any]:
        assert not jobs
        yield from ()

    monkeypatch.setattr(record, "run_side_by_side", nothing)
    monkeypatch.setattr(experiment, "parse", lambda *_: None)
    again = kibitz(*command).json
    assert again["rows"] == figures["rows"]
    assert again["convergence"] == figures["convergence"]


def test_what_is_wrong_with_the_options_or_the_texts_is_said(
    refused: Callable[..., str], texts: list[object], tmp_path: Path
) -> None:
    reproduce = ["reproduce", "translation", "--out", tmp_path / "out"]
    assert "--seeds must be 1 or more" in refused(*reproduce, "--seeds", 0)
    assert "--pairs must be 1 or more" in refused(*reproduce, "--pairs", 0)
    assert "--sentences must be 2 or more" in refused(*reproduce, "--sentences", 1)
    assert "--iterations must be 1 or more" in refused(*reproduce, "--iterations", 0)
    assert "leave one of the two out" in refused(*reproduce, "--full", "--iterations", 5)
    assert "There is no file" in refused(*reproduce, *texts, "--dev", tmp_path / "a", tmp_path / "b")
    short, blank = tmp_path / "short", tmp_path / "blank"
    short.write_text("un\n")
    blank.write_text("un\n\n")
    assert "short:2: the file ends here" in refused(*reproduce, *texts, "--test", blank, short)
    assert "blank:2: this line is empty" in refused(*reproduce, *texts, "--test", blank, blank)
    assert not (tmp_path / "out" / "texts").exists()
