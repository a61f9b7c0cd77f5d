"""Grids on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.tasks.grid import combinations, values


def test_a_range_is_spaced_by_the_logarithm_and_has_both_ends() -> None:
    assert values("rate", "1e-3..1e-1") == [0.001, 0.0032, 0.01, 0.032, 0.1]
    assert values("rate", "1e-3..1e-1", per_decade=1) == [0.001, 0.01, 0.1]


def test_a_list_keeps_its_order_and_drops_repeats() -> None:
    assert values("temperature", "0.4, 0, 0.2,0.4") == [0.4, 0.0, 0.2]
    assert values("rate", "0.5,1e-2..1e-1", per_decade=1) == [0.5, 0.01, 0.1]
    assert values("objective", "el, ce", str) == ["el", "ce"]


def test_whole_numbers_stay_whole() -> None:
    assert values("iterations", "1e3..1e5", int, per_decade=1) == [1000, 10_000, 100_000]
    assert all(isinstance(value, int) for value in values("iterations", "1e3..1e5", int))


@pytest.mark.parametrize("text", ["1e-1..1e-3", "0..1", "-1..1", "1..1", "", "a", "1e-3..", "1,,2"])
def test_what_is_not_a_grid_is_refused_by_its_option(text: str) -> None:
    with pytest.raises(InputError, match="--rate"):
        values("rate", text)


@given(st.floats(1e-8, 1.0), st.floats(1.5, 1e6), st.integers(1, 5))
def test_ranges_rise_from_the_low_end_to_the_high_end(low: float, factor: float, per_decade: int) -> None:
    found = values("rate", f"{low!r}..{low * factor!r}", per_decade=per_decade)
    assert found == sorted(found)
    assert found[0] == pytest.approx(low, rel=0.06)
    assert found[-1] == pytest.approx(low * factor, rel=0.06)


def test_combinations_are_all_of_them_each_once() -> None:
    found = list(combinations({"rate": [1, 2], "temperature": [3], "objective": ["el", "ce"]}))
    assert len(found) == 4
    assert {tuple(item.values()) for item in found} == {
        (1, 3, "el"),
        (1, 3, "ce"),
        (2, 3, "el"),
        (2, 3, "ce"),
    }
