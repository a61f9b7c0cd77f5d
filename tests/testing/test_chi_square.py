"""The chi-square test is the textbook's, and it tells right draws from wrong ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from kibitz.testing.chi_square import p_value, upper_gamma


@given(st.floats(0.5, 600), st.floats(0.0, 4.0))
def test_the_tail_is_that_of_scipy(a: float, share: float) -> None:
    assert upper_gamma(a, a * share) == pytest.approx(special.gammaincc(a, a * share), rel=1e-9, abs=1e-14)


@given(st.lists(st.integers(0, 60), min_size=2, max_size=9))
def test_the_p_value_of_large_cells_is_that_of_scipy(counts: list[int]) -> None:
    n = sum(counts) + 10 * len(counts)
    counts = [count + 10 for count in counts]
    expected = [n / len(counts)] * len(counts)
    assert p_value(counts, [e / n for e in expected]) == pytest.approx(
        stats.chisquare(counts, expected).pvalue, rel=1e-9
    )


def test_right_draws_pass_and_wrong_ones_do_not() -> None:
    p = np.array([0.4, 0.3, 0.2, 0.05, 0.03, 0.01, 0.01])
    right = np.random.default_rng(1).multinomial(1000, p)
    wrong = np.random.default_rng(1).multinomial(1000, p[::-1])
    assert p_value(right.tolist(), p.tolist()) > 1e-3
    assert p_value(wrong.tolist(), p.tolist()) < 1e-12


def test_p_values_of_right_draws_are_spread_evenly() -> None:
    p = np.random.default_rng(2).dirichlet(np.ones(30))
    rows = np.random.default_rng(3).multinomial(500, p, size=800)
    values = [p_value(row.tolist(), p.tolist()) for row in rows]
    assert stats.kstest(values, "uniform").pvalue > 1e-3


def test_a_single_draw_of_something_impossible_fails_at_once() -> None:
    assert p_value([999, 1], [1.0, 0.0]) == 0.0


def test_too_few_draws_to_judge_pass() -> None:
    assert p_value([1, 2], [0.5, 0.5]) == 1.0
