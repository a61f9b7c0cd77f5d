"""The squared gradient norm from two batches: unbiased, with an error that covers."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.analysis.gradient_norm import Norm, squared_norm_from
from kibitz.spaces.protocol import sparse

GRADIENT = np.array([0.3, -0.2, 0.0, 0.1])
TRUE = float(GRADIENT @ GRADIENT)


def batch(generator, n, gradient=GRADIENT):
    return [
        sparse(np.arange(len(gradient)), gradient + generator.normal(size=len(gradient))) for _ in range(n)
    ]


def test_two_batches_are_right_on_average_where_one_is_not():
    generator = np.random.default_rng(0)
    found = [squared_norm_from(batch(generator, 10), batch(generator, 10))[0] for _ in range(1500)]
    standard_error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) == pytest.approx(TRUE, abs=4 * standard_error)
    assert standard_error < TRUE / 10  # so that one batch's bias, 4 / 10, would be seen


def test_the_error_is_about_the_true_scatter_and_never_below_it():
    generator = np.random.default_rng(1)
    found = [squared_norm_from(batch(generator, 200), batch(generator, 200)) for _ in range(300)]
    scatter = np.std([value for value, _ in found])
    assert scatter * 0.9 < np.mean([error for _, error in found]) < scatter * 1.5


def test_relative_variance_is_noise_over_signal():
    assert Norm(value=2.0, error=0.1, mean_square=10.0).relative_variance == 4.0


def test_no_signal_at_all_is_infinite_relative_variance():
    assert Norm(value=-0.1, error=0.2, mean_square=10.0).relative_variance == np.inf


def test_batches_of_different_length_and_reach_are_averaged_each_on_its_own():
    first = [sparse([0, 5], [2.0, 1.0])] * 2
    second = [sparse([0], [3.0])] * 3
    assert squared_norm_from(first, second) == (6.0, 0.0)
