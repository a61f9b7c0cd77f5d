"""From what was heard of each draw to its coefficient, in compiled loops: the same for every space.

What `kibitz.learning.weighing` does for an answer from Python, operation by operation, so that both give the same bits.
"""

from __future__ import annotations

from kibitz.spaces.compiled import fused
from kibitz.spaces.coupling import INDEPENDENT
from kibitz.spaces.sharing import GOLD, LOSS, PAIR, add_value, pair_of, share, values_of
from kibitz.spaces.step import (
    COUPLING,
    ENTROPY,
    NEEDS,
    NORM,
    NOTHING,
    TEMPERATURE,
    entropy_term,
    entropy_term_of_pair,
)


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
def differing(group, draws):  # type: ignore[no-untyped-def]
    """How many pairs of draws show two different outputs; ``group`` has the first draw that shows the same."""
    pairs = 0
    for d in range(draws):
        for e in range(d + 1, draws):
            pairs += group[d] != group[e]
    return pairs


@fused
def judged(hears, group, draws):  # type: ignore[no-untyped-def]
    """The judgements of an ask: every output rated, or every pair that differs compared."""
    return draws if hears == LOSS else differing(group, draws)


@fused
def weigh(  # type: ignore[no-untyped-def]
    hears, group, feedback, log_probs, norms, signs, length, facts, rule, params, centre, baseline, control, t, hear,
    chance, habits, c,
):  # fmt: skip
    """Fill ``c`` from the true losses in ``feedback``, which are used up; ``norms`` are of unit steps, by value.

    The baseline of draws that hang together, and of pairs that share draws, is that from before the ask: what it
    learns from one of them depends on the others.
    """
    draws = len(signs)
    together = control[COUPLING] != INDEPENDENT or hears == PAIR
    for d in range(draws):
        c[d] = 0.0
        if hears == LOSS:
            feedback[d] = hear(feedback[d], 0.0, chance, habits)
    expected = 0.0
    for n in range(values_of(hears, draws)):
        if hears == PAIR:
            d, e = pair_of(n, draws)
            value = 0.0
            if group[d] != group[e]:
                value = hear(feedback[d] - feedback[e], -1.0, chance, habits)
            value = rule(value, log_probs[d] - log_probs[e], params)
        else:
            d, e = n, n
            value = rule(feedback[n], log_probs[n], params)
        if control[TEMPERATURE] > 0.0:
            if hears == PAIR and signs[e] > 0:
                value += entropy_term_of_pair(log_probs[d] - log_probs[e], length, control, t)
            else:
                value += entropy_term(log_probs[d], facts[ENTROPY], length, control, t)
        facts[NORM] = norms[n]
        centred = centre(value, facts, baseline)
        if n == 0:
            expected = value - centred
        elif together:
            centred = value - expected
        add_value(hears, n, centred, draws, c)
    share(hears, control, log_probs, draws, c)
