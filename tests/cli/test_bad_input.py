"""What a user gets wrong: one sentence that names it, exit code 2, and nothing written."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Refused = Callable[..., str]
GOOD = "the DT B\nmarket NN I\nrose VBD O\n\nshe PRP B\nfell VBD O\n"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--rate", "-1"], "rate"),
        (["--rate", "0"], "rate"),
        (["--rate", "nan"], "rate"),
        (["--objective", "ell"], "did you mean 'el'"),
        (["--objective", "pr"], "pr-bin"),
        (["--preset", "papers"], "did you mean 'paper'"),
        (["--optimizer", "adagrab"], "adagrad"),
        (["--iterations", "0"], "iterations"),
        (["--feedback", "-3"], "feedback"),
        (["--clip", "0", "--objective", "ce"], "clip"),
        (["--momentum", "0.9", "--optimizer", "adagrad"], "omentum"),
        (["--seeds", "0"], "--seeds"),
        (["--seeds", "2", "--workers", "0"], "at a time"),
        (["--order", "3"], "order"),
        (["--features", "pairs"], "handwriting"),
        (["--loss", "f2"], "loss"),
        (["--scheme", "bilou"], "scheme"),
        (["--start", "nowhere"], "nowhere"),
    ],
)
def test_a_wrong_option_is_named_and_nothing_is_written(
    refused: Refused, files: Any, tmp_path: Path, options: list[str], named: str
) -> None:
    out = tmp_path / "run"
    assert named in refused("learn", "sequence", *files.options, *options, "--out", out)
    assert not out.exists()


def test_an_option_of_another_task_is_refused(refused: Refused, files: Any) -> None:
    assert "sequence" in refused("learn", "chunking", "--train", files.train)


def test_a_task_that_is_not_there_or_not_named_is_refused(refused: Refused) -> None:
    assert "did you mean 'chunking'" in refused("learn", "chunkin")
    assert "chunking" in refused("learn")
    assert "--train" in refused("learn", "sequence")


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        ("the DT B\nmarket NN\n", 2, "column"),
        ("the DT B\n\nmarket NN extra I\n", 3, "column"),
        ("the\tDT\tB\nmarket\t\tI\n", 2, "empty"),
        ("the DT B\nmarket NN I\nrose VBD O\ndown RB I\n", 4, "'I' cannot follow 'O'"),
    ],
)
def test_a_broken_columns_file_is_named_with_its_line(
    refused: Refused, written: Any, text: str, line: int, named: str
) -> None:
    path = written("train.txt", text)
    sentence = refused("learn", "sequence", "--train", path, "--scheme", "bio", "--iterations", 10)
    assert sentence.startswith(f"{path}:{line}: ")
    assert named in sentence


@pytest.mark.parametrize("text", ["", "\n\n\n"])
def test_an_empty_training_set_is_refused(refused: Refused, written: Any, text: str) -> None:
    path = written("train.txt", text)
    sentence = refused("learn", "sequence", "--train", path)
    assert str(path) in sentence
    assert "empty" in sentence


def test_a_training_set_with_one_label_is_refused(refused: Refused, written: Any) -> None:
    assert "'O'" in refused("learn", "sequence", "--train", written("train.txt", "a O\nb O\n"))


def test_a_dev_file_with_fewer_columns_is_named_with_both_counts(refused: Refused, written: Any) -> None:
    train, dev = written("train.txt", GOOD), written("dev.txt", "\nthe B\nmarket I\n")
    sentence = refused("learn", "sequence", "--train", train, "--dev", dev)
    assert sentence.startswith(f"{dev}:2: ")
    assert "2 columns" in sentence
    assert f"{train} has 3" in sentence


def test_a_missing_file_is_named(refused: Refused, files: Any, model: Path) -> None:
    assert "gone.txt" in refused("learn", "sequence", "--train", "gone.txt")
    assert "gone.txt" in refused("learn", "sequence", "--train", files.train, "--templates", "gone.txt")
    assert "gone.txt" in refused("evaluate", model, "gone.txt")
    assert "gone" in refused("predict", "gone", files.test)


def test_a_template_that_reads_a_missing_column_is_refused(refused: Refused, written: Any) -> None:
    train, templates = written("train.txt", GOOD), written("templates.txt", "w[0]\n7[0]\n")
    assert "column 7" in refused("learn", "sequence", "--train", train, "--templates", templates)


def test_a_dev_label_that_writes_no_span_is_named_with_its_line(refused: Refused, written: Any) -> None:
    train, dev = written("train.txt", GOOD), written("dev.txt", "the DT B\nmarket NN noun\n")
    assert refused("learn", "sequence", "--train", train, "--dev", dev, "--loss", "f1").startswith(
        f"{dev}:2: "
    )


def test_a_dev_label_unseen_in_training_is_a_warning_not_an_error(kibitz: Any, written: Any) -> None:
    train, dev = written("train.txt", GOOD), written("dev.txt", "the DT B\nmarket NN B-NEW\n")
    answer = kibitz("learn", "sequence", "--train", train, "--dev", dev, "--iterations", 50, "--json")
    assert answer.code == 0, answer.err
    assert f"Warning: {dev}:2: " in answer.err
    assert "B-NEW" in answer.err


def test_choosing_on_dev_without_dev_is_refused(refused: Refused, files: Any) -> None:
    assert "--dev" in refused("learn", "sequence", "--train", files.train, "--select", "dev")
    assert "--dev" in refused("sweep", "sequence", "--train", files.train, "--rate", "0.1")


def test_a_model_cannot_go_on_with_labels_it_does_not_know(
    refused: Refused, written: Any, model: Path
) -> None:
    path = written("train.txt", "the DT X\nmarket NN Y\n")
    sentence = refused("learn", "sequence", "--train", path, "--start", model)
    assert sentence.startswith(f"{path}:1: ")
    assert "'X'" in sentence


def test_a_model_cannot_go_on_with_a_file_that_lacks_its_labels(
    refused: Refused, written: Any, model: Path
) -> None:
    path = written("train.txt", "the DT B\nrose VBD O\n")
    assert "no label I" in refused("learn", "sequence", "--train", path, "--start", model)


def test_a_model_cut_short_is_refused_by_every_command(
    refused: Refused, files: Any, model: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(model, broken)
    (arrays,) = (broken / "model").glob("*.npz")
    arrays.write_bytes(arrays.read_bytes()[:-100])
    for command in (["evaluate", broken, files.test], ["predict", broken, files.test], ["judge", broken]):
        assert "damaged" in refused(*command)
    description = broken / "model" / "model.json"
    description.write_text(description.read_text()[:50])
    assert "damaged" in refused("evaluate", broken, files.test)


def test_a_model_of_a_later_version_is_refused(
    refused: Refused, files: Any, model: Path, tmp_path: Path
) -> None:
    later = tmp_path / "later"
    shutil.copytree(model, later)
    path = later / "model" / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    assert "later version" in refused("evaluate", later, files.test)


def test_a_folder_that_is_no_run_is_not_resumed(refused: Refused, tmp_path: Path) -> None:
    assert "settings.json" in refused("learn", "--resume", tmp_path)


def test_a_file_is_not_taken_for_the_out_folder(refused: Refused, files: Any, written: Any) -> None:
    path = written("occupied", "mine")
    assert "occupied" in refused("learn", "sequence", *files.options, "--iterations", 10, "--out", path)
    assert path.read_text() == "mine"


def test_an_impossible_fraction_or_grid_is_refused(refused: Refused, tmp_path: Path) -> None:
    for fraction in ("0", "-1", "1.5", "nan"):
        assert "fraction" in refused("reproduce", "chunking", "--fraction", fraction, "--out", tmp_path / "r")
        assert "fraction" in refused(
            "reproduce", "convergence", "--fraction", fraction, "--out", tmp_path / "r"
        )
    assert "--seeds" in refused("reproduce", "chunking", "--seeds", "0")
    assert "--rate" in refused("sweep", "chunking", "--rate", "1e-1..1e-3")
    assert not (tmp_path / "r").exists()


def test_an_unknown_data_set_is_refused(refused: Refused) -> None:
    assert "conll2000" in refused("data", "fetch", "conll2001")


def test_the_program_itself_ends_with_exit_code_2_and_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kibitz", "learn", "sequence", "--train", "gone.txt"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 2  # what it is about to learn, and what is wrong
    assert done.stderr.splitlines()[-1].startswith("Error: There is no file gone.txt")
    assert list(tmp_path.iterdir()) == []
