"""PR: pairwise preference learning (the paper's equations 6 to 10).

    J(w) = E_{p(x) p_w(<yi, yj> | x)} [ Delta(<yi, yj>) ]
    s_t  = Delta(<yi, yj>) (phi(yi) - phi(yj) - E[phi(yi) - phi(yj)])

``D = Delta(yi) - Delta(yj)`` is what is heard: positive where the first output is worse. The pair loss makes
a coefficient of it: ``violation`` is the paper's, ``shortfall`` counts what the first output lacks of a clear
win (so it does not vanish as the opponent gets hopeless), ``signed`` is the difference itself. The
``contrast`` opponent is drawn from p_{-w}, as in the paper; the opponent ``self`` from p_w.
"""

from __future__ import annotations

from typing import Any

from kibitz.errors import InputError
from kibitz.objectives.objective import Objective, Rule


def violation_cont(feedback: float, log_prob: float, params: Any) -> float:
    """max(0, D): equation 6."""
    return max(0.0, feedback)


def violation_bin(feedback: float, log_prob: float, params: Any) -> float:
    """[D > 0]: equation 7."""
    return 1.0 if feedback > 0.0 else 0.0


def shortfall_cont(feedback: float, log_prob: float, params: Any) -> float:
    """1 - max(0, -D)."""
    return 1.0 - max(0.0, -feedback)


def shortfall_bin(feedback: float, log_prob: float, params: Any) -> float:
    """[D >= 0]."""
    return 1.0 if feedback >= 0.0 else 0.0


def signed_cont(feedback: float, log_prob: float, params: Any) -> float:
    """D."""
    return feedback


def signed_bin(feedback: float, log_prob: float, params: Any) -> float:
    """sign(D)."""
    return 1.0 if feedback > 0.0 else (-1.0 if feedback < 0.0 else 0.0)


RULES: dict[tuple[str, str], Rule] = {
    ("violation", "cont"): violation_cont,
    ("violation", "bin"): violation_bin,
    ("shortfall", "cont"): shortfall_cont,
    ("shortfall", "bin"): shortfall_bin,
    ("signed", "cont"): signed_cont,
    ("signed", "bin"): signed_bin,
}
OPPONENTS = {"contrast": (1, -1), "self": (1, 1)}
PAIR_LOSSES = ("violation", "shortfall", "signed")


def pairwise(
    feedback: str = "cont", pair_loss: str = "violation", opponent: str = "contrast", baseline: str = "none"
) -> Objective:
    """The objective PR(``feedback``), ``feedback`` being ``bin`` or ``cont``."""
    if (pair_loss, feedback) not in RULES:
        raise InputError(
            f"no pair loss {pair_loss!r} with feedback {feedback!r}: choose violation, shortfall or signed"
        )
    if opponent not in OPPONENTS:
        raise InputError(f"an opponent is 'contrast' or 'self', not {opponent!r}")
    return Objective(
        f"pr-{feedback}", hears="pair", signs=OPPONENTS[opponent], rule=RULES[pair_loss, feedback],
        baseline=baseline, options=(("pair_loss", pair_loss), ("opponent", opponent)),
    )  # fmt: skip
