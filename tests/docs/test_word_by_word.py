"""The script that makes n-best lists of aligned text makes lists that the reader reads, best first."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.data.nbest import read_nbest

SCRIPT = Path(__file__).parents[2] / "examples" / "word_by_word.py"
TEXT = [
    ("la maison", "the house", "0-0 1-1"),
    ("la vieille maison", "the old house", "0-0 1-1 2-2"),
    ("une maison", "a home", "0-0 1-1"),
    ("une vieille ville", "an old town", "0-0 1-1 2-2"),
]


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The lists of the last lines by part; each line is there as often as there are lists."""
    lines = [*TEXT * 5, *[("la vieille maison neuve", "the old new house", "0-0 1-1 2-3 3-2")] * 10]
    for name, column in zip(("source", "target", "align"), zip(*lines, strict=True), strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in column))
    files = [str(tmp_path / name) for name in ("source", "target", "align")]
    out = tmp_path / "lists"
    monkeypatch.setattr(
        sys, "argv", [str(SCRIPT), *files, "--tables", "20", "--size", "4", "--out", str(out)]
    )
    runpy.run_path(str(SCRIPT), run_name="__main__")
    assert "10 lists" in capsys.readouterr().out
    return {part: list(read_nbest(out / f"{part}.jsonl")) for part in ("train", "dev", "test")}


def test_of_five_lists_three_are_to_learn_from(lists: Any) -> None:
    assert {part: len(found) for part, found in lists.items()} == {"train": 6, "dev": 2, "test": 2}


def test_a_list_has_different_texts_and_a_word_nobody_has_seen_stays(lists: Any) -> None:
    (nbest, *_) = lists["train"]
    texts = [each.text for each in nbest.candidates]
    assert texts[0] == "the old house neuve"
    assert "the old home neuve" in texts
    assert len(set(texts)) == len(texts) <= 4
    assert (nbest.source, nbest.reference) == ("la vieille maison neuve", "the old new house")


def test_the_features_of_a_text_are_the_sums_over_its_words(lists: Any) -> None:
    best = lists["test"][0].candidates[0]
    assert best.features["words"] == 4.0
    assert best.features["dropped"] == 0.0
    assert best.features["follows"] < 0.0
