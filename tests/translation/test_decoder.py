"""Decoding against all derivations: with no limit nothing is lost, with one what is found is true and worth finding."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from derivations import by_search
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import random_model
from small_grammars import grammars

from kibitz.errors import InputError
from kibitz.translation.decoder.decoder import Decoder
from kibitz.translation.decoder.distribution import TranslationDistribution
from kibitz.translation.decoder.parser import ParserOptions
from kibitz.translation.grammar import Symbols, parse_grammar
from kibitz.translation.language_model import LanguageModel

EVERYTHING = 10**9
Scored = dict[tuple[str, ...], list[float]]


def models(count: int, seed: int) -> dict[str, LanguageModel]:
    return {f"LM{m}": random_model(1 + (seed + 2 * m) % 4, seed + m) for m in range(count)}


def decoder_of(text: str, named: Mapping[str, LanguageModel], **options: object) -> Decoder:
    grammar = parse_grammar(text.encode(), "grammar", Symbols())
    return Decoder(grammar, named, options=ParserOptions(span=3), **options)  # type: ignore[arg-type]


def by_brute_force(decoder: Decoder, x, weights: np.ndarray) -> Scored:  # type: ignore[no-untyped-def, type-arg]
    """The scores of all derivations, by what they say; word penalty and unknown words counted from the output."""
    names = decoder.symbols.features.names()
    weight = dict(zip(names, weights.tolist(), strict=True))
    scores: Scored = {}
    options = ParserOptions(span=3)
    for (said, features), times in by_search(decoder.parser.grammar, x.lattice, options).items():
        score = sum(weight[name] * value for name, value in features)
        score -= weight.get("WordPenalty", 0.0) * len(said) / np.log(10)
        for name, model in decoder.models.items():
            unknown = sum(word not in model.words[4:] for word in said)
            score += weight[name] * model.score(said) + weight.get(f"{name}_OOV", 0.0) * unknown
        scores.setdefault(said, []).extend([score] * times)
    return scores


@settings(max_examples=80)
@given(
    grammars(), st.lists(st.sampled_from("ab"), min_size=1, max_size=4), st.integers(0, 2), st.integers(0, 1000),
    st.sampled_from([1, -1]),
)  # fmt: skip
def test_without_a_limit_the_forest_holds_every_derivation(text, words, count, seed, sign):  # type: ignore[no-untyped-def]
    decoder = decoder_of(text, models(count, seed), pop_limit=EVERYTHING)
    x = decoder.ready(words)
    weights = np.random.default_rng(seed).normal(size=len(decoder.symbols.features))
    expected = by_brute_force(decoder, x, weights)
    found = TranslationDistribution(decoder.decode(x, weights), sign)
    every = sign * np.concatenate(list(expected.values()))
    log_partition = np.logaddexp.reduce(every)
    assert found.log_partition == pytest.approx(log_partition, rel=1e-6, abs=1e-6)
    for said, scores in expected.items():
        log_p = np.logaddexp.reduce(sign * np.array(scores)) - log_partition
        assert found.log_propensity(said) == pytest.approx(log_p, rel=1e-5, abs=1e-5)
    best = found.top_k(5)
    assert [score for _, score in best] == pytest.approx(
        (np.sort(every)[::-1][:5] - log_partition).tolist(), abs=1e-5
    )
    assert all(found.log_prob(y) == pytest.approx(score, abs=1e-9) for y, score in best)


@settings(max_examples=60)
@given(
    grammars(), st.lists(st.sampled_from("ab"), min_size=2, max_size=5), st.integers(0, 2), st.integers(0, 1000),
    st.integers(1, 6), st.sampled_from([np.inf, 2.0, 0.0]),
)  # fmt: skip
def test_what_pruning_leaves_is_scored_as_it_should_be(text, words, count, seed, limit, beam):  # type: ignore[no-untyped-def]
    decoder = decoder_of(text, models(count, seed), pop_limit=limit, beam=beam)
    x = decoder.ready(words)
    weights = np.random.default_rng(seed).normal(size=len(decoder.symbols.features))
    decoding = decoder.decode(x, weights)
    assert decoding.pops <= limit * x.parse.nodes
    expected = by_brute_force(decoder, x, weights)
    found = TranslationDistribution(decoding, 1)
    for y, log_p in found.top_k(20):
        said = found.said(y)
        score = log_p + found.log_partition
        assert min(abs(score - other) for other in expected[said]) < 1e-5
        assert found.log_prob(y) == pytest.approx(log_p, abs=1e-9)


def test_a_larger_limit_finds_no_less() -> None:
    rules = [f"[X] ||| {f} ||| {e} ||| R{f}{e}=1" for f in "ab" for e in "acd"]
    rules += ["[X] ||| [X,1] b [X,2] ||| [2] [1] d ||| Swap=1", "[X] ||| a [X,1] ||| [1] c ||| Shift=1"]
    best = []
    for limit in (1, 3, 10, EVERYTHING):
        decoder = decoder_of("\n".join(rules), {"LM": random_model(3, 7)}, pop_limit=limit)
        x = decoder.ready("a b a a b a".split())
        weights = np.random.default_rng(5).normal(size=len(decoder.symbols.features))
        found = TranslationDistribution(decoder.decode(x, weights), 1)
        (_, log_p), *_ = found.top_k(1)
        best.append(round(log_p + found.log_partition, 9))
    assert best == sorted(best)
    assert best[0] < best[-1]


def test_k_best_are_unique_on_request() -> None:
    text = "[X] ||| a ||| a ||| One=1\n[X] ||| a ||| a ||| Two=1\n[X] ||| a ||| c ||| Three=1"
    decoder = decoder_of(text, {})
    weights = np.array([1.0, 0.5, 0.0, *[0.0] * 5])
    x = decoder.ready("a a")
    found = TranslationDistribution(decoder.decode(x, weights), 1)
    said = [found.said(y) for y, _ in found.top_k(4, unique=True)]
    assert len(said) == len(set(said)) == 4
    assert len({found.said(y) for y, _ in found.top_k(4)}) < 4


def test_an_exotic_blank_is_part_of_a_word() -> None:
    decoder = decoder_of("[X] ||| le\u00a0chat ||| cat", {})
    assert "cat" in decoder.ready("le\u00a0chat").words
    assert len(decoder.ready(" a\tb  a ").lattice) == 3


def test_a_limit_or_beam_that_makes_no_sense_is_refused() -> None:
    for options in ({"pop_limit": 0}, {"beam": -1.0}, {"beam": float("nan")}):
        with pytest.raises(InputError, match="pop limit is at least 1"):
            decoder_of("[X] ||| a ||| a", {}, **options)
