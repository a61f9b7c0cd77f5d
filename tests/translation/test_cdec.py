"""cdec's own system tests: the k best with their features, constrained forests, and their likelihood's gradient."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from kibitz.translation.decoder.decoder import Decoder
from kibitz.translation.decoder.distribution import TranslationDistribution
from kibitz.translation.decoder.lattice import lattice_of_words, parse_lattice
from kibitz.translation.decoder.parser import ParserOptions
from kibitz.translation.decoder.references import constrained
from kibitz.translation.grammar import Symbols, read_grammar, read_weights

Listed = tuple[str, dict[str, float], float]


def decoder_of(folder: Path, grammar: str, *features: str, glue: bool = True) -> Decoder:
    options = ParserOptions(glue=glue, pass_through=False)
    return Decoder(read_grammar(folder / grammar, Symbols()), options=options, features=features)


def decoded(decoder: Decoder, line: str, named: Mapping[str, float]) -> TranslationDistribution:
    x = decoder.ready(line)
    weights = np.array([named.get(name, 0.0) for name in decoder.symbols.features.names()])
    return TranslationDistribution(decoder.decode(x, weights), 1)


def features_of(found: TranslationDistribution, vector) -> dict[str, float]:  # type: ignore[no-untyped-def]
    names = found.decoding.sentence.parse.said.symbols.features.names()
    return {names[i]: v for i, v in zip(vector.index.tolist(), vector.value.tolist(), strict=True) if v}


def k_best(found: TranslationDistribution) -> list[Listed]:
    return [
        (" ".join(found.said(y)), features_of(found, found.features(y)), score + found.log_partition)
        for y, score in found.top_k(1000)
    ]


def listed(path: Path, number: int) -> list[Listed]:
    rows = [line.split(" ||| ") for line in path.read_text().splitlines()]
    return [
        (said, {n: float(v) for n, v in (f.split("=") for f in features.split())}, float(score))
        for i, said, features, score in rows
        if int(i) == number
    ]


def same(ours: list[Listed], theirs: list[Listed]) -> None:
    def key(row: Listed) -> tuple[object, ...]:
        return row[0], sorted((name, round(value, 4)) for name, value in row[1].items())

    assert len(ours) == len(theirs)
    for (said, features, score), (their_said, their_features, their_score) in zip(
        sorted(ours, key=key), sorted(theirs, key=key), strict=True
    ):
        assert said == their_said
        assert features == pytest.approx(their_features, abs=2e-6)
        assert score == pytest.approx(their_score, rel=1e-5, abs=1e-5)


def test_controlled_synparse_has_the_k_best_that_cdec_prints(cdec_tests: Path) -> None:
    folder = cdec_tests / "controlled_synparse"
    decoder = decoder_of(folder, "scfg.biparse")
    for number, line in enumerate((folder / "input.txt").read_text().splitlines()):
        same(k_best(decoded(decoder, line, {})), listed(folder / "gold.stdout", number))


def test_lattice_has_the_k_best_that_cdec_prints_in_their_order(cdec_tests: Path) -> None:
    folder = cdec_tests / "lattice"
    decoder = decoder_of(folder, "lattice.scfg", "SourceWordPenalty", "WordPenalty")
    for number, line in enumerate((folder / "input.txt").read_text().splitlines()):
        ours, theirs = (
            k_best(decoded(decoder, line, read_weights(folder / "weights"))),
            listed(folder / "gold.stdout", number),
        )
        same(ours, theirs)
        assert [row[2] for row in ours] == pytest.approx([row[2] for row in theirs], rel=1e-5)


def log_value(text: str) -> float:
    """cdec prints a number as its logarithm, (-) before it where it is negative."""
    sign = -1.0 if text.startswith("(-)") else 1.0
    return sign * math.exp(float(text.removeprefix("(-)")))


def test_mcle_gradient_has_the_likelihood_and_gradient_that_cdec_prints(cdec_tests: Path) -> None:
    folder = cdec_tests / "mcle_gradient"
    decoder = decoder_of(folder, "test.grammar", glue=False)
    named = read_weights(folder / "weights")
    objective, gradient = 0.0, dict.fromkeys(named, 0.0)  # the gradient of the likelihood, upwards
    counts = []
    for line in (folder / "input.txt").read_text().splitlines():
        source, said = line.split(" ||| ")
        found = decoded(decoder, source, named)
        objective -= found.log_propensity(said.split())
        for sign, vector in (
            (-1.0, found.expected_features()),
            (1.0, found.found.expected_features(said.split())),
        ):
            for name, value in features_of(found, vector).items():
                gradient[name] += sign * value
        parse = found.decoding.sentence.parse
        references = constrained(parse, lattice_of_words(said.split(), decoder.symbols))
        counts.append((references.nodes, len(references), int(references.derivations())))
    assert counts == [(5, 6, 2), (5, 5, 1), (8, 13, 6)]  # as in gold.statistics
    text = (folder / "gold.stdout").read_text()
    theirs = dict(re.findall(r"(\w+)=(\S+)", text.replace("**OBJ**=", "OBJ=").replace(";", " ")))
    assert objective == pytest.approx(float(theirs.pop("OBJ")), abs=1e-5)
    assert gradient == pytest.approx({name: log_value(value) for name, value in theirs.items()}, abs=1e-5)


def test_australia_has_the_constrained_forest_that_cdec_counts(cdec_tests: Path) -> None:
    folder = cdec_tests / "australia"
    decoder = decoder_of(folder, "australia.scfg.xz")
    source, references = (folder / "input.txt").read_text().strip().split(" ||| ")
    parse = decoder.ready(source).parse
    found = constrained(parse, parse_lattice(references, decoder.symbols))
    assert (found.nodes, len(found), found.derivations()) == (185, 827, 279358)


def test_multigram_says_what_cdec_says(cdec_tests: Path) -> None:
    folder, symbols = cdec_tests / "multigram", Symbols()
    first, second = (read_grammar(folder / name, symbols) for name in ("g1.scfg", "g2.scfg"))
    decoder = Decoder(first.joined([second]), options=ParserOptions(pass_through=False), features=())
    found = decoded(decoder, "foo bar", read_weights(folder / "weights"))
    assert " ".join(found.said(found.argmax())) + "\n" == (folder / "gold.stdout").read_text()
