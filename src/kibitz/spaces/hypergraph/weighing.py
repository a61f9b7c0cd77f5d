"""Draws weighed against their means, in whatever a space counts: edges, features, rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.spaces.protocol import Draw, Signs

Floats = npt.NDArray[np.float64]
# Places of the means under +w and -w in what a draw expects; what a gold output needs is between.
PLUS, MINUS = 0, 2


def weighed(draw: Draw, codes: Sequence[Floats], coefficients: Floats, signs: Signs) -> Floats:
    """sum_d c_d (code_d - E_{sign_d w}[code]); where the c_d of one sign sum to 0, its mean cancels."""
    values: Floats = np.zeros_like(codes[0])
    for c, code in zip(coefficients, codes, strict=True):
        values += c * code
    above, below = float(coefficients[signs > 0].sum()), float(coefficients[signs < 0].sum())
    if above != 0.0:
        values -= above * draw.expected[PLUS]
    if below != 0.0:
        values -= below * draw.expected[MINUS]
    return values
