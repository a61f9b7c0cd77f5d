"""What people see: chunks in brackets, pictures of letters, tables, progress; and the one object for programs."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from kibitz.cli.display import picture, shown
from kibitz.cli.output import print_json
from kibitz.cli.progress import LiveProgress, PlainProgress, progress

WORDS = ("the", "old", "house", "fell")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_chunks_are_in_brackets_with_their_types() -> None:
    assert shown(WORDS, ("B", "I", "I", "O")) == "[the old house] fell"
    assert shown(WORDS, ("B-NP", "I-NP", "B-NP", "B-VP")) == "[the old] NP [house] NP [fell] VP"


def test_labels_that_are_no_chunks_stand_behind_their_words() -> None:
    assert shown(WORDS, ("DT", "JJ", "NN", "VBD")) == "the/DT old/JJ house/NN fell/VBD"


def test_a_word_of_letters_is_read_by_itself() -> None:
    assert shown((), ("c", "a", "t")) == "cat"


def test_only_what_differs_from_the_other_output_stands_out() -> None:
    text = shown(WORDS, ("B", "I", "B", "O"), ("B", "I", "I", "O"))
    assert plain(text) == "[the old] [house] fell"
    assert text.count("\x1b[0m") == 2
    same = shown(WORDS, ("B", "I", "I", "O"), ("B", "I", "I", "O"))
    assert same == plain(same)
    letters = shown((), ("c", "a", "t"), ("c", "u", "t"))
    assert plain(letters) == "cat"
    assert letters.startswith("c\x1b")


def test_a_picture_has_two_rows_of_pixels_a_line() -> None:
    assert picture([[1, 0, 1, 0], [0, 1, 1, 1]], 2, 2) == "█  ▄█"
    assert picture([[1, 1, 0, 0, 1, 0]], 3, 2) == "▀▀\n▀"


def test_what_is_not_a_number_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": math.nan, "b": [math.inf, 1.5], "c": {"d": -math.inf}, "e": None})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5], "c": {"d": None}, "e": None}


def told(done: int, **more: Any) -> dict[str, Any]:
    return {"done": done, "total": 1000, "unit": "iterations", **more}


def test_plain_progress_is_sparse_but_says_when_a_run_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 1.0, 11.0, 12.0, 13.0])
    monkeypatch.setattr("kibitz.cli.progress.time.monotonic", lambda: next(clock))
    with PlainProgress("dev F1") as bars:
        for done in (0, 100, 200, 300, 1000):
            bars.update("run", told(done, loss=0.5, dev=0.25))
    assert capsys.readouterr().err.splitlines() == [
        "run: 200 of 1,000 iterations, loss 0.5000, dev F1 0.2500",
        "run: 1,000 of 1,000 iterations, loss 0.5000, dev F1 0.2500",
    ]


def test_live_progress_shows_rate_loss_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    with LiveProgress("dev F1") as bars:
        for done in (0, 500, 1000):
            bars.update("run", told(done, loss=0.125, dev=None))
    shown_ = capsys.readouterr().err
    assert "1000/1000" in shown_
    assert "loss 0.1250" in shown_
    assert "/s" in shown_


def test_progress_is_live_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert isinstance(progress(), LiveProgress)
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    assert isinstance(progress(), PlainProgress)
