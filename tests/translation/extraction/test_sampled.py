"""Rules of single sentences: looked up in a suffix array, equal to those of the whole text where all of it is taken."""

from __future__ import annotations

import numpy as np
import pytest
from aligned_pairs import SOURCE, limits, text_of, texts, written
from by_definition import Pair
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.translation.extraction.aligned import starts
from kibitz.translation.extraction.grammar import grammar
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.extraction.sampled import SampledRules
from kibitz.translation.extraction.suffix_array import SuffixArray
from kibitz.translation.extraction.wanted import wanted_sides

sentences = st.lists(st.lists(st.integers(0, 2), max_size=9), max_size=5)


@given(sentences, st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(5, 9))
def test_a_search_finds_other_places_than_reading_does(
    text: list[list[int]], run: list[int], depth: int
) -> None:
    words = np.array([word for sentence in text for word in sentence], np.int32)
    ptr = starts(np.array([len(sentence) for sentence in text], np.int64))
    expected = [
        int(ptr[s]) + k
        for s, sentence in enumerate(text)
        for k in range(len(sentence) - len(run) + 1)
        if sentence[k : k + len(run)] == run
    ]
    found = SuffixArray(words, ptr, depth).find(np.array(run, np.int32))
    assert sorted(found.tolist()) == expected


def test_the_order_is_not_that_of_the_suffixes() -> None:
    text = [[1, 0, 1], [1, 0], [0, 1, 1, 0, 1, 0]]
    words = np.array([word for sentence in text for word in sentence], np.int32)
    array = SuffixArray(words, starts(np.array([3, 2, 6], np.int64)), 4)
    suffixes = {0: [1, 0, 1], 1: [0, 1], 2: [1], 3: [1, 0], 4: [0], 5: [0, 1, 1, 0], 6: [1, 1, 0, 1],
                7: [1, 0, 1, 0], 8: [0, 1, 0], 9: [1, 0], 10: [0]}  # fmt: skip
    expected = sorted(suffixes, key=lambda position: (suffixes[position], position))
    assert [*array.find(np.array([0], np.int32)), *array.find(np.array([1], np.int32))] == expected
    with pytest.raises(ValueError, match="5 words"):
        array.find(np.zeros(5, np.int32))


@settings(max_examples=50)
@given(texts, st.lists(st.sampled_from((*SOURCE, "unseen")), min_size=1, max_size=6), limits)
def test_a_sample_of_everything_gives_other_rules_than_the_whole_text(
    pairs: list[Pair], sentence: list[str], within: Limits
) -> None:
    # A pair without any word of the sentence can have a rule's target side, but no source side that matches.
    pairs = [pair for pair in pairs if set(pair.source) & set(sentence)]
    if not pairs:
        return
    text, *words = text_of(pairs)
    numbers, _ = words[0].encode([" ".join(sentence)])
    whole = grammar(text, within, wanted_sides([numbers], within))
    sampled = SampledRules(text, within, samples=1000).grammar(numbers)
    assert written(text, sampled, *words) == written(text, whole, *words)


def test_a_sample_is_larger_than_it_may_be_or_lacks_a_rare_word() -> None:
    often = Pair(("le", "chat"), ("the", "cat"), frozenset({(0, 0), (1, 1)}))
    once = Pair(("le", "chien"), ("the", "dog"), frozenset({(0, 0), (1, 1)}))
    text, *words = text_of([often] * 50 + [once] + [often] * 49)
    rules = SampledRules(text, Limits(), samples=3)
    numbers, _ = words[0].encode(["le chien"])
    assert rules.pairs(numbers).tolist() == [0, 33, 50, 67]  # by what follows, then in order
    features, _ = next(kept for rule, kept in written(text, rules.grammar(numbers), *words).items()
                       if rule.source == ("le", "chien"))  # fmt: skip
    assert features["CountEF"] == pytest.approx(np.log10(2), abs=6e-5)
    with pytest.raises(InputError, match="samples"):
        SampledRules(text, Limits(), samples=0)
