"""An exponential that the compiler turns into vector instructions.

exp(x) = 2^k exp(r), with k = round(x / log 2) and |r| <= log(2) / 2, and exp(r) by its Taylor polynomial of degree 13,
whose remainder is below the rounding of a float64. Adding 1.5 2^52 to a number rounds it, and leaves the whole number
in the lowest bits, where the exponent of 2^k is made of it without a conversion.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

from kibitz.spaces.compiled import fused

LARGEST = 708.0  # its exponential, and that of -708, are normal numbers
ROUND = 1.5 * 2.0**52


@intrinsic
def fma(typing, a, b, c):  # type: ignore[no-untyped-def]
    """a b + c, rounded once: one instruction, and the same bits on every machine."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


@fused
def exponential(x):  # type: ignore[no-untyped-def]
    """exp(x), x taken into [-708, 708] first."""
    x = max(min(x, LARGEST), -LARGEST)
    shifted = fma(x, 1.4426950408889634, ROUND)
    k = shifted - ROUND
    r = fma(k, -1.90821492927058770002e-10, fma(k, -6.93147180369123816490e-01, x))
    p = 1.6059043836821613e-10
    p = fma(p, r, 2.08767569878681e-09)
    p = fma(p, r, 2.505210838544172e-08)
    p = fma(p, r, 2.755731922398589e-07)
    p = fma(p, r, 2.7557319223985893e-06)
    p = fma(p, r, 2.48015873015873e-05)
    p = fma(p, r, 1.984126984126984e-04)
    p = fma(p, r, 1.388888888888889e-03)
    p = fma(p, r, 8.333333333333333e-03)
    p = fma(p, r, 4.1666666666666664e-02)
    p = fma(p, r, 1.6666666666666666e-01)
    p = fma(p, r, 0.5)
    p = fma(p, r, 1.0)
    p = fma(p, r, 1.0)
    bits = (np.float64(shifted).view(np.int64) + 1023) << 52
    return p * np.int64(bits).view(np.float64)
