"""An exponential that the compiler turns into vector instructions.

exp(x) = 2^k exp(r), with k = round(x / log 2) and |r| <= log(2) / 2, and exp(r) by its Taylor polynomial of degree 13,
whose remainder is below the rounding of a float64. Only for x <= 0, as potentials are; below -708 it stays at the
smallest normal number, which the lattice takes as the sign to go to log space.
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import fused


@fused
def exponential(x):  # type: ignore[no-untyped-def]
    """exp(max(x, -708)) for x <= 0."""
    if x < -708.0:
        x = -708.0
    k = np.floor(x * 1.4426950408889634 + 0.5)
    r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10
    p = 1.6059043836821613e-10
    p = p * r + 2.08767569878681e-09
    p = p * r + 2.505210838544172e-08
    p = p * r + 2.755731922398589e-07
    p = p * r + 2.7557319223985893e-06
    p = p * r + 2.48015873015873e-05
    p = p * r + 1.984126984126984e-04
    p = p * r + 1.3888888888888889e-03
    p = p * r + 8.333333333333333e-03
    p = p * r + 4.1666666666666664e-02
    p = p * r + 1.6666666666666666e-01
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    bits = (np.int64(k) + 1023) << 52
    return p * np.int64(bits).view(np.float64)
