"""Grammars and weights: what a file says is what is read, and what is wrong is said with its line."""

from __future__ import annotations

import gzip
import lzma
import re
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.translation.decoder.rule_features import COUNTS, KINDS, rule_features
from kibitz.translation.grammar import (
    Grammar,
    Symbols,
    parse_grammar,
    read_grammar,
    read_weights,
    reading,
    write_weights,
)

TEXT = """[X] ||| le [X,1] noir [X,2] ||| [2] the [X,1] ||| Lex=0.7 2.5 ||| 0-1

[S] ||| [X] [Y] ||| [2] [1]
[X] ||| le\u00a0chat |||  ||| Lex=-1e-3 Lex=1
"""


def in_words(grammar: Grammar) -> list[tuple[object, ...]]:
    symbols = grammar.symbols
    words, categories, names = symbols.words.names(), symbols.categories.names(), symbols.features.names()
    return [
        (
            categories[rule.lhs],
            [words[s] if s >= 0 else f"[{categories[-1 - s]}]" for s in rule.source],
            [words[s] if s >= 0 else -1 - s for s in rule.target],
            {names[f]: value for f, value in rule.features.items()},
        )
        for rule in grammar.rules()
    ]


def test_a_rule_is_read_whole() -> None:
    assert in_words(parse_grammar(TEXT.encode(), "g", Symbols())) == [
        ("X", ["le", "[X]", "noir", "[X]"], [1, "the", 0], {"Lex": 0.7, "PhraseModel_1": 2.5}),
        ("S", ["[X]", "[Y]"], [1, 0], {}),
        ("X", ["le\u00a0chat"], [], {"Lex": 0.999}),
    ]


@pytest.mark.parametrize(("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_packed_grammars_are_read_as_plain_ones(tmp_path: Path, ending: str, pack) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / f"grammar{ending}"
    path.write_bytes(pack(TEXT.encode()))
    assert len(read_grammar(path, Symbols())) == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[X] ||| a", "2 fields"),
        (b"X ||| a ||| b", "no category"),
        (b"[X,1] ||| a ||| b", "no category"),
        (b"[X] ||| ||| b", "source side is empty"),
        (b"[X] ||| [X,1] [X,1] ||| [1]", "number 1 twice"),
        (b"[X] ||| [X,1] a ||| b", r"lacks \[1\]"),
        (b"[X] ||| [X,1] a ||| [1] [1]", "twice"),
        (b"[X] ||| a ||| [1]", "no such number"),
        (b"[X] ||| a ||| b ||| Lex=much", "Lex=much"),
        (b"[X] ||| a ||| b ||| Lex=nan", "finite"),
        (b"[X] ||| a ||| b ||| Lex=1e999", "finite"),
        (b"[X] ||| a ||| b ||| 1" + 400 * b"0", "finite"),
        (b"[X] ||| a ||| b ||| =1", "Name=value"),
        (b"[X] ||| a \xff ||| b", "not UTF-8"),
    ],
)
def test_a_rule_that_is_wrong_says_where(line: bytes, message: str) -> None:
    with pytest.raises(InputError, match=rf"g:2: .*{message}"):
        parse_grammar(b"[X] ||| a ||| b\n" + line + b"\n", "g", Symbols())


@given(st.dictionaries(st.from_regex(r"[A-Za-z:_]\w*", fullmatch=True), st.floats(-1e6, 1e6).filter(bool)))
def test_weights_read_back_as_they_were_written(tmp_path_factory, weights):  # type: ignore[no-untyped-def]
    path = tmp_path_factory.mktemp("weights") / "weights"
    write_weights(path, weights)
    assert read_weights(path) == weights


@pytest.mark.parametrize("line", ["Lex", "Lex much", "Lex 1 2", "Lex inf", "Glue 2"])
def test_a_weight_that_is_wrong_says_where(tmp_path: Path, line: str) -> None:
    path = tmp_path / "weights"
    path.write_text(f"# tuned\nGlue 1\n\n{line}\n")
    with pytest.raises(InputError, match="weights:4: "):
        read_weights(path)


def computed(line: str, *kinds: str) -> list[dict[str, float]]:
    """The features of rules that stand in no file."""
    grammar = parse_grammar(line.encode(), "g", Symbols())
    found: list[dict[str, float]] = [{} for _ in range(len(grammar))]
    entries = rule_features(kinds)(grammar)
    names = grammar.symbols.features.names()
    for r, feature, value in zip(*(column.tolist() for column in entries), strict=True):
        found[r][names[feature]] = found[r].get(names[feature], 0.0) + value
    return found


def test_features_of_a_rule_have_the_names_and_values_that_its_form_gives() -> None:
    rules = "[X] ||| le [X,1] noir ||| the black [1] ||| Own=1\n[X] ||| hop ||| a a a a a"
    assert computed(rules, *COUNTS, *KINDS) == [
        {
            "WordPenalty": pytest.approx(-0.868589, abs=1e-6),
            "SourceWordPenalty": pytest.approx(-0.868589, abs=1e-6),
            "R:X:le_NX_noir:the_black_N1": 1.0,
            "RBS:<r>_le": 1.0, "RBS:le_X": 1.0, "RBS:X_noir": 1.0, "RBS:noir_</r>": 1.0,
            "RBT:<r>_the": 1.0, "RBT:the_black": 1.0, "RBT:black_N1": 1.0, "RBT:N1_</r>": 1.0,
            "Shape_S11100_T11000": 1.0,
        },
        {
            "WordPenalty": pytest.approx(-2.171472, abs=1e-6),
            "SourceWordPenalty": pytest.approx(-0.434294, abs=1e-6),
            "R:X:hop:a_a_a_a_a": 1.0,
            "RBS:<r>_hop": 1.0, "RBS:hop_</r>": 1.0,
            "RBT:<r>_a": 1.0, "RBT:a_a": 4.0, "RBT:a_</r>": 1.0,
            "Shape_S10000_T10000": 1.0,
        },
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "shape"),
    [
        ([True, True], "10000"), ([False], "01000"), ([False, False], "01010"), ([False, True, False], "01110"),
        ([True, False, False, True], "11011"), ([False, False, False], "010101"),
    ],
)  # fmt: skip
def test_the_shape_of_a_rule_takes_places_in_turn(words: list[bool], shape: str) -> None:
    slots = count(1)
    pairs = [
        ("w", "w") if is_word else (f"[X,{i}]", f"[{i}]")
        for is_word in words
        for i in [is_word or next(slots)]
    ]
    rule = "[X] ||| " + " ||| ".join(" ".join(side) for side in zip(*pairs, strict=True))
    assert computed(rule, "RuleShape") == [{f"Shape_S{shape}_T{shape}": 1.0}]


def test_a_grammar_may_have_more_nameless_features_than_names() -> None:
    (rule,) = in_words(parse_grammar(b"[X] ||| a [X,1] [X,2] ||| [2] [1] ||| 1 2 3 4 5", "g", Symbols()))
    assert rule[2:] == ([1, 0], {f"PhraseModel_{i}": i + 1.0 for i in range(5)})


PIECES = [
    "|||", "[X]", "[X,1]", "[X,2]", "[1]", "[2]", "[X,9]", "[9]", "a", "b", "\u00e9", "[", "]", "[a", "[]",
    "[,1]", "a|||b", "||||", "1", "-0.5", "+.5", "5.", ".", "-", "1e3", "1e-7", "1e", "1e99", "1e-320",
    "1e999", "0.30102999566398114", "12345678901234567890", "nan", "inf", "F=1", "F=-2.25e-2", "G=0.1", "F",
    "=1", "a=b=3", "\t", "\u00a0", "[X", "1_0",
]  # fmt: skip


@settings(max_examples=600)
@given(
    st.lists(
        st.one_of(
            st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join),
            st.tuples(*[st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join)] * 3).map(
                lambda sides: f"[X] ||| {sides[0]} ||| {sides[1]} ||| {sides[2]}"
            ),
            st.tuples(st.floats(-1e30, 1e30), st.floats(-1, 1), st.integers(-999, 999)).map(
                lambda values: "[X] ||| a [X,1] ||| [1] b ||| " + " ".join(map(repr, values)) + " ||| 0-1"
            ),
        ),
        max_size=4,
    )
)
def test_scanning_a_file_reads_what_reading_its_lines_does(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    try:
        one_by_one = Symbols()
        rules = [
            reading._read(line.encode(), f"g:{number}", one_by_one)
            for number, line in enumerate(lines, start=1)
            if line.strip(" \t\r")
        ]
        expected = in_words(Grammar.of(rules, one_by_one))
    except InputError as error:
        with pytest.raises(InputError, match=re.escape(str(error))):
            parse_grammar(data, "g", Symbols())
        return
    assert in_words(parse_grammar(data, "g", Symbols())) == expected
