"""`kibitz translation build`: what it says, and what it refuses."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Refused = Callable[..., str]
ARPA = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<unk>\n0\t<s>\n-1\t</s>\n\n\\end\\\n"


@pytest.fixture
def text(tmp_path: Path) -> Callable[..., list[object]]:
    """Writes files of tokenised text with links; the options that name them."""

    def write(**changed: str | bytes) -> list[object]:
        contents: dict[str, str | bytes] = {
            "source": "le chat\nle chien\n", "target": "the cat\nthe dog\n", "alignments": "0-0 1-1\n0-0 1-1\n",
            "inputs": "le chien dort\n", "lm": ARPA, **changed,
        }  # fmt: skip
        options: list[object] = ["--tokeniser", "none", "--out", tmp_path / "model"]
        for name, content in contents.items():
            path = tmp_path / f"{name}.txt"
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            options += [f"--{name.replace('_', '-')}", path]
        return options

    return write


def test_a_build_says_something_else_than_it_made(kibitz: Any, text: Any, tmp_path: Path) -> None:
    answer = kibitz("translation", "build", *text(), "--json")
    assert answer.code == 0, answer.err
    assert answer.json["stages"]["text"]["pairs"] == 2
    lines = gzip.decompress((tmp_path / "model" / "grammar.gz").read_bytes()).decode().splitlines()
    assert answer.json["stages"]["grammar"]["rules"] == len(lines)
    assert f"{len(lines)} rules" in answer.out
    assert "grammar.gz" in answer.out
    again = kibitz("translation", "build", *text(), "--json")
    assert not any(stage["now"] for stage in again.json["stages"].values())


@pytest.mark.parametrize(
    ("changed", "where", "named"),
    [
        ({"target": "the cat\n"}, "target.txt:2: ", "source.txt goes on to line 2"),
        ({"source": "le chat\n"}, "source.txt:2: ", "target.txt goes on to line 2"),
        ({"source": b"le chat\nle \xff chien\n"}, "source.txt:2: ", "UTF-8"),
        ({"inputs": b"le\n\xe9t\xe9\n"}, "inputs.txt:2: ", "UTF-8"),
        ({"source": ""}, "source.txt", "empty"),
        ({"target": "the ||| cat\nthe dog\n"}, "target.txt:1: ", "'|||'"),
        ({"source": "le chat\nle [X,1]\n"}, "source.txt:2: ", "'[X,1]'"),
        ({"source": "le chat\nle\u00a0chien\n"}, "source.txt:2: ", "white space"),
        ({"alignments": "0-0 1-1\n0-0 1\n"}, "alignments.txt:2: ", "'1' is no link"),
        ({"alignments": "0-0 1-1\n0-0 2-1\n"}, "alignments.txt:2: ", "source word 2"),
        ({"alignments": "0-0 1-1\n0-0 1-7\n"}, "alignments.txt:2: ", "target word 7"),
        ({"alignments": "0-0 1-1\n"}, "alignments.txt:2: ", "1 lines of links and 2 of text"),
        ({"alignments": "0-0\n0-0\n0-0\n"}, "alignments.txt:3: ", "3 lines of links and 2 of text"),
        ({"lm": ARPA.replace("</s>", "</s>\t0\t0")}, "lm.txt:7: ", ""),
        ({"lm": ARPA[:-8]}, "lm.txt:", ""),
        ({"domain_lm": b"news\n\xe9\n"}, "domain_lm.txt:2: ", "UTF-8"),
    ],
)
def test_a_broken_file_is_not_named_with_its_line(
    refused: Refused, text: Any, tmp_path: Path, changed: dict[str, Any], where: str, named: str
) -> None:
    sentence = refused("translation", "build", *text(**changed))
    assert sentence.startswith(f"{tmp_path}/{where}")
    assert named in sentence


def test_a_packed_file_that_is_cut_short_is_taken(refused: Refused, text: Any, tmp_path: Path) -> None:
    options = text()
    packed = tmp_path / "source.gz"
    packed.write_bytes(gzip.compress(b"le chat\nle chien\n" * 1000)[:-20])
    sentence = refused("translation", "build", *options, "--source", packed)
    assert sentence.startswith(f"{packed}:")
    assert "cut short" in sentence


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--tokeniser", "moses"], "--tokeniser none"),
        (["--tokeniser", "mose"], "moses, none"),
        (["--longest", "0"], "longest"),
        (["--rules", "-1"], "rules"),
        (["--phrase", "40"], "phrase"),
        (["--gaps", "3"], "gaps"),
        (["--order", "0"], "order"),
        (["--inputs", "gone.txt"], "gone.txt"),
        (["--domain-lm", "gone.txt"], "gone.txt"),
        (["--source", "gone.txt"], "gone.txt"),
    ],
)
def test_a_wrong_option_is_not_named(refused: Refused, text: Any, options: list[str], named: str) -> None:
    changed = {"lm": "the cat\n"} if "--order" in options else {}
    assert named in refused("translation", "build", *text(**changed), *options)


def test_inputs_of_one_name_take_each_others_place(refused: Refused, text: Any, tmp_path: Path) -> None:
    other = tmp_path / "other" / "inputs.txt"
    other.parent.mkdir()
    other.write_text("le chat\n")
    assert "same name inputs.txt" in refused("translation", "build", *text(), "--inputs", other)


def test_a_file_is_taken_for_the_folder_of_the_model(refused: Refused, text: Any, tmp_path: Path) -> None:
    path = tmp_path / "occupied"
    path.write_text("mine")
    assert "occupied" in refused("translation", "build", *text(), "--out", path)
    assert path.read_text() == "mine"


def test_a_later_sentence_has_other_rules_than_it_should(kibitz: Any, text: Any, tmp_path: Path) -> None:
    assert kibitz("translation", "build", *text()).code == 0
    later = tmp_path / "later.txt"
    later.write_text("le chat\nzzz\n")
    answer = kibitz("translation", "grammar", tmp_path / "model", later, "--out", tmp_path / "own", "--json")
    assert answer.code == 0, answer.err
    own = [gzip.decompress((tmp_path / "own" / f"{k}.gz").read_bytes()).decode() for k in (0, 1)]
    assert "[X] ||| le chat ||| the cat ||| EgivenF=0 " in own[0]
    assert "chien" not in own[0]
    assert answer.json["rules"] == [own[0].count("\n"), 0]


def test_what_is_no_model_is_taken_for_one(refused: Refused, text: Any, tmp_path: Path) -> None:
    text()
    options = [tmp_path / "source.txt", "--out", tmp_path / "own"]
    assert "settings.json" in refused("translation", "grammar", tmp_path, *options)
    for damage in ("{", "[]", '{"format": 1}', '{"format": 1, "limits": {"word": 3}}'):
        (tmp_path / "settings.json").write_text(damage)
        assert "damaged" in refused("translation", "grammar", tmp_path, *options)
    (tmp_path / "settings.json").write_text('{"format": 9}')
    assert "another version" in refused("translation", "grammar", tmp_path, *options)
