"""Fragments that are joined in any order score what their words score from left to right."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_models import Listed, listed, logprob, ngrams, scores

from kibitz.spaces.compiled import kernel
from kibitz.translation.language_model import BEGIN, END, LanguageModel, scoring
from kibitz.translation.language_model import fragments as of

Fragment = tuple[float, int, int]
EMPTY: Fragment = (0.0, *of.EMPTY)
SENTENCE_BEGIN: Fragment = (0.0, of.BEGIN_LEFT, of.BEGIN_RIGHT)


@kernel
def join(table, scratch, left_a, right_a, left_b, right_b):  # type: ignore[no-untyped-def]
    return of.join(table, scratch, left_a, right_a, left_b, right_b)


@kernel
def word_fragment(table, word):  # type: ignore[no-untyped-def]
    return of.word_fragment(table, word)


@kernel
def advance(table, scratch, state, word):  # type: ignore[no-untyped-def]
    return scoring.advance(table, scratch, state, word)


@cache
def world(order: int, pruned: bool, seed: int = 0) -> tuple[LanguageModel, Listed]:
    entries = listed(100 * seed + order, order, pruned=pruned)
    return LanguageModel(ngrams(entries)), entries


def joined(model: LanguageModel, a: Fragment, b: Fragment) -> Fragment:
    change, left, right = join(model.table, model.scratch(), a[1], a[2], b[1], b[2])
    return a[0] + b[0] + change, left, right


def assembled(model: LanguageModel, words: list[int], draw: Any) -> Fragment:
    """The words in an order of joins made by chance."""
    if len(words) < 2:
        return word_fragment(model.table, words[0]) if words else EMPTY
    cut = draw(st.integers(0 if len(words) < 4 else 1, len(words) - 1))
    return joined(model, assembled(model, words[:cut], draw), assembled(model, words[cut:], draw))


ORDERS = st.integers(1, 5)
WORDS = st.lists(st.sampled_from([1, 4, 5, 6, 7]), max_size=9)


@given(ORDERS, st.booleans(), st.integers(0, 3), WORDS, st.data())
def test_the_order_of_joins_changes_a_score(
    order: int, pruned: bool, seed: int, words: list[int], data: st.DataObject
) -> None:
    model, entries = world(order, pruned, seed)
    fragment = assembled(model, words, data.draw)
    assert fragment[0] == pytest.approx(sum(scores(entries, words, order)), abs=1e-5)
    sentence = joined(model, joined(model, SENTENCE_BEGIN, fragment), word_fragment(model.table, END))
    said = sum(scores(entries, [BEGIN, *words, END], order)[1:])
    assert sentence[0] == pytest.approx(said, abs=1e-5)
    names = [model.words[w] for w in words]
    assert model.score(names) == pytest.approx(said, abs=1e-5)


@given(ORDERS, st.booleans(), WORDS, st.data())
def test_joining_is_associative_in_its_states(
    order: int, pruned: bool, words: list[int], data: st.DataObject
) -> None:
    model, _ = world(order, pruned)
    one, other = (assembled(model, words, data.draw) for _ in range(2))
    assert one[1:] == other[1:]


@given(ORDERS, st.booleans(), WORDS, WORDS, WORDS)
def test_words_that_a_fragment_forgets_still_mattered(
    order: int, pruned: bool, words: list[int], before: list[int], after: list[int]
) -> None:
    """Two fragments of equal left and right: what is joined to them changes by the same."""
    model, entries = world(order, pruned)
    table, scratch = model.table, model.scratch()
    state = np.int32(scoring.EMPTY_STATE)
    for i, word in enumerate(words):
        p, state = advance(table, scratch, state, word)
        assert p == pytest.approx(logprob(entries, words[max(0, i - order + 1) : i], word), abs=1e-5)
    follow = state
    for i, word in enumerate(after):
        p, follow = advance(table, scratch, follow, word)
        context = (words + after[:i])[-(order - 1) :] if order > 1 else []
        assert p == pytest.approx(logprob(entries, context, word), abs=1e-5)
    fragment = EMPTY
    for word in words:
        fragment = joined(model, fragment, word_fragment(table, word))
    assert fragment[2] == state


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("pruned", [False, True])
def test_fragments_that_are_alike_for_all_that_follows_differ(order: int, pruned: bool) -> None:
    """No n-gram reaches from outside further than order - 1 words into a fragment."""
    model, _ = world(order, pruned)
    reach = order - 1
    seen: dict[Any, tuple[int, int]] = {}
    for length in range(reach, 5):
        for words in itertools.product([1, 4, 5], repeat=length):
            fragment = EMPTY
            for word in words:
                fragment = joined(model, fragment, word_fragment(model.table, word))
            if length > 0:
                alike = (words[:reach], words[length - reach :])
                assert seen.setdefault(alike, fragment[1:]) == fragment[1:]


def test_a_state_keeps_no_more_than_matters() -> None:
    """As kenlm has it: only what begins an n-gram, or costs to back off from."""
    model, entries = world(3, False)
    for w in range(4, 8):
        for v in range(4, 8):
            state = np.int32(0)
            for word in (w, v):
                _, state = advance(model.table, model.scratch(), state, word)
            says = [
                gram
                for gram in [(w, v), (v,)]
                if gram in entries and (entries[gram][1] or any(g[: len(gram)] == gram != g for g in entries))
            ]
            key = int(model.table.rows["key"][state])
            assert (key >> 2) & 7 == (len(says[0]) if says else 0)
