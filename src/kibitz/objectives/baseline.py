"""Baselines: a number subtracted from the coefficient before the step.

Since E[phi - E[phi]] = 0, any number that does not depend on the current draw leaves the mean of the step unchanged and
can only change its variance. It is subtracted from the coefficient, never from a loss or a gain.
"""

from __future__ import annotations

from typing import Any

from kibitz.errors import InputError


def none(coefficient: float, state: Any) -> float:
    """c."""
    return coefficient


def mean(coefficient: float, state: Any) -> float:
    """c - b, where b is the mean of all earlier coefficients (0 before the first)."""
    centred = coefficient - state[1]
    state[0] += 1.0
    state[1] += (coefficient - state[1]) / state[0]
    return centred  # type: ignore[no-any-return]


BASELINES = {"none": none, "mean": mean}
STATE = 2  # how many numbers a baseline may keep


def baseline_from(name: str) -> Any:
    """The baseline of that name."""
    if name not in BASELINES:
        raise InputError(f"no baseline is called {name!r}: choose one of {', '.join(BASELINES)}")
    return BASELINES[name]
