"""What any space's hooks for learners must satisfy: the draws of an ask, and the gradient of a tell."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Gradient, Output
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
    """Outputs drawn under (+, -) and (+, +) follow their distributions, with their log-probabilities."""
    opposite = case.under(case.weights, -1, case.name)
    weights = as_weights(case.weights)
    for second, signs in ((opposite, (1, -1)), (case, (1, 1))):
        drawn: tuple[Counter[Output], Counter[Output]] = (Counter(), Counter())
        for _ in range(draws):
            draw = case.space.draw(case.x, weights, np.array(signs), generator)
            for slot in (0, 1):
                drawn[slot][draw.outputs[slot]] += 1
        for slot, side in enumerate((case, second)):
            what = f"output {slot} of a draw under the signs {signs}"
            check_frequencies(side, what, drawn[slot])
            y = draw.outputs[slot]
            side.same(f"the log-probability of {what}", draw.log_probs[slot], side.truth.log_prob(y))
            same = np.array_equal(draw.codes[slot], case.space.code(case.x, y))
            side.holds(same, f"the code of {what} is not the one that code() gives for {y!r}")


def check_gradient(case: Case, generator: Generator) -> None:
    """A step is c (phi(y_1) - E_w[phi]), less the same of a second output under its own sign."""
    weights, size = as_weights(case.weights), case.space.size
    for signs in ((1,), (1, 1), (1, -1)):
        draw = case.space.draw(case.x, weights, np.array(signs), generator)
        c = 0.5 + generator.uniform()
        expected = np.zeros(size)
        for y, sign, amount in zip(draw.outputs, signs, (c, -c), strict=False):
            mean = case.truth.under(case.weights, sign).expected_features()
            expected += amount * (case.space.features(case.x, y).dense(size) - mean)
        case.space.distribution(
            case.x, 0.5 * case.weights
        )  # whatever comes in between, the draw has what it needs
        gradient = case.space.gradient(case.x, draw, draw.codes, c, np.array(signs))
        case.same(
            f"the step of signs {signs}", dense_gradient(gradient, size), expected, case.largest_feature
        )


def check_best(case: Case) -> None:
    """The most probable output in place of a draw, and the step from there towards another output."""
    weights, size = as_weights(case.weights), case.space.size
    draw = case.space.propose_best(case.x, weights)
    y = draw.outputs[0]
    for what, output in (("propose_best", y), ("best", case.space.best(case.x, weights))):
        case.holds(output in case.truth.outputs, f"{what} gives {output!r}, which is not an output")
        case.same(f"the log-probability of {what}", case.truth.log_prob(output), case.truth.log_probs.max())
    case.same("the log-probability that propose_best gives", draw.log_probs[0], case.truth.log_prob(y))
    mean = case.truth.expected_features()
    for other in {case.truth.outputs[0], case.truth.outputs[-1], y}:
        codes = (case.space.code(case.x, other),)
        gradient = dense_gradient(case.space.gradient(case.x, draw, codes, -1.0, np.array((1,))), size)
        expected = mean - case.space.features(case.x, other).dense(size)
        case.same(f"the step towards the output {other!r}", gradient, expected, case.largest_feature)
