"""The compiled arithmetic of one list: everything follows from the log-probabilities of its candidates.

log p(n) = sign s_n - log Z        log Z = log sum_n exp(sign s_n)        s_n = w . phi(x, n)
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import fused
from kibitz.spaces.generator import uniform
from kibitz.spaces.weighing import totals


@fused
def normalise(score, n, sign, logs):  # type: ignore[no-untyped-def]
    """Fill ``logs`` with log p; returns log Z."""
    top = -np.inf
    for i in range(n):
        logs[i] = sign * score[i]
        top = max(top, logs[i])
    total = 0.0
    for i in range(n):
        total += np.exp(logs[i] - top)
    log_partition = top + np.log(total)
    for i in range(n):
        logs[i] -= log_partition
    return log_partition


@fused
def propensity(logs, group, lo, n, wanted):  # type: ignore[no-untyped-def]
    """log sum of p(n) over the candidates whose text has the number ``wanted``; minus infinity without any."""
    top = -np.inf
    for i in range(n):
        if group[lo + i] == wanted:
            top = max(top, logs[i])
    if top == -np.inf:
        return top
    total = 0.0
    for i in range(n):
        if group[lo + i] == wanted:
            total += np.exp(logs[i] - top)
    return top + np.log(total)


@fused
def sample(logs, n, random):  # type: ignore[no-untyped-def]
    """A candidate by inversion; where rounding leaves a rest, the most probable one has it."""
    u = uniform(random)
    reached, best = 0.0, 0
    for i in range(n):
        reached += np.exp(logs[i])
        if u < reached:
            return i
        if logs[i] > logs[best]:
            best = i
    return best


@fused
def best_of(score, n):  # type: ignore[no-untyped-def]
    """The first candidate of the highest score."""
    best = 0
    for i in range(n):
        if score[i] > score[best]:
            best = i
    return best


@fused
def subtract_means(signs, coefficients, n, plus, minus, gradient):  # type: ignore[no-untyped-def]
    """gradient = - sum_d c_d E_{sign_d w}[phi], as numbers by candidate; means whose coefficients sum to 0 cancel."""
    above, below = totals(signs, coefficients)
    for i in range(n):
        gradient[i] = 0.0
    if above != 0.0:
        for i in range(n):
            gradient[i] -= above * np.exp(plus[i])
    if below != 0.0:
        for i in range(n):
            gradient[i] -= below * np.exp(minus[i])


@fused
def entropy_of(logs, n):  # type: ignore[no-untyped-def]
    """-sum p log p."""
    total = 0.0
    for i in range(n):
        if logs[i] > -np.inf:
            total -= np.exp(logs[i]) * logs[i]
    return total


@fused
def shares_of(logs, group, lo, n, wanted, shares):  # type: ignore[no-untyped-def]
    """shares[n] = p(n | text): what each candidate has of the probability of a text, 0 where its text is another."""
    own = propensity(logs, group, lo, n, wanted)
    for i in range(n):
        shares[i] = np.exp(logs[i] - own) if group[lo + i] == wanted else 0.0
