"""CE: cross-entropy minimisation (the paper's equations 11 to 13).

    J(w) = -E_{p(x)} sum_y g(y) log p_w(y | x),  g = 1 - Delta
    s_t  = g(y~) / max(p_w(y~ | x), k) (-phi(x, y~) + E_{p_w}[phi])

Clipping at k trades the unbiasedness of the paper's objective for bounded steps: what is then minimised is
-sum_y g(y) H_k(p(y)), with H_k(p) = p / k for p <= k and 1 + log(p / k) above.
"""

from __future__ import annotations

import math
from typing import Any

from kibitz.errors import InputError
from kibitz.objectives.objective import Objective, several


def rule(feedback: float, log_prob: float, params: Any) -> float:
    """c = -g(y) / max(p(y), k)."""
    clip: float = params[0]
    return -(1.0 - feedback) / max(math.exp(log_prob), clip)


def cross_entropy(
    clip: float = 1e-2,
    baseline: str = "none",
    draws: int = 1,
    coupling: str = "independent",
    control_variate: str = "none",
) -> Objective:
    """The objective CE with clipping constant ``clip`` (0: no clipping), with so many rated draws an ask."""
    if not 0.0 <= clip < 1.0:
        raise InputError(f"the clipping constant is a probability, at least 0 and below 1, not {clip}")
    return Objective(
        "ce",
        hears="loss",
        signs=several(draws),
        rule=rule,
        params=(clip,),
        baseline=baseline,
        options=(("clip", clip), ("draws", draws)),
        coupling=coupling,
        control_variate=control_variate,
    )
