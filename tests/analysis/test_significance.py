"""Approximate randomisation against the exact test that enumerates every swapping."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.analysis.significance import bleu, f1, mean, randomisation
from kibitz.errors import InputError
from kibitz.feedback import SentenceBLEU
from kibitz.feedback.ngrams import ngram_counts

A = np.array([[3, 4, 5], [2, 2, 2], [1, 3, 2], [4, 4, 4], [2, 3, 3]], dtype=float)
B = np.array([[1, 4, 5], [1, 2, 2], [0, 3, 2], [3, 4, 4], [2, 3, 3]], dtype=float)


def exact(a, b, metric):
    """The share of all 2^n swappings whose difference is at least the observed one."""
    observed = abs(metric(a.sum(0)) - metric(b.sum(0)))
    hits = 0
    for swaps in product([False, True], repeat=len(a)):
        mask = np.array(swaps)[:, None]
        first, second = np.where(mask, b, a), np.where(mask, a, b)
        hits += abs(metric(first.sum(0)) - metric(second.sum(0))) >= observed - 1e-12
    return hits / 2 ** len(a)


@pytest.mark.parametrize("metric", [f1, mean])
def test_p_value_is_that_of_the_exact_test_up_to_sampling(metric):
    share = exact(A, B, metric)
    found = randomisation(A, B, metric, trials=40_000, seed=3)
    assert 0.01 < share < 0.9  # otherwise the case tells nothing
    assert found.p_value == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 40_000) + 1e-4)


def test_the_observed_difference_counts_as_one_of_the_trials():
    many = np.array([[1.0, 1.0, 1.0]] * 60), np.array([[0.0, 1.0, 1.0]] * 60)
    assert randomisation(*many, trials=99).p_value == pytest.approx(1 / 100)
    assert randomisation(A, A, trials=99).p_value == 1.0


def test_worse_and_better_are_as_surprising():
    assert randomisation(A, B, seed=1).p_value == randomisation(B, A, seed=1).p_value
    assert randomisation(A, B).difference == -randomisation(B, A).difference


def test_seeds_are_stacked_and_make_the_same_difference_less_likely_to_be_chance():
    one = randomisation(A, B, seed=5)
    three = randomisation(np.stack([A] * 3), np.stack([B] * 3), seed=5)
    assert three.first == pytest.approx(one.first)
    assert three.p_value < one.p_value
    assert randomisation(np.concatenate([A] * 3), np.concatenate([B] * 3), seed=5) == three


def test_the_same_seed_gives_the_same_p_value_and_another_seed_another():
    values = {randomisation(A, B, seed=seed, trials=501).p_value for seed in (1, 1, 2, 3)}
    assert 1 < len(values) <= 3


def test_scores_are_the_corpus_metrics():
    found = randomisation(A, B, trials=1)
    assert found.first == pytest.approx(2 * 12 / (16 + 16))
    assert found.second == pytest.approx(2 * 7 / (16 + 16))
    assert f1(np.zeros(3)) == 0.0


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32 - 1))
def test_interchangeable_systems_are_rarely_called_different(n, seed):
    generator = np.random.default_rng(seed)
    a, b = (np.stack([generator.random(n), np.ones(n)], axis=1) for _ in range(2))
    found = randomisation(a, b, mean, trials=200, seed=seed)
    assert 1 / 201 <= found.p_value <= 1.0


def test_p_values_of_interchangeable_systems_are_spread_evenly():
    generator = np.random.default_rng(0)
    values = []
    for seed in range(300):
        a, b = (np.stack([generator.random(30), np.ones(30)], axis=1) for _ in range(2))
        values.append(randomisation(a, b, mean, trials=200, seed=seed).p_value)
    assert 0.02 < np.mean(np.array(values) <= 0.05) < 0.09
    assert 0.45 < np.mean(values) < 0.56


@pytest.mark.parametrize(
    ("a", "b", "trials"),
    [(A, B[:4], 10), (A[:0], B[:0], 10), (A[0], B[0], 10), (np.stack([A, A]), B, 10), (A, B, 0)],
)
def test_counts_that_cannot_be_compared_are_refused_in_one_sentence(a, b, trials):
    with pytest.raises(InputError) as caught:
        randomisation(a, b, trials=trials)
    assert str(caught.value).endswith(".")


WORDS = st.lists(st.sampled_from("a b c".split()), max_size=7)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6))
def test_bleu_of_counts_is_that_of_the_texts(pairs):
    counts = sum(ngram_counts([output], reference)[0] for output, reference in pairs)
    outputs, references = zip(*pairs, strict=True)
    assert bleu(counts) == pytest.approx(SentenceBLEU().corpus(outputs, references), abs=1e-9)
    assert bleu(np.stack([counts, counts])).tolist() == [bleu(counts)] * 2
