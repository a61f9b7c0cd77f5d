"""The chi-square test of draws against known probabilities, with nothing but the standard library.

With counts c_i of n draws and expected counts e_i = n p_i, the statistic sum_i (c_i - e_i)^2 / e_i of m cells
follows the chi-square distribution with m - 1 degrees of freedom, whose upper tail is the regularised gamma
function Q((m - 1) / 2, statistic / 2). Cells that expect fewer than five draws are put together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

FEWEST = 5.0


def p_value(counts: Sequence[int], probabilities: Sequence[float]) -> float:
    """How probable counts at least this unlike are; 0 where something of p = 0 was drawn."""
    n = sum(counts)
    cells: list[tuple[float, float]] = []
    rest_count = rest_expected = 0.0
    for count, p in sorted(zip(counts, probabilities, strict=True), key=lambda cell: cell[1]):
        if count > 0 and p <= 0.0:
            return 0.0
        rest_count, rest_expected = rest_count + count, rest_expected + n * p
        if rest_expected >= FEWEST:
            cells.append((rest_count, rest_expected))
            rest_count = rest_expected = 0.0
    if rest_expected > 0.0 and cells:
        last_count, last_expected = cells.pop()
        cells.append((last_count + rest_count, last_expected + rest_expected))
    if len(cells) < 2:
        return 1.0
    statistic = math.fsum((count - expected) ** 2 / expected for count, expected in cells)
    return upper_gamma((len(cells) - 1) / 2.0, statistic / 2.0)


def upper_gamma(a: float, x: float) -> float:
    """Q(a, x) = Gamma(a, x) / Gamma(a): by a series where x is small, else by a continued fraction."""
    if x <= 0.0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1.0:
        # P = x^a e^-x / Gamma(a) sum_k x^k / (a (a + 1) ... (a + k))
        term = total = 1.0 / a
        k = a
        while term > total * 1e-17:
            k += 1.0
            term *= x / k
            total += term
        return max(0.0, 1.0 - front * total)
    # Q = x^a e^-x / Gamma(a) * 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))),
    # computed from the far end
    tail = 0.0
    for k in range(500, 0, -1):
        tail = k * (k - a) / (x + 2 * k + 1 - a - tail)
    return front / (x + 1.0 - a - tail)
