"""How figures are written."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.analysis.numbers import Spread, count, duration, number, score


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.04, "3.04"),
        (0.0012, "1.2e-3"),
        (1.21e-3, "1.21e-3"),
        (9.996e-4, "1e-3"),
        (0.01, "0.01"),
        (0.923, "0.923"),
        (35.0, "35"),
        (0.0, "0"),
        (7, "7"),
        (3_174_400, "3,174,400"),
        (-0.5, "-0.5"),
        (9999.4, "9999"),
        (12345.6, "1.23e4"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_numbers_have_three_digits_and_no_padding(value, text):
    assert number(value) == text


@given(st.floats(1e-12, 1e12), st.sampled_from([1, -1]))
def test_a_written_number_is_within_half_a_percent_of_itself(value, sign):
    assert float(number(sign * value)) == pytest.approx(sign * value, rel=0.0051)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (950, "950"),
        (999, "999"),
        (999.7, "1k"),
        (100_000, "100k"),
        (115_000, "115k"),
        (4_700_000, "4.7M"),
        (3_174_400, "3.17M"),
        (999_900, "1M"),
        (2e9, "2G"),
    ],
)
def test_counts_read_as_people_say_them(value, text):
    assert count(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.25, "0.2 s"), (9.97, "10 s"), (59.6, "1 min 00 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")],
)
def test_durations_carry_into_the_next_unit(seconds, text):
    assert duration(seconds) == text


def test_spread_is_the_mean_and_the_deviation_of_a_sample():
    spread = Spread.of([0.92, 0.93, 0.94], "score")
    assert spread.mean == pytest.approx(0.93)
    assert spread.deviation == pytest.approx(0.01)
    assert str(spread) == "0.9300 ± 0.0100"
    assert spread.json() == {"mean": spread.mean, "deviation": spread.deviation, "n": 3}


def test_a_single_run_has_no_deviation():
    assert str(Spread.of([4_700_000], "count")) == "4.7M"
    assert Spread.of([1.0]).json()["deviation"] is None
    with pytest.raises(ValueError, match="no values"):
        Spread.of([])


def test_scores_line_up():
    assert score(0.5) == "0.5000"
