"""Rules and their features are those of the definition."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from aligned_pairs import SOURCE, limits, text_of, texts, written
from by_definition import Pair, Rule, rules, source_sides
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.translation.extraction.grammar import grammar
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.extraction.tally import tally
from kibitz.translation.extraction.wanted import Matching, wanted_sides

GAPS = ("[1]", "[2]")
sentences = st.lists(st.sampled_from((*SOURCE, "unseen")), max_size=7)


def counted(pairs: list[Pair], within: Limits) -> Counter[Rule]:
    return sum((rules(pair, within) for pair in pairs), Counter())


def lexical(pairs: list[Pair], source: bool) -> dict[tuple[str, str], float]:
    """p(e | f), or p(f | e) for ``source``, by (given, word); "" stands for nothing."""
    links: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        mine, theirs = (pair.target, pair.source) if source else (pair.source, pair.target)
        ends = [(j, i) if source else (i, j) for i, j in pair.links]
        links.update((mine[i], theirs[j]) for i, j in ends)
        links.update((mine[i], "") for i in range(len(mine)) if i not in {i for i, _ in ends})
        links.update(("", theirs[j]) for j in range(len(theirs)) if j not in {j for _, j in ends})
    totals: Counter[str] = Counter()
    for (word, _), count in links.items():
        totals[word] += count
    return {pair: count / totals[pair[0]] for pair, count in links.items()}


def weight(given: tuple[str, ...], words: tuple[str, ...], chances: dict[tuple[str, str], float]) -> float:
    """sum over words of -log10 max over given words, or nothing, of the chance of the word."""
    known = [g for g in given if g not in GAPS] + [""]
    return sum(
        -math.log10(max(chances.get((g, word), 0.0) for g in known)) for word in words if word not in GAPS
    )


@given(texts, limits)
def test_a_rule_is_missing_or_made_up_or_miscounted(pairs: list[Pair], within: Limits) -> None:
    text, *words = text_of(pairs)
    expected = counted(pairs, within)
    by_source, by_target = Counter(), Counter()
    for rule, count in expected.items():
        by_source[rule.source] += count
        by_target[rule.target] += count
    forward, backward = lexical(pairs, source=False), lexical(pairs, source=True)
    found = written(text, grammar(text, within), *words)
    assert set(found) == set(expected)
    for rule, (features, _) in found.items():
        count, of_source, of_target = expected[rule], by_source[rule.source], by_target[rule.target]
        assert features == pytest.approx(
            {
                "EgivenF": -math.log10(count / of_source),
                "FgivenE": -math.log10(count / of_target),
                "MaxLexEgivenF": weight(rule.source, rule.target, forward),
                "MaxLexFgivenE": weight(rule.target, rule.source, backward),
                "CountF": math.log10(1 + of_source),
                "CountEF": math.log10(1 + count),
                "IsSingletonF": float(of_source == 1),
                "IsSingletonFE": float(count == 1),
            },
            abs=6e-5,
        )


@given(texts, st.lists(sentences, min_size=1, max_size=3), limits)
def test_filtered_for_inputs_is_not_the_whole_restricted_to_them(
    pairs: list[Pair], inputs: list[list[str]], within: Limits
) -> None:
    text, *words = text_of(pairs)
    numbered = [words[0].encode([" ".join(sentence)])[0] for sentence in inputs]
    whole = written(text, grammar(text, within), *words)
    filtered = grammar(text, within, wanted_sides(numbered, within))
    sides = [source_sides(tuple(sentence), within) for sentence in inputs]
    restricted = {rule: kept for rule, kept in whole.items() if rule.source in set().union(*sides)}
    assert written(text, filtered, *words) == restricted
    order = list(written(text, filtered, *words))
    matching = Matching(within, max(map(len, inputs)))
    for sentence, own in zip(numbered, sides, strict=True):
        found = filtered.of(matching.sides(sentence))
        assert [order[k] for k in found] == [rule for rule in order if rule.source in own]


@given(texts, st.integers(1, 3))
def test_other_rules_are_kept_than_the_most_frequent_of_each_source_side(
    pairs: list[Pair], most: int
) -> None:
    text, *words = text_of(pairs)
    expected = counted(pairs, Limits())
    whole, kept = (written(text, grammar(text, Limits(), most=m), *words) for m in (0, most))
    for source in {rule.source for rule in expected}:
        counts = sorted((n for rule, n in expected.items() if rule.source == source), reverse=True)
        assert sorted((expected[r] for r in kept if r.source == source), reverse=True) == counts[:most]
    assert all(whole[rule] == kept[rule] for rule in kept)


def test_a_table_that_grows_loses_rules() -> None:
    generator = np.random.Generator(np.random.PCG64(1))
    pairs = []
    for _ in range(12):
        n = int(generator.integers(6, 9))
        source = tuple(f"f{k}" for k in generator.integers(0, 30, n))
        target = tuple(f"e{k}" for k in generator.integers(0, 30, n))
        pairs.append(Pair(source, target, frozenset((i, i) for i in range(n))))
    text, *_ = text_of(pairs)
    found, expected = tally(text, Limits(), np.arange(text.pairs)), counted(pairs, Limits())
    assert len(expected) > 1000
    assert sorted(found.times) == sorted(expected.values())


@settings(max_examples=30)
@given(texts)
def test_the_links_of_a_rule_are_not_those_between_its_words(pairs: list[Pair]) -> None:
    pair = Pair(("le", "chat", "noir"), ("the", "black", "cat"), frozenset({(0, 0), (1, 2), (2, 1)}))
    text, *words = text_of([pair, *pairs])
    found = written(text, grammar(text, Limits()), *words)
    assert found[Rule(("le", "[1]", "noir"), ("the", "black", "[1]"))][1] == {(0, 0), (2, 1)}
    assert found[Rule(("chat", "noir"), ("black", "cat"))][1] == {(0, 1), (1, 0)}
    for rule, (_, links) in found.items():
        assert all(rule.source[i] not in GAPS and rule.target[j] not in GAPS for i, j in links)
        assert links


def test_lexical_weights_by_hand() -> None:
    # chat is linked to cat twice and to black once; noir is unaligned once; the is unaligned once.
    pairs = [
        Pair(("chat", "noir"), ("black", "cat"), frozenset({(0, 1), (0, 0)})),
        Pair(("chat",), ("the", "cat"), frozenset({(0, 1)})),
    ]
    text, *words = text_of(pairs)
    features, _ = written(text, grammar(text, Limits()), *words)[Rule(("chat",), ("black", "cat"))]
    assert features["MaxLexEgivenF"] == pytest.approx(-math.log10(1 / 3) - math.log10(2 / 3), abs=6e-5)
    assert features["MaxLexFgivenE"] == 0.0  # black and cat have no other translation


@pytest.mark.parametrize(
    ("name", "value"), [("phrase", 0), ("phrase", 32), ("span", 40), ("symbols", 10), ("gaps", 3), ("gap", 0)]
)
def test_a_limit_that_cannot_be_is_taken(name: str, value: int) -> None:
    with pytest.raises(InputError, match=name):
        Limits(**{name: value})


@pytest.mark.parametrize("within", [Limits(), Limits(phrase=12, span=12, symbols=9, adjacent=True)])
def test_a_sentence_has_more_rules_than_there_is_room_for(within: Limits) -> None:
    words = tuple(f"w{k}" for k in range(12))
    pair = Pair(words, words, frozenset((k, k) for k in range(12)))
    text, *_ = text_of([pair])
    found = tally(text, within, np.arange(1)).times.sum()
    assert 0.03 * within.most(12) < found <= within.most(12)
