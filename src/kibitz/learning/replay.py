"""A remembered judgement taken again, at the weights of now.

Draws y_d made under w_then are draws of today's step once each is weighed by how much likelier it is by now:

    s = sum_d u_d c_d (phi(x, y_d) - E_{sign_d w_now}[phi]),      u_d = p_now(y_d) / p_then(y_d)

Of a pair, whose coefficient depends on both draws, u is the product of both. Draws without replacement
keep the weights of their set, which are those of then. c_d is made anew of what was heard, with
the log-probabilities and the baseline of now: so the mean of s over draws of then is the mean of a new step, but for
what a baseline has learnt from these very draws. An output that was told, or the best one seen, was not drawn for the
step, which is then c (phi(x, y) - E[phi]), the c of the likelihood times the gain of y.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from kibitz.learning.memory import Memory
from kibitz.learning.remembered import Remembered
from kibitz.learning.weighing import Weighing
from kibitz.spaces.protocol import Gradient
from kibitz.spaces.step import Control
from kibitz.spaces.weights import Weights


def replayed(
    entry: Remembered, memory: Memory, weighing: Weighing, weights: Weights, control: Control, t: int
) -> Gradient | None:
    """The step of a remembered judgement before the optimizer; None where there is none."""
    space, signs, answer = weighing.space, weighing.signs, entry.answer
    draw = space.recall(entry.x, entry.structures, weights, signs[: len(entry.structures)])
    if answer.kind == "gold":
        c = np.array([entry.gain * weighing.gold(0.0, 0.0, weighing.params)])
        if not c.any():
            return None
        return space.gradient(entry.x, draw, (space.gold(entry.x, draw, answer.output),), c, signs[:1])
    odds = [_ratio(now, then) for now, then in zip(draw.densities, entry.densities, strict=True)]
    ratios = [one * other for one, other in combinations(odds, 2)] if weighing.pair else odds
    shares = np.array([memory.share(u) for u in ratios])
    if not shares.any():
        return None
    then = np.array(entry.log_probs)
    coefficients = np.array(weighing.again(entry.x, draw, answer, control, t, shares, then))
    return space.gradient(entry.x, draw, draw.codes, coefficients, signs) if coefficients.any() else None


def _ratio(now: float, then: float) -> float:
    """p_now / p_then."""
    return math.exp(min(700.0, now - then))
