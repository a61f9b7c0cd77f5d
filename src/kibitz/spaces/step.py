"""What every objective's step has in common, once the feedback is in.

    w  <-  w - rate * sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi])

The space draws and computes features; the objective's rule gives ``c`` from the feedback; to it the entropy term is
added, and from it the baseline subtracted. These are the parts that the compiled loop and a tell from Python both call,
so that both give the same bits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.weights import shrink

RATE, POWER, FROM, HORIZON, L2, TEMPERATURE, EPOCH, LINEAR = range(8)

UPDATES, JUDGEMENTS = 0, 1  # places in the counters

Control = npt.NDArray[np.float64]


@fused
def rate_at(control, t):  # type: ignore[no-untyped-def]
    """rate (1 + t / from)^-power, or rate (1 - t / horizon) for a linear decay."""
    if control[LINEAR] > 0.0:
        return control[RATE] * max(0.0, 1.0 - t / control[HORIZON])
    if control[POWER] == 0.0:
        return control[RATE]
    return control[RATE] * (1.0 + t / control[FROM]) ** -control[POWER]


@fused
def temperature_at(control, t):  # type: ignore[no-untyped-def]
    """T0 / cuberoot(epoch + 1): the weight of the entropy term, cooled epoch by epoch."""
    if control[TEMPERATURE] == 0.0:
        return 0.0
    epoch = np.floor(t / control[EPOCH]) if control[EPOCH] > 0.0 else 0.0
    return control[TEMPERATURE] / np.cbrt(epoch + 1.0)


@kernel
def entropy_term(log_probs, signs, length, control, t):  # type: ignore[no-untyped-def]
    """T log p(y) / length: E[log p (phi - E phi)] is the gradient of the negative entropy.

    Of two draws from p_w it takes half the difference, whose mean is the same with less variance.
    """
    surprise = log_probs[0]
    if len(signs) == 2 and signs[1] > 0:
        surprise = 0.5 * (surprise - log_probs[1])
    return temperature_at(control, t) * surprise / length


@kernel
def advance(weights, control, counters):  # type: ignore[no-untyped-def]
    """Shrink by l2, count the update and return its rate."""
    rate = rate_at(control, counters[UPDATES])
    if control[L2] > 0.0:
        shrink(weights, rate * control[L2])
    counters[UPDATES] += 1
    return rate
