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
from kibitz.spaces.generator import uniform
from kibitz.spaces.weights import shrink

# places in the control
CONTROLS = 12
RATE, POWER, FROM, HORIZON, L2, TEMPERATURE, EPOCH, LINEAR, ASKS, NEEDS, OTHERS, COUPLING = range(CONTROLS)

ALL, UNSURE, GRADIENT = range(3)  # which inputs are asked about
UPDATES, JUDGEMENTS = 0, 1  # places in the counters

# What a baseline may know: of an input, and (NORM) of draws that came before the present one.
FACTS = 4
ENTROPY, LENGTH, KEY, NORM = range(FACTS)
NOTHING, MODEL, INPUT, STEP = range(
    4
)  # what it needs: no facts, those of the model, also the key, also the norm

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
def entropy_term(log_prob, entropy, length, control, t):  # type: ignore[no-untyped-def]
    """T (log p(y) + H) / length: E[log p (phi - E phi)] is the gradient of the negative entropy.

    H, the entropy, is the mean of -log p: subtracted, it leaves the mean of the step and lessens its variance.
    """
    return temperature_at(control, t) * (log_prob + entropy) / length


@kernel
def entropy_term_of_pair(log_odds, length, control, t):  # type: ignore[no-untyped-def]
    """Half the difference of the terms of two draws from p_w: the same mean, with less variance."""
    return temperature_at(control, t) * (0.5 * log_odds) / length


@kernel
def worth_asking(square, asking, random):  # type: ignore[no-untyped-def]
    """Whether chance asks about an input of which two draws differ by ``square`` = |phi(a) - phi(b)|^2.

    Its mean over draws is twice that of the squared length of phi - E[phi], hence of a step. An input is kept with the
    probability square / m, at most 1; m is the mean of all squares so far, and ``asking`` their number and m.
    """
    asking[0] += 1.0
    asking[1] += (square - asking[1]) / asking[0]
    return uniform(random) * asking[1] < square


@kernel
def advance(weights, control, counters):  # type: ignore[no-untyped-def]
    """Shrink by l2, count the update and return its rate."""
    rate = rate_at(control, counters[UPDATES])
    if control[L2] > 0.0:
        shrink(weights, rate * control[L2])
    counters[UPDATES] += 1
    return rate
