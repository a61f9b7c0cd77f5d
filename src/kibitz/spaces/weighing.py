"""From what was heard of each draw to its coefficient, in compiled loops: the same for every space.

What `kibitz.learning.weighing` does for an answer from Python, operation by operation, so that both give the same bits.
"""

from __future__ import annotations

from kibitz.spaces.compiled import fused
from kibitz.spaces.step import (
    ENTROPY,
    NEEDS,
    NORM,
    NOTHING,
    OTHERS,
    TEMPERATURE,
    divide,
    entropy_term,
    entropy_term_of_pair,
    leave_one_out,
)

LOSS, PAIR, GOLD = range(3)  # what is heard
HEARS = {"loss": LOSS, "pair": PAIR, "gold": GOLD}


@fused
def informed(control, hears, signs):  # type: ignore[no-untyped-def]
    """Whether the entropy of the model is wanted before the step: by a baseline, or by the entropy term."""
    own_pair = hears == PAIR and signs[len(signs) - 1] > 0
    wanted = control[NEEDS] > NOTHING or (control[TEMPERATURE] > 0.0 and not own_pair)
    return wanted and hears != GOLD


@fused
def totals(signs, coefficients):  # type: ignore[no-untyped-def]
    """The sums of the coefficients of draws from p_w and from p_{-w}: how often each mean is subtracted."""
    above = below = 0.0
    for d in range(len(signs)):
        if signs[d] > 0:
            above += coefficients[d]
        else:
            below += coefficients[d]
    return above, below


@fused
def alone(hears, d, draws, coefficients):  # type: ignore[no-untyped-def]
    """The coefficients of the unit step of draw ``d``, or of the pair."""
    for e in range(draws):
        coefficients[e] = 1.0 if e == d else (-1.0 if hears == PAIR else 0.0)


@fused
def weigh(  # type: ignore[no-untyped-def]
    hears, equal, feedback, log_probs, norms, signs, length, facts, rule, params, centre, baseline, control, t, hear,
    chance, habits, c,
):  # fmt: skip
    """Fill ``c`` from the true losses in ``feedback``, which are used up; ``norms`` are of unit steps, draw by draw."""
    draws = len(signs)
    if hears == PAIR:
        value = 0.0
        if not equal:
            value = hear(feedback[0] - feedback[1], -1.0, chance, habits)
        value = rule(value, log_probs[0] - log_probs[1], params)
        if control[TEMPERATURE] > 0.0:
            if signs[1] > 0:
                value += entropy_term_of_pair(log_probs, length, control, t)
            else:
                value += entropy_term(log_probs[0], facts[ENTROPY], length, control, t)
        facts[NORM] = norms[0]
        value = centre(value, facts, baseline)
        c[0], c[1] = value, -value
        return
    for d in range(draws):
        feedback[d] = hear(feedback[d], 0.0, chance, habits)
    for d in range(draws):
        value = rule(feedback[d], log_probs[d], params)
        if control[TEMPERATURE] > 0.0:
            value += entropy_term(log_probs[d], facts[ENTROPY], length, control, t)
        facts[NORM] = norms[d]
        c[d] = centre(value, facts, baseline)
    if control[OTHERS] > 0.0:
        leave_one_out(c, draws)
    elif draws > 1:
        divide(c, draws)
