"""EL: expected loss minimisation (the paper's equations 4 and 5).

J(w) = E_{p(x) p_w(y|x)} [ Delta(y) ]        s_t = Delta(y~) (phi(x, y~) - E_{p_w}[phi])
"""

from __future__ import annotations

from typing import Any

from kibitz.objectives.objective import Objective, several


def rule(feedback: float, log_prob: float, params: Any) -> float:
    """c = Delta(y)."""
    return feedback


def expected_loss(
    baseline: str = "none",
    draws: int = 1,
    coupling: str = "independent",
    control_variate: str = "none",
) -> Objective:
    """The objective EL, with so many rated draws an ask."""
    return Objective(
        "el", hears="loss", signs=several(draws), rule=rule, baseline=baseline, options=(("draws", draws),),
        coupling=coupling, control_variate=control_variate,
    )  # fmt: skip
