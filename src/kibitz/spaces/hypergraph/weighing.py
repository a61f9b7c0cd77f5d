"""Draws weighed against their means, in whatever a space counts: edges, features, rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.spaces.protocol import Draw, Signs

Floats = npt.NDArray[np.float64]
PLUS, MINUS = (
    0,
    2,
)  # places of the means under +w and -w in what a draw expects; a gold output needs what is between


def weighed(draw: Draw, codes: Sequence[Floats], coefficients: Floats, signs: Signs) -> Floats:
    """sum_d c_d (code_d - E_{sign_d w}[code]); where the c_d of one sign sum to 0, its mean cancels."""
    values: Floats = np.zeros(len(codes[0]))
    for c, code in zip(coefficients.tolist(), codes, strict=True):
        values += c * code
    for place, of_sign in ((PLUS, signs > 0), (MINUS, signs < 0)):
        total = float(coefficients[of_sign].sum())
        if total != 0.0:
            values -= total * draw.expected[place]
    return values
