"""Full information: the log-likelihood of the gold output, what learning could do if shown the answer.

J(w) = -E_{p(x, y)} [ log p_w(y | x) ]        s_t = -(phi(x, y) - E_{p_w}[phi])
"""

from __future__ import annotations

from typing import Any

from kibitz.objectives.objective import Objective


def rule(feedback: float, log_prob: float, params: Any) -> float:
    """c = -1 for the gold output."""
    return -1.0


def likelihood() -> Objective:
    """The objective of full information."""
    return Objective("likelihood", hears="gold", signs=(1,), rule=rule)
