"""The plainest baselines: none at all, and the mean of what came before."""

from __future__ import annotations

from typing import Any


def none(coefficient: float, facts: Any, state: Any) -> float:
    """c."""
    return coefficient


def mean(coefficient: float, facts: Any, state: Any) -> float:
    """c - b, where b is the mean of all earlier coefficients (0 before the first)."""
    centred = coefficient - state[1]
    state[0] += 1.0
    state[1] += (coefficient - state[1]) / state[0]
    return centred  # type: ignore[no-any-return]
