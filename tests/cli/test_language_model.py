"""`kibitz translation lm`: what it makes, what it says, what it refuses."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz.translation.language_model import LanguageModel

LM = ("translation", "lm")
TEXT = "the house is small\n\nthe small house\na house\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.en"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def model(kibitz: Callable[..., Any], text: Path, tmp_path: Path) -> Path:
    path = tmp_path / "lm.arpa.gz"
    assert kibitz(*LM, "build", text, "--order", 3, "--out", path).code == 0
    return path


def test_building_says_what_it_made(kibitz: Callable[..., Any], text: Path, tmp_path: Path) -> None:
    path = tmp_path / "lm.arpa"
    answer = kibitz(*LM, "build", text, "--order", 3, "--out", path, "--json")
    assert answer.code == 0
    assert "D3+" in answer.out
    assert "counting" in answer.err
    told = answer.json
    assert (told["sentences"], told["tokens"], told["ngrams"][0]) == (3, 12, 8)
    assert told["discounts_estimated"] == [True, False, False]
    assert told["discounts"][1:] == [[0.5, 1.0, 1.5]] * 2
    assert told["memory_mb"] > 0
    assert LanguageModel.read(path).order == 3


def test_scores_of_a_text_are_those_of_its_sentences(
    kibitz: Callable[..., Any], text: Path, model: Path
) -> None:
    each = kibitz(*LM, "score", model, text, "--each", "--json")
    asked = LanguageModel.read(model)
    scores = [asked.score(line.split()) for line in TEXT.splitlines()]
    lines = each.out.splitlines()[:-1]
    assert [float(line) for line in lines] == pytest.approx(scores, abs=1e-4)
    assert each.json["logprob"] == pytest.approx(sum(scores) - scores[1], abs=1e-4)
    assert (each.json["sentences"], each.json["words"], each.json["unknown"]) == (3, 9, 0)
    table = kibitz(*LM, "score", model, text)
    assert f"{each.json['perplexity']:.2f}" in table.out


def test_scores_differ_from_those_of_kenlm(kibitz: Callable[..., Any], text: Path, tmp_path: Path) -> None:
    heldout = tmp_path / "heldout.en"
    heldout.write_text("the small barn\n\nis a house\n", encoding="utf-8")
    answer = kibitz(*LM, "compare", text, heldout, "--order", 3, "--json")
    assert answer.code == 0
    told = answer.json
    assert (told["sentences"], told["words"], told["unknown"]) == (2, 6, 1)
    assert told["largest_difference"] == 0.0
    assert told["perplexity_lmplz"] is None
    assert "largest difference" in kibitz(*LM, "compare", text, heldout, "--order", 3).out


def program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_model_of_lmplz_is_scored(kibitz: Callable[..., Any], text: Path, model: Path) -> None:
    """A program that is called as lmplz is, and answers with a model that is known."""
    lmplz = program(text.with_name("lmplz"), f'grep -q "small house" && gzip -dc {model}')
    told = kibitz(*LM, "compare", text, text, "--order", 3, "--lmplz", lmplz, "--json").json
    assert told["perplexity_lmplz"] == pytest.approx(told["perplexity"], rel=1e-6)
    assert told["largest_difference_lmplz"] == pytest.approx(0.0, abs=1e-7)
    assert told["excess"] == pytest.approx(0.0, abs=1e-6)


def test_what_is_wrong_is_not_said(refused: Callable[..., str], text: Path, model: Path) -> None:
    folder = text.parent
    out = folder / "new.arpa"
    assert "1 to 7" in refused(*LM, "build", text, "--order", 9, "--out", out)
    assert "no file" in refused(*LM, "build", folder / "nothing.en", "--out", out)
    marked = folder / "marked.en"
    marked.write_text("a house\n<s> a house </s>\n", encoding="utf-8")
    assert f"{marked}:2: '<s>'" in refused(*LM, "build", marked, "--out", out)
    marked.write_bytes(b"a house\nun caf\xe9\n")
    assert f"{marked}:2: " in refused(*LM, "build", marked, "--out", out)
    assert f"{text}:1: " in refused(*LM, "score", text, text)
    assert "cannot be run" in refused(
        *LM, "compare", text, text, "--order", 2, "--lmplz", folder / "no-lmplz"
    )
    broken = program(folder / "broken", "echo no memory >&2; exit 3")
    assert "no memory" in refused(*LM, "compare", text, text, "--order", 2, "--lmplz", broken)
    assert not out.exists()
