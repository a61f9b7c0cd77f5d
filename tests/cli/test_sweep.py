"""`kibitz sweep`: everything is run once, recorded, and chosen on dev."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Kibitz = Callable[..., Any]


def test_a_sweep_records_every_run_and_does_none_twice(kibitz: Kibitz, files: Any, tmp_path: Path) -> None:
    record = tmp_path / "sweep.jsonl"
    command = ["sweep", "sequence", *files.options, "--iterations", 200, "--out", record, "--json", "--rate"]
    first = kibitz(*command, "0.01,0.1")
    lines = record.read_text().splitlines()
    assert first.code == 0, first.err
    assert [json.loads(line)["point"]["rate"] for line in lines] in ([0.01, 0.1], [0.1, 0.01])
    assert kibitz(*command, "0.01,0.1").json == first.json
    assert record.read_text().splitlines() == lines
    more = kibitz(*command, "0.01,0.1,1")
    assert record.read_text().splitlines()[:2] == lines
    assert len(record.read_text().splitlines()) == len(more.json["standings"]) == 3


def test_the_best_is_the_best_on_dev_whatever_test_says(kibitz: Kibitz, files: Any, tmp_path: Path) -> None:
    record = tmp_path / "sweep.jsonl"
    command = [
        "sweep",
        "sequence",
        *files.options,
        "--rate",
        "0.01,0.1",
        "--iterations",
        200,
        "--out",
        record,
        "--json",
    ]
    kibitz(*command)
    entries = [json.loads(line) for line in record.read_text().splitlines()]
    for entry in entries:  # turn the test scores round: the choice must not follow them
        entry["result"]["test"] = 1.0 - entry["result"]["dev"]
    record.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    best = max(entries, key=lambda entry: entry["result"]["dev"])
    assert kibitz(*command).json["best"]["settings"] == best["point"]


def test_a_record_cut_short_loses_its_last_line_only(kibitz: Kibitz, files: Any, tmp_path: Path) -> None:
    record = tmp_path / "sweep.jsonl"
    command = [
        "sweep",
        "sequence",
        *files.options,
        "--rate",
        "0.01,0.1",
        "--iterations",
        100,
        "--out",
        record,
        "--json",
    ]
    whole = kibitz(*command).json
    text = record.read_text()
    record.write_text(text[:-20])
    assert kibitz(*command).json == whole
    assert len(record.read_text().splitlines()) == 2


def test_a_file_that_is_no_record_is_refused_by_line(refused: Any, files: Any, tmp_path: Path) -> None:
    record = tmp_path / "notes.txt"
    record.write_text("my notes\n")
    sentence = refused("sweep", "sequence", *files.options, "--rate", "0.1", "--out", record)
    assert sentence.startswith(f"{record}:1: ")
    assert record.read_text() == "my notes\n"


def test_a_run_that_fails_does_not_end_the_sweep(kibitz: Kibitz, files: Any, tmp_path: Path) -> None:
    options = [
        "--optimizer",
        "sgd",
        "--objective",
        "likelihood",
        "--rate",
        "0.01,1e38",
        "--iterations",
        300,
        "--json",
    ]
    answer = kibitz("sweep", "sequence", *files.options, *options, "--out", tmp_path / "sweep.jsonl")
    assert answer.code == 0
    assert answer.json["best"]["settings"]["rate"] == 0.01
    assert answer.json["standings"][-1]["failed"] == 1
