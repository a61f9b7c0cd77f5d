"""Weights in files: as cdec writes them, and as Moses does."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.data.forests import read_weights
from kibitz.errors import InputError


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("# all\nDefinite 1\n\nWT_a~= -0.5\n", {"Definite": 1.0, "WT_a~=": -0.5}),
        ("LM0= 0.5\nTM0= 1 2\nTM0= 3e0\n", {"LM0": 0.5, "TM0_1": 1.0, "TM0_2": 2.0, "TM0_3": 3.0}),
    ],
)
def test_weights_by_name(tmp_path: Path, text: str, weights: dict[str, float]) -> None:
    path = tmp_path / "w"
    path.write_text(text)
    assert read_weights(path) == weights


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A 1\nB\n", "2: this line should be a name and a number"),
        ("A nan\n", "1: this line should be"),
        ("A= 1\nB 2 3\n", "2: 'B' should have one number in this file, not 2"),
        ("A 1\nB 2\nA 3\n", "3: 'A' should have one number in this file, its weight was given before"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "w"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_weights(path)
    assert str(error.value).startswith(f"{path}:{complaint}")
