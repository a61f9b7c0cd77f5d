"""PR: pairwise preference learning (the paper's equations 6 to 10).

    J(w) = E_{p(x) p_w(<yi, yj> | x)} [ Delta(<yi, yj>) ]
    s_t  = Delta(<yi, yj>) (phi(yi) - phi(yj) - E[phi(yi) - phi(yj)])

``D = Delta(yi) - Delta(yj)`` is what is heard: positive where the first output is worse. The pair loss makes
a coefficient of it: ``violation`` is the paper's, ``shortfall`` counts what the first output lacks of a clear
win (so it does not vanish as the opponent gets hopeless), ``signed`` is the difference itself. ``logistic`` is the
signed difference times the model's belief in the output that lost, p(y_lost) / (p(y_won) + p(y_lost)): with the
opponent ``self`` and one bit, that is the likelihood of the preferences under Bradley and Terry, as in direct
preference optimization without a reference model; what the model knows already moves it no further. The
``contrast`` opponent is drawn from p_{-w}, as in the paper; the opponent ``self`` from p_w.

With the opponent ``self`` there may be k > 2 draws, of which each pair is compared: the step is the mean of those of
the pairs. With ``signed``, the coefficient of a draw is then 2 / k times its mean sign (or difference) against the
others.
"""

from __future__ import annotations

import math
from typing import Any

from kibitz.errors import InputError
from kibitz.objectives.objective import Objective, Rule, several


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


def logistic_cont(feedback: float, log_odds: float, params: Any) -> float:
    """D sigma(sign(D) log p(yi) / p(yj)): if yi is the worse one, the belief in yi."""
    return feedback / (1.0 + math.exp(min(700.0, -log_odds if feedback > 0.0 else log_odds)))


def logistic_bin(feedback: float, log_odds: float, params: Any) -> float:
    """sign(D) sigma(sign(D) log p(yi) / p(yj))."""
    sign = 1.0 if feedback > 0.0 else (-1.0 if feedback < 0.0 else 0.0)
    return sign / (1.0 + math.exp(min(700.0, -sign * log_odds)))


RULES: dict[tuple[str, str], Rule] = {
    ("violation", "cont"): violation_cont,
    ("violation", "bin"): violation_bin,
    ("shortfall", "cont"): shortfall_cont,
    ("shortfall", "bin"): shortfall_bin,
    ("signed", "cont"): signed_cont,
    ("signed", "bin"): signed_bin,
    ("logistic", "cont"): logistic_cont,
    ("logistic", "bin"): logistic_bin,
}
OPPONENTS = {"contrast": (1, -1), "self": (1, 1)}
PAIR_LOSSES = ("violation", "shortfall", "signed", "logistic")


def pairwise(
    feedback: str = "cont",
    pair_loss: str = "violation",
    opponent: str = "contrast",
    baseline: str = "none",
    draws: int = 2,
    coupling: str = "independent",
    control_variate: str = "none",
) -> Objective:
    """The objective PR(``feedback``), ``feedback`` being ``bin`` or ``cont``, on so many draws an ask."""
    if (pair_loss, feedback) not in RULES:
        raise InputError(
            f"no pair loss {pair_loss!r} with feedback {feedback!r}: choose one of {', '.join(PAIR_LOSSES)}"
        )
    if opponent not in OPPONENTS:
        raise InputError(f"an opponent is 'contrast' or 'self', not {opponent!r}")
    signs = several(draws) if draws != 2 else OPPONENTS[opponent]
    if len(signs) < 2 or (len(signs) > 2 and opponent != "self"):
        raise InputError("a comparison is of two draws or, with the opponent self, of more: give draws=2")
    return Objective(
        f"pr-{feedback}", hears="pair", signs=signs, rule=RULES[pair_loss, feedback], baseline=baseline,
        options=(("pair_loss", pair_loss), ("opponent", opponent), ("draws", draws)), coupling=coupling,
        control_variate=control_variate,
    )  # fmt: skip
