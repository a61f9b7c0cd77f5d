"""A baseline for every input: what was heard of it before.

    b(x) = (m + n_x m_x) / (1 + n_x)

with m the mean of all earlier coefficients and m_x that of the n_x at this input. Inputs are known again by a key of
16 bits; two that share one share a baseline, which is as unbiased and a little less apt.
"""

from __future__ import annotations

from typing import Any

from kibitz.spaces.step import KEY

SIZE = 2 + 2 * 65_536


def by_input(coefficient: float, facts: Any, state: Any) -> float:
    """c - b(x)."""
    slot = 2 + 2 * int(facts[KEY])
    count, own = state[slot], state[slot + 1]
    centred = coefficient - (state[1] + count * own) / (1.0 + count)
    state[0] += 1.0
    state[1] += (coefficient - state[1]) / state[0]
    state[slot] += 1.0
    state[slot + 1] += (coefficient - own) / state[slot]
    return centred  # type: ignore[no-any-return]
