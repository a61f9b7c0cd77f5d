"""`kibitz translation decode`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz.data.forests import read_forests
from kibitz.data.nbest import read_nbest
from kibitz.tasks.inputs.sentences import read_segments
from kibitz.translation.building.model import Model
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.grammar import Segment
from kibitz.translation.language_model import LanguageModel, estimate, write_arpa

DECODE = ("translation", "decode")
RULES = """[X] ||| chat ||| cat ||| Lex=-0.5
[X] ||| chat ||| tom ||| Lex=-1
[X] ||| [X,1] noir ||| black [1] ||| Lex=-0.25
[X] ||| le [X,1] ||| the [1] ||| Lex=-0.125
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "rules").write_text(RULES)
    (tmp_path / "weights").write_text("Lex 1\nGlue -1\nPassThrough -10\nLM 0.5\n")
    (tmp_path / "input").write_text("le chat noir\nun chat\n")
    text = ["the black cat", "the cat", "a cat"]
    write_arpa(estimate([line.split() for line in text], 2).ngrams, tmp_path / "lm.arpa")
    return tmp_path


def arguments(files: Path) -> tuple[object, ...]:
    return ("--grammar", files / "rules", "--weights", files / "weights")


def test_the_best_translation_of_each_line_is_printed(kibitz: Callable[..., Any], files: Path) -> None:
    answer = kibitz(*DECODE, files / "input", *arguments(files), "--lm", f"LM={files / 'lm.arpa'}", "--json")
    assert answer.out.splitlines()[:-1] == ["the black cat", "un cat"]
    score = LanguageModel.read(files / "lm.arpa").score
    expected = 0.5 * score(["the", "black", "cat"]) - 0.875 + 0.5 * score(["un", "cat"]) - 11.5
    assert answer.json["score"] == pytest.approx(expected / 2, abs=1e-5)
    assert (answer.json["sentences"], answer.json["words"]) == (2, 5)


def test_the_k_best_read_as_an_n_best_list(kibitz: Callable[..., Any], files: Path) -> None:
    answer = kibitz(
        *DECODE, files / "input", *arguments(files), "--kbest", 10, "--lm", f"LM={files / 'lm.arpa'}"
    )
    assert answer.code == 0
    (files / "nbest").write_text(answer.out)
    first, second = read_nbest(files / "nbest")
    assert len({each.text for each in first.candidates}) == len(first.candidates) == 10
    assert first.candidates[0].text == "the black cat"
    score = LanguageModel.read(files / "lm.arpa").score(["the", "black", "cat"])
    expected = {"Lex": -0.875, "WordPenalty": -1.302883, "LM": score}
    assert first.candidates[0].features == pytest.approx(expected, abs=1e-6)
    assert [each.text for each in second.candidates][:2] == ["un cat", "un tom"]


def test_the_same_words_come_again_on_request(kibitz: Callable[..., Any], files: Path) -> None:
    (files / "rules").write_text(RULES + "[X] ||| chat ||| cat ||| Other=1\n")
    answer = kibitz(*DECODE, files / "input", *arguments(files), "--kbest", 50, "--derivations")
    texts = [line.split(" ||| ")[1] for line in answer.out.splitlines() if line.startswith("0 ")]
    assert len(set(texts)) < len(texts)


def test_forests_are_written_beside_what_is_printed(kibitz: Callable[..., Any], files: Path) -> None:
    out = files / "forests.jsonl.gz"
    answer = kibitz(*DECODE, files / "input", *arguments(files), "--forest", out)
    assert answer.out.splitlines()[1] == "un cat"
    forests = dict(read_forests(out))
    assert list(forests) == ["0", "1"]
    assert "black" in forests["0"].words
    assert kibitz(*DECODE, files / "input", *arguments(files), "--forest", files / "x.doc").code == 2


def test_a_line_may_bring_its_own_grammar(kibitz: Callable[..., Any], files: Path) -> None:
    (files / "own").mkdir()
    for number, word in enumerate(("matou", "minou")):
        rules = f"[X] ||| chat ||| {word} ||| Lex=3\n"
        (files / "own" / f"{number}.gz").write_bytes(gzip.compress(rules.encode()))
    answer = kibitz(*DECODE, files / "input", *arguments(files), "--grammars", files / "own")
    assert answer.out.splitlines()[1] == "un minou"
    assert "matou" in answer.out
    marked = f'<seg id="7" grammar="{files / "own" / "1.gz"}">chat</seg>\n'
    (files / "marked").write_text(marked)
    answer = kibitz(*DECODE, files / "marked", "--weights", files / "weights")
    assert answer.out == "minou\n"


def test_a_model_brings_its_grammar_its_language_models_and_its_span(
    kibitz: Callable[..., Any], files: Path
) -> None:
    model = files / "model"
    Model(model, "fr", "en", "none", Limits(span=2), 20).save()
    (model / "grammar.gz").write_bytes(gzip.compress(RULES.encode()))
    (model / "language-model.arpa.gz").write_bytes(gzip.compress((files / "lm.arpa").read_bytes()))
    arguments = (files / "input", "--model", model, "--weights", files / "weights")
    answer = kibitz(*DECODE, *arguments, "--kbest", 30)
    assert "LanguageModel= " in answer.out
    whole = kibitz(*DECODE, *arguments, "--kbest", 30, "--span", 3)
    said = "0 ||| the black cat |||"  # by a rule that covers three words
    assert said not in answer.out
    assert said in whole.out
    assert kibitz(*DECODE, files / "input", "--model", files / "nowhere").code == 2


def test_lines_that_a_model_was_built_for_bring_the_grammars_made_for_them(
    kibitz: Callable[..., Any], files: Path
) -> None:
    model = files / "model"
    Model(model, "fr", "en", "none", Limits(span=2), 20).save()
    (model / "grammar.gz").write_bytes(b"not read, and no grammar")
    for folder in ("inputs", "grammars/input"):
        (model / folder).mkdir(parents=True)
    (model / "inputs" / "input.gz").write_bytes(gzip.compress(b"le chat noir\nun chat\n"))
    for number, word in enumerate(("matou", "minou")):
        rules = f"[X] ||| chat ||| {word} ||| Lex=1\n"
        (model / "grammars" / "input" / f"{number}.gz").write_bytes(gzip.compress(rules.encode()))
    weighed = ("--model", model, "--weights", files / "weights")
    assert kibitz(*DECODE, files / "input", *weighed).out == "le matou noir\nun minou\n"
    own = [str(model / "grammars" / "input" / f"{number}.gz") for number in range(2)]
    segments = read_segments(files / "input", str(model))
    assert segments == [Segment("le chat noir", (own[0],), (), True), Segment("un chat", (own[1],), (), True)]
    assert not any(segment.alone for segment in read_segments(files / "input", str(model), own=False))
    assert "grammar.gz" in kibitz(*DECODE, files / "input", *weighed, "--grammar", files / "rules").err
    (files / "input").write_text("un chat\nun chat\n")  # another file of that name
    assert [segment.alone for segment in read_segments(files / "input", str(model))] == [False, True]


def test_sparse_features_count_where_they_have_weights(kibitz: Callable[..., Any], files: Path) -> None:
    with (files / "weights").open("a") as file:
        file.write("RBT:<r>_tom 2\n")
    plain = kibitz(*DECODE, files / "input", *arguments(files))
    sparse = kibitz(*DECODE, files / "input", *arguments(files), "--sparse")
    assert (plain.out.splitlines()[1], sparse.out.splitlines()[1]) == ("un cat", "un tom")


@pytest.mark.parametrize(
    ("line", "options", "message"),
    [
        ("chat\n\n", (), "input:2: the sentence is empty"),
        ("le un\n", ("--no-pass-through",), "input:1: the grammar derives no [S]"),
        ("((('chat', 2),),)\n", (), "input:1: the arc"),
        ('<seg grammar="x>chat</seg>\n', (), "input:1: a segment"),
        ('<seg grammar="nowhere.gz">chat</seg>\n', (), "input:1: There is no file nowhere.gz"),
        ('<seg model="LM=x.arpa">chat</seg>\n', (), "input:1: x.arpa should take the place"),
        ("chat\n", ("--kbest", "0"), "--kbest"),
        ("chat\n", ("--pop-limit", "0"), "pop limit"),
        ("chat\n", ("--lm", "a.arpa", "--lm", "b.arpa"), "same name"),
        ("", (), "is empty"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    kibitz: Callable[..., Any], files: Path, line: str, options: tuple[str, ...], message: str
) -> None:
    (files / "input").write_text(line)
    answer = kibitz(*DECODE, files / "input", *arguments(files), *options)
    assert answer.code == 2
    assert message in answer.err


def test_what_is_printed_with_json_ends_in_one_object(kibitz: Callable[..., Any], files: Path) -> None:
    answer = kibitz(*DECODE, files / "input", *arguments(files), "--json")
    assert json.loads(answer.out.splitlines()[-1])["edges"] > 5
