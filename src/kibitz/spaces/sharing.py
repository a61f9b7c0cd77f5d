"""From the values of single draws, or of pairs of them, to the coefficients of a step.

Of k draws that are rated, each has a value c_d (its rule's, less the baseline); of k that are compared, each pair has
one, c_de. Together they make one step, whose mean is that of one draw or of one pair:

    rated                     c_d / k
    rated, without others     (c_d - mean of the others') / k
    compared                  (sum_{e > d} c_de - sum_{e < d} c_ed) / (k (k - 1) / 2)

Of antithetic draws the others are those outside the pair. Two draws without replacement have the weights of their set,

    rated                     c_a q(a) / (q(a) + q(b))
    rated, without others     (c_a - c_b) / (q(a) + q(b))
    compared                  c_ab 2 / (q(a) + q(b))

which make up for p(a, b) = p(a) p(b) (q(a) + q(b)) / 2; see `kibitz.spaces.coupling`.
"""

from __future__ import annotations

from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.coupling import ANTITHETIC, WITHOUT_REPLACEMENT, tries_expected
from kibitz.spaces.step import COUPLING, OTHERS

LOSS, PAIR, GOLD = range(3)  # what is heard
HEARS = {"loss": LOSS, "pair": PAIR, "gold": GOLD}


@fused
def values_of(hears, draws):  # type: ignore[no-untyped-def]
    """How many values so many draws have: one each, or one for each pair."""
    return draws * (draws - 1) // 2 if hears == PAIR else draws


def most_values(draws: int) -> int:
    """The most that so many draws have, whether rated or compared."""
    return max(draws, draws * (draws - 1) // 2)


@fused
def add_value(hears, n, value, draws, coefficients):  # type: ignore[no-untyped-def]
    """Give the value number ``n`` to the draws that it is of."""
    if hears != PAIR:
        coefficients[n] += value
        return
    d, e = pair_of(n, draws)
    coefficients[d] += value
    coefficients[e] -= value


@fused
def pair_of(n, draws):  # type: ignore[no-untyped-def]
    """The draws of pair ``n``: (0, 1), (0, 2), ... (1, 2), ..."""
    d = 0
    while n >= draws - 1 - d:
        n -= draws - 1 - d
        d += 1
    return d, d + 1 + n


@fused
def alone(hears, n, draws, coefficients):  # type: ignore[no-untyped-def]
    """The coefficients of the unit step of value ``n``."""
    for d in range(draws):
        coefficients[d] = 0.0
    add_value(hears, n, 1.0, draws, coefficients)


@kernel
def share(hears, control, log_probs, draws, coefficients):  # type: ignore[no-untyped-def]
    """From the sums of the values of each draw to the coefficients of one step."""
    others = control[OTHERS] > 0.0
    if control[COUPLING] == WITHOUT_REPLACEMENT:
        one, two = tries_expected(log_probs[0]), tries_expected(log_probs[1])
        if hears == PAIR:
            coefficients[0] *= 2.0 / (one + two)
            coefficients[1] = -coefficients[0]
        elif others:
            coefficients[0] = (coefficients[0] - coefficients[1]) / (one + two)
            coefficients[1] = -coefficients[0]
        else:
            coefficients[0] *= one / (one + two)
            coefficients[1] *= two / (one + two)
    elif others:
        _leave_out(coefficients, draws, 2 if control[COUPLING] == ANTITHETIC else 1)
    elif values_of(hears, draws) > 1:
        for d in range(draws):
            coefficients[d] /= values_of(hears, draws)


@fused
def _leave_out(coefficients, draws, together):  # type: ignore[no-untyped-def]
    """Subtract the mean of the draws outside each group of so many that hang together."""
    total = 0.0
    for d in range(draws):
        total += coefficients[d]
    for start in range(0, draws, together):
        own = 0.0
        for d in range(start, start + together):
            own += coefficients[d]
        for d in range(start, start + together):
            coefficients[d] = (coefficients[d] - (total - own) / float(draws - together)) / draws
