"""The constant baseline of least variance, which is the score function as a control variate.

With s = c psi, psi = phi(y) - E[phi], the variance of (c - b) psi is least at

    b = E[c |psi|^2] / E[|psi|^2]

(Greensmith, Bartlett and Baxter, 2004). As E[psi] = 0, that is Cov(s, psi) / Var(psi): the coefficient with which
Kreutzer, Sokolov and Riezler (2017) subtract the control variate psi, the score function grad log p, from the step.
Both means are taken over earlier draws.
"""

from __future__ import annotations

from typing import Any

from kibitz.spaces.step import NORM

SIZE = 2


def optimal(coefficient: float, facts: Any, state: Any) -> float:
    """c - b."""
    expected = state[0] / state[1] if state[1] > 0.0 else 0.0
    state[0] += coefficient * facts[NORM]
    state[1] += facts[NORM]
    return coefficient - expected
