"""The three estimates against figures worked out by hand and against plain dense arithmetic."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.analysis import convergence, vectors
from kibitz.analysis.convergence import EpochDifferences, Estimates, pairs_of
from kibitz.analysis.shelf import Shelf
from kibitz.spaces.protocol import sparse


def vector(*pairs):
    return sparse([i for i, _ in pairs], [v for _, v in pairs])


def test_single_steps_by_hand():
    steps = [vector((0, 1.0)), vector((1, 2.0))]  # mean (1/2, 1), deviations (1/2, -1) and (-1/2, 1)
    weights = [np.array([0.0, 0.0]), np.array([0.0, 0.5])]
    found = convergence.single_steps(steps, steps, pairs_of(weights), rate=0.1)
    assert found.squared_norm == pytest.approx(0.01 * 4)
    assert found.variance == pytest.approx(0.01 * 1.25)
    assert found.lipschitz == pytest.approx(0.1 * sqrt(5) / 0.5)


def test_epoch_differences_by_hand():
    weights = [np.array([0.0, 0.0]), np.array([-1.0, 0.0]), np.array([-1.0, -2.0])]  # s = (1, 0), (0, 2)
    found = convergence.epoch_differences(weights)
    assert found == Estimates(pytest.approx(4.0), pytest.approx(sqrt(5)), pytest.approx(1.25))


def test_gradients_are_held_against_the_weights_they_were_taken_at():
    epochs = EpochDifferences(np.zeros(1))
    for w in (1.0, 3.0, 3.5):  # s = -1, -2, -0.5 at w = 0, 1, 3
        epochs.add(np.array([w]))
    # |-1 + 2| / |0 - 1|; with the weights after the epochs it would be |-2 + 0.5| / |3 - 3.5| = 3
    assert epochs.estimates(pairs_of(epochs.iterates)).lipschitz == pytest.approx(1.0)


def test_weights_that_change_afterwards_do_not_change_what_was_recorded():
    weights = np.zeros(3)
    epochs = EpochDifferences(weights)
    for step in (1.0, 5.0):
        weights += step
        epochs.add(weights)
    weights += 100.0
    assert epochs.estimates(pairs_of(epochs.iterates)) == Estimates(
        pytest.approx(75.0), pytest.approx(4.0), pytest.approx(12.0)
    )


def test_vectors_come_back_from_the_shelf_as_they_were_put_there():
    shelf = Shelf()
    kept = [np.arange(5, dtype=np.float32), np.ones(3), np.arange(10)[::2]]
    for vector in kept:
        shelf.put(vector)
    assert len(shelf) == 3
    for i in (2, 0, 1, -1):
        assert shelf[i].dtype == kept[i].dtype
        assert shelf[i].tolist() == kept[i].tolist()
    assert [v.tolist() for v in shelf] == [v.tolist() for v in shelf[:]] == [v.tolist() for v in kept]


def test_iterates_that_coincide_are_left_out():
    same = [np.zeros(2), np.zeros(2)]
    assert convergence.lipschitz([vector((0, 1.0)), vector((0, 2.0))], pairs_of(same)) == 0.0


def test_an_epoch_must_have_passed():
    with pytest.raises(ValueError, match="no epoch"):
        EpochDifferences(np.zeros(1)).estimates([])


dense_lists = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.floats(-10, 10), min_size=5, max_size=5), min_size=n, max_size=n)
)


@settings(max_examples=60, deadline=None)
@given(dense_lists, st.randoms(use_true_random=False))
def test_sparse_vectors_give_what_dense_arithmetic_gives(rows, random):
    matrix = np.array([[x if random.random() < 0.6 else 0.0 for x in row] for row in rows])
    sparses = [sparse(np.flatnonzero(row), row[np.flatnonzero(row)]) for row in matrix]
    expected = np.mean(np.sum((matrix - matrix.mean(0)) ** 2, axis=1))
    assert convergence.variance(sparses) == pytest.approx(expected, abs=1e-9)
    assert convergence.variance(list(matrix)) == pytest.approx(expected, abs=1e-9)
    for a, b, x, y in zip(sparses, sparses[1:], matrix, matrix[1:], strict=False):
        assert vectors.squared_distance(a, b) == pytest.approx(np.sum((x - y) ** 2), abs=1e-9)
        assert vectors.squared_distance(x, y) == pytest.approx(np.sum((x - y) ** 2), abs=1e-9)
        for left, right in ((a, b), (x, b), (a, y), (x, y)):
            assert vectors.inner(left, right) == pytest.approx(x @ y, abs=1e-9)


def test_float32_weights_are_subtracted_in_double():
    w = np.full(1000, 1e4, dtype=np.float32)
    moved = w + np.float32(1.0)
    assert vectors.squared_distance(w, moved) == pytest.approx(1000.0, rel=1e-9)
    assert vectors.squared_norm(np.full(10**6, 0.1, dtype=np.float32)) == pytest.approx(1e4, rel=1e-6)


def test_lipschitz_of_a_linear_gradient_is_its_slope():
    generator = np.random.default_rng(0)
    iterates = [generator.normal(size=4) for _ in range(20)]
    gradients = [3.0 * w for w in iterates]
    assert convergence.lipschitz(gradients, pairs_of(iterates)) == pytest.approx(3.0)
    assert convergence.smoothness(lambda w, n: 3.0 * w + n, iterates, pairs_of(iterates)) == pytest.approx(
        3.0
    )


def test_smoothness_shares_the_randomness_of_a_pair_and_the_paper_reading_does_not():
    """Noise that both gradients share drops out; recorded separately, it is divided by a short way."""
    generator = np.random.default_rng(1)
    iterates = [np.array([1e-3 * i]) for i in range(10)]
    noisy = [w + generator.normal(size=1) for w in iterates]

    def gradient(w, number):
        return w + np.random.default_rng(number).normal(size=1)

    assert convergence.smoothness(gradient, iterates, pairs_of(iterates)) == pytest.approx(1.0, rel=1e-6)
    assert convergence.lipschitz(noisy, pairs_of(iterates)) > 100.0


@pytest.mark.parametrize(("n", "asked", "given_"), [(100, 500, 500), (5, 500, 10), (2, 1, 1), (1, 500, 0)])
def test_pairs_are_distinct_and_as_many_as_there_can_be(n, asked, given_):
    iterates = [np.array([float(i)]) for i in range(n)]
    pairs = pairs_of(iterates, pairs=asked, seed=4)
    assert len(pairs) == len({(pair.i, pair.j) for pair in pairs}) == given_
    assert all(0 <= pair.i < pair.j < n for pair in pairs)
    assert all(pair.squared_distance == (pair.j - pair.i) ** 2 for pair in pairs)
    assert pairs == pairs_of(iterates, pairs=asked, seed=4)


def test_keeping_every_second_epoch_changes_the_pairs_and_nothing_else():
    generator = np.random.default_rng(2)
    weights = np.cumsum(generator.normal(size=(9, 3)), axis=0)
    whole, half = EpochDifferences(weights[0]), EpochDifferences(weights[0], keep_every=2)
    for w in weights[1:]:
        whole.add(w)
        half.add(w)
    a, b = (epochs.estimates(pairs_of(epochs.iterates)) for epochs in (whole, half))
    assert (a.squared_norm, a.variance) == (b.squared_norm, b.variance)
    kept = [weights[e] - weights[e + 1] for e in range(0, 8, 2)]
    assert b.lipschitz == pytest.approx(convergence.lipschitz(kept, pairs_of(weights[0:8:2])))
    assert b.lipschitz <= a.lipschitz
