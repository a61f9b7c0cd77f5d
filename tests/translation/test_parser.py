"""The parser against all derivations found by search, and against cdec's own counts on its system tests."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from derivations import by_search, of_forest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_grammars import grammars, lattices

from kibitz.errors import InputError
from kibitz.translation.decoder.lattice import Lattice, lattice_of_words, parse_lattice
from kibitz.translation.decoder.parser import Parser, ParserOptions
from kibitz.translation.grammar import Symbols, parse_grammar, read_grammar


def agrees(text: str, lattice: str | list[str], options: ParserOptions) -> None:
    symbols = Symbols()
    grammar = parse_grammar(text.encode(), "grammar", symbols)
    x = parse_lattice(lattice, symbols) if isinstance(lattice, str) else lattice_of_words(lattice, symbols)
    expected = by_search(grammar, x, options)
    if not expected:
        with pytest.raises(InputError, match="derives no"):
            Parser(grammar, options).parse(x)
        return
    parse = Parser(grammar, options).parse(x)
    assert of_forest(parse.forest()) == expected
    assert parse.derivations() == sum(expected.values())


@settings(max_examples=150)
@given(grammars(), st.lists(st.sampled_from("ab"), min_size=1, max_size=5), st.booleans(), st.integers(1, 5))
def test_a_parse_holds_the_derivations_that_a_search_finds(text, words, passing, span):  # type: ignore[no-untyped-def]
    agrees(text, words, ParserOptions(pass_through=passing, span=span))


@settings(max_examples=100)
@given(grammars(), lattices(), st.booleans(), st.integers(1, 4))
def test_a_lattice_is_parsed_with_what_its_arcs_cost(text, lattice, passing, span):  # type: ignore[no-untyped-def]
    agrees(text, lattice, ParserOptions(pass_through=passing, span=span))


def parse_of(folder: Path, grammars: list[str], line: str, **options: bool) -> object:
    symbols = Symbols()
    first, *others = [read_grammar(folder / name, symbols) for name in grammars]
    x: Lattice = (
        parse_lattice(line, symbols) if line.startswith("((") else lattice_of_words(line.split(), symbols)
    )
    return Parser(first.joined(others), ParserOptions(pass_through=False, **options)).parse(x)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("test", "grammars", "options"),
    [
        ("controlled_synparse", ["scfg.biparse"], {}),
        ("lattice", ["lattice.scfg"], {}),
        ("mcle_gradient", ["test.grammar"], {"glue": False}),
        ("multigram", ["g1.scfg", "g2.scfg"], {}),
        ("australia", ["australia.scfg.xz"], {}),
    ],
)
def test_a_parse_has_the_nodes_edges_and_derivations_that_cdec_counts(cdec_tests, test, grammars, options):  # type: ignore[no-untyped-def]
    folder = cdec_tests / test
    gold = [line.split() for line in (folder / "gold.statistics").read_text().splitlines()]
    counts = {
        name: [float(value) for other, value in gold if other == name]
        for name, _ in gold
        if name[:3] == "-lm"
    }
    lines = [
        re.sub(r"<[^>]*>", "", line).split(" ||| ")[0]
        for line in (folder / "input.txt").read_text().splitlines()
    ]
    parses = [parse_of(folder, grammars, line, **options) for line in lines]
    assert [parse.nodes for parse in parses] == counts["-lm_nodes"]
    assert [len(parse) for parse in parses] == counts["-lm_edges"]
    for parse, paths in zip(parses, counts["-lm_paths"], strict=True):
        assert math.isclose(parse.derivations(), paths, rel_tol=1e-5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(('a', 1),", "not in Python Lattice Format"),
        ("((('a', 0.5, 2),),)", "end 1 to 1 positions on"),
        ("((('a', 'b', 1),),)", "finite numbers"),
        ("((('a', 1),),(('b', 1),),((1, 1),),)", "should be"),
        ("()", "tuple of positions"),
        ("((('a', 2),),(('b', 1),),(),(('c', 1),),)", "no path"),
    ],
)
def test_a_lattice_that_is_wrong_says_where(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_lattice(text, Symbols())


def test_categories_that_are_rewritten_in_a_circle_are_named() -> None:
    symbols = Symbols()
    grammar = parse_grammar(b"[X] ||| [Y,1] ||| [1]\n[Y] ||| [X,1] ||| [1]\n[X] ||| a ||| b", "g", symbols)
    with pytest.raises(InputError, match=r"\[[XY]\].*cycle"):
        Parser(grammar)
