"""`kibitz predict` and `kibitz evaluate`, with models of runs and with models saved by a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz import AdaGrad, Chain, Learner
from kibitz.features import Pixels, Plain
from kibitz.feedback import ChunkF1

Kibitz = Callable[..., Any]


def lines(text: str) -> list[list[str]]:
    return [line.split(" ") for line in text.splitlines()]


def test_predictions_come_back_behind_the_lines_they_are_for(kibitz: Kibitz, files: Any, model: Path) -> None:
    before, after = lines(files.test.read_text()), lines(kibitz("predict", model, files.test).out)
    assert [line[:-1] if line != [""] else line for line in after] == before
    assert {line[-1] for line in after} <= {"B", "I", "O", ""}


def test_the_label_column_is_not_looked_at(kibitz: Kibitz, files: Any, model: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.txt"
    bare.write_text("\n".join(" ".join(line[:-1]) for line in lines(files.test.read_text())) + "\n")
    with_label, without = (kibitz("predict", model, path).out for path in (files.test, bare))
    assert [line[-1] for line in lines(with_label)] == [line[-1] for line in lines(without)]


def test_predictions_can_come_from_standard_input_and_go_to_a_file(
    kibitz: Kibitz, files: Any, model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.txt"
    answer = kibitz("predict", model, "-", "--out", out, "--json", keys=files.test.read_text())
    assert out.read_text() == kibitz("predict", model, files.test).out
    assert answer.json["inputs"] == 30


def test_evaluate_agrees_with_the_loss_on_the_predictions(kibitz: Kibitz, files: Any, model: Path) -> None:
    sentences = [lines(block) for block in kibitz("predict", model, files.test).out.split("\n\n")]
    golds = [tuple(token[-2] for token in sentence) for sentence in sentences]
    predictions = [tuple(token[-1] for token in sentence) for sentence in sentences]
    found = kibitz("evaluate", model, files.test, "--json").json
    assert found["score"] == pytest.approx(ChunkF1().corpus(predictions, golds), abs=1e-12)
    wrong = sum(a != b for p, g in zip(predictions, golds, strict=True) for a, b in zip(p, g, strict=True))
    hamming = kibitz("evaluate", model, files.test, "--loss", "hamming", "--json").json
    assert hamming["score"] == pytest.approx(wrong / sum(map(len, golds)), abs=1e-12)


def test_a_gold_label_the_model_has_never_seen_counts_as_wrong_with_a_warning(
    kibitz: Kibitz, model: Path, tmp_path: Path
) -> None:
    path = tmp_path / "new.txt"
    path.write_text("the DT B-NEW\nmarket NN I-NEW\n")
    answer = kibitz("evaluate", model, path, "--loss", "hamming", "--json")
    assert answer.json["score"] == 1.0
    assert "Warning: the model has never seen B-NEW, I-NEW" in answer.err


def test_a_file_with_too_few_columns_is_refused(refused: Any, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("the\nmarket\n")
    assert "the model reads 2" in refused("predict", model, path)
    assert "the model reads 2" in refused("evaluate", model, path)


@pytest.fixture
def plain_model(tmp_path: Path) -> Path:
    """A model saved by a program, that knows nothing of any task."""
    learner = Learner(Chain(["N", "V"], Plain()), "el", optimizer=AdaGrad(rate=0.5), seed=1)
    for _ in range(60):
        for word, tag in (("dog", "N"), ("runs", "V")):
            proposal = learner.ask([[word]])
            learner.tell(proposal, loss=float(proposal.outputs[0] != (tag,)))
    path = tmp_path / "plain"
    learner.save(path)
    return path


def test_a_model_saved_by_a_program_reads_columns_as_attributes(
    kibitz: Kibitz, plain_model: Path, tmp_path: Path
) -> None:
    path = tmp_path / "words.txt"
    path.write_text("dog N\nruns V\n")
    assert kibitz("evaluate", plain_model, path, "--json").json["score"] == 0.0
    path.write_text("dog\nruns\n")
    assert kibitz("predict", plain_model, path).out == "dog N\nruns V\n"


def test_a_model_of_pictures_reads_a_column_of_pixels(kibitz: Kibitz, refused: Any, tmp_path: Path) -> None:
    learner = Learner(Chain(["i", "o"], Pixels(2, 2)), "el", optimizer=AdaGrad(rate=0.5), seed=1)
    for _ in range(60):
        for pixels, letter in (([1, 0, 1, 0], "i"), ([1, 1, 1, 1], "o")):
            proposal = learner.ask([pixels])
            learner.tell(proposal, loss=float(proposal.outputs[0] != (letter,)))
    learner.save(tmp_path / "pictures")
    path = tmp_path / "pixels.txt"
    path.write_text("1010 i\n1111 o\n")
    assert kibitz("evaluate", tmp_path / "pictures", path, "--json").json["score"] == 0.0
    path.write_text("102 i\n")
    assert "4 digits" in refused("evaluate", tmp_path / "pictures", path)
