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
)  # places of the means under +w and -w in what a draw expects; what a gold output needs is between


def weighed(draw: Draw, codes: Sequence[Floats], c: float, signs: Signs) -> Floats:
    """c (code_1 - E_w[code]) - c (code_2 - E_{sign_2 w}[code]), or its first half where there is one sign."""
    values: Floats = c * codes[0]
    if len(signs) == 2:
        values -= c * codes[1]
    if len(signs) == 1 or signs[1] < 0:  # the means of two draws from the same model cancel
        values -= c * draw.expected[PLUS]
    if len(signs) == 2 and signs[1] < 0:
        values += c * draw.expected[MINUS]
    return values
