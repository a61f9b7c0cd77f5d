"""What any space's hooks for learners must satisfy: the draws of an ask, and the gradient of a tell."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import numpy.typing as npt

from kibitz.spaces.coupling import ANTITHETIC, INDEPENDENT, WITHOUT_REPLACEMENT
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Gradient, Output, Structure
from kibitz.spaces.weights import as_weights
from kibitz.testing.case import Case
from kibitz.testing.checks import check_frequencies


def dense_gradient(gradient: Gradient, size: int) -> npt.NDArray[np.float64]:
    """Written out: `values[n * width + k]` times the attribute's value, at every row of position n."""
    out = np.zeros(size)
    x, width = gradient.x, gradient.width
    for n in range(gradient.lo, gradient.hi):
        values = gradient.values[(n - gradient.lo) * width : (n - gradient.lo + 1) * width]
        for i in range(int(x.ptr[n]), int(x.ptr[n + 1])):
            start = int(x.rows[i]) * width
            out[start : start + width] += values * (x.values[i] if len(x.values) else 1.0)
    return out


def check_draw(case: Case, generator: Generator, draws: int = 300) -> None:
    """Structures drawn under (+, -) and (+, +) follow their distributions, with the propensities of their outputs.

    So do antithetic ones; those without replacement are of different outputs, where there is more than one to speak of.
    """
    opposite = case.under(case.weights, -1, case.name)
    weights = as_weights(case.weights)
    ways = ((opposite, (1, -1), INDEPENDENT), (case, (1, 1), INDEPENDENT), (case, (1, 1), ANTITHETIC))
    for second, signs, coupling in ways:
        drawn: tuple[Counter[Structure], Counter[Structure]] = (Counter(), Counter())
        for _ in range(draws):
            draw = case.space.draw(case.x, weights, np.array(signs), generator, coupling)
            for slot in (0, 1):
                drawn[slot][draw.structures[slot]] += 1
        for slot, side in enumerate((case, second)):
            what = f"output {slot} of a draw under the signs {signs}"
            check_frequencies(side, what, drawn[slot])
            y = draw.structures[slot]
            true = side.truth.log_propensity(case.space.shown(case.x, y))
            side.same(f"the log-probability of {what}", draw.log_probs[slot], true)
            same = np.array_equal(draw.codes[slot], case.space.code(case.x, y))
            side.holds(same, f"the code of {what} is not the one that code() gives for {y!r}")
    if np.exp(case.truth.log_propensities.max()) < 0.5:
        draw = case.space.draw(case.x, weights, np.array((1, 1)), generator, WITHOUT_REPLACEMENT)
        one, other = (case.space.shown(case.x, y) for y in draw.structures)
        case.holds(one != other, f"two draws without replacement both show {one!r}")
    check_free_draws(case, generator)


def check_free_draws(case: Case, generator: Generator) -> None:
    """Draws that hang together are what they would be without the free ones before them, which are independent."""
    weights, two = as_weights(case.weights), np.array((1, 1))
    for coupling in (ANTITHETIC, WITHOUT_REPLACEMENT):
        twin = generator.copy()
        both = case.space.draw(case.x, weights, np.array((1, 1, 1, 1)), generator, coupling, 2)
        first, second = (case.space.draw(case.x, weights, two, twin, how) for how in (INDEPENDENT, coupling))
        apart = first.structures + second.structures
        case.holds(both.structures == apart, f"with two free draws come {both.structures!r}, not {apart!r}")


def check_gradient(case: Case, generator: Generator) -> None:
    """A step is c (phi(y_1) - E_w[phi]), less the same of a second output under its own sign."""
    weights, size = as_weights(case.weights), case.space.size
    for signs in ((1,), (1, 1), (1, -1), (1, 1, 1)):
        draw = case.space.draw(case.x, weights, np.array(signs), generator)
        c = 0.5 + generator.uniform()
        coefficients = np.array((c, -c, 1.0 - c)[: len(signs)])
        expected = np.zeros(size)
        for y, sign, amount in zip(draw.structures, signs, coefficients, strict=True):
            mean = case.truth.under(case.weights, sign).expected_features()
            expected += amount * (case.space.features(case.x, y).dense(size) - mean)
        case.space.distribution(
            case.x, 0.5 * case.weights
        )  # whatever comes in between, the draw has what it needs
        gradient = case.space.gradient(case.x, draw, draw.codes, coefficients, np.array(signs))
        case.same(
            f"the step of signs {signs}", dense_gradient(gradient, size), expected, case.largest_feature
        )


def check_recall(case: Case, generator: Generator) -> None:
    """Structures drawn under other weights are recalled as the draws that they would be under these."""
    space, weights, size = case.space, as_weights(case.weights), case.space.size
    for signs in (np.array((1,)), np.array((1, 1)), np.array((1, -1))):
        drawn = space.draw(case.x, as_weights(0.5 * case.weights), signs, generator).structures
        recalled = space.recall(case.x, drawn, weights, signs)
        case.holds(recalled.structures == drawn, f"recall gives {recalled.structures!r} for {drawn!r}")
        coefficients = np.linspace(0.5, 1.5, len(signs))
        expected = np.zeros(size)
        for d, (y, sign) in enumerate(zip(drawn, signs.tolist(), strict=True)):
            truth = case.truth.under(case.weights, sign)
            case.same("the log-probability of recall", recalled.densities[d], truth.log_prob(y))
            case.same(
                "the log-propensity of recall",
                recalled.log_probs[d],
                truth.log_propensity(space.shown(case.x, y)),
            )
            own = space.features(case.x, y).dense(size)
            expected += coefficients[d] * (own - truth.expected_features())
        gradient = space.gradient(case.x, recalled, recalled.codes, coefficients, signs)
        case.same(
            "the step of recalled structures", dense_gradient(gradient, size), expected, case.largest_feature
        )


def check_best(case: Case) -> None:
    """A most probable structure in place of a draw, and what is shown of one."""
    draw = case.space.propose_best(case.x, as_weights(case.weights))
    y = draw.structures[0]
    case.holds(y in case.truth.outputs, f"propose_best gives {y!r}, which is not an output")
    case.same("the log-probability of propose_best", case.truth.log_prob(y), case.truth.log_probs.max())
    true = case.truth.log_propensity(case.space.shown(case.x, y))
    case.same("the log-probability that propose_best gives", draw.log_probs[0], true)
    check_shown_best(case, "best", case.space.best(case.x, as_weights(case.weights)))


def check_shown_best(case: Case, what: str, shown: Output) -> None:
    """The output is shown of a most probable structure."""
    case.holds(shown in case.truth.shown, f"{what} gives {shown!r}, which is not an output")
    highest = case.truth.log_probs[case.truth.showing(shown)].max()
    case.same(f"the log-probability of {what}", highest, case.truth.log_probs.max())


def check_gold(case: Case, generator: Generator) -> None:
    """The step towards a told output: E[phi] - E[phi | shown], whatever was proposed."""
    weights, space, size = as_weights(case.weights), case.space, case.space.size
    proposed = space.propose_best(case.x, weights), space.draw(case.x, weights, np.array((1, -1)), generator)
    best = case.truth.shown[int(case.truth.log_probs.argmax())]
    for shown, draw in itertools.product({case.truth.shown[0], case.truth.shown[-1], best}, proposed):
        space.check_gold(case.x, shown)
        codes = (space.gold(case.x, draw, shown),)
        gradient = dense_gradient(space.gradient(case.x, draw, codes, np.array([-1.0]), np.array((1,))), size)
        expected = case.truth.expected_features() - case.truth.given(shown) @ case.truth.features
        case.same(f"the step towards the output {shown!r}", gradient, expected, case.largest_feature)
