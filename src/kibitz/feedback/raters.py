"""Raters as they are: what becomes of a clean judgement on its way, inside compiled simulations too.

A rater turns a value, a loss in [0, 1] or the difference D of two in [-1, 1], into what is heard of it; ``lowest`` says
which of the two it is. It draws from a generator of its own, so that a noisy run proposes what a clean one would. What
a run reports of its draws is their true loss; metrics on dev and test are clean as well.

    simulate(learner, train, "f1", feedback=100_000, rater=careless(0.3))
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.spaces.compiled import fused
from kibitz.spaces.generator import uniform


@dataclass(frozen=True, slots=True)
class Rater:
    """``hear(value, lowest, random, params)`` is a plain function that can be compiled.

    One that ``skips`` may return NaN, for a question that is left unanswered; compiled loops cannot hear that.
    """

    name: str
    hear: Callable[[float, float, Any, Any], float]
    params: tuple[float, ...] = (0.0,)
    skips: bool = False


@fused
def _normal(random):  # type: ignore[no-untyped-def]
    """sqrt(-2 ln(1 - u)) cos(2 pi v) (Box and Muller)."""
    u, v = uniform(random), uniform(random)
    return np.sqrt(-2.0 * np.log1p(-u)) * np.cos(2.0 * np.pi * v)


def hear_clean(value: float, lowest: float, random: Any, params: Any) -> float:
    """The value itself."""
    return value


def hear_constant(value: float, lowest: float, random: Any, params: Any) -> float:
    """The same whatever is shown."""
    return params[0]  # type: ignore[no-any-return]


def hear_careless(value: float, lowest: float, random: Any, params: Any) -> float:
    """With probability p anything, evenly."""
    if uniform(random) < params[0]:
        return lowest + (1.0 - lowest) * uniform(random)  # type: ignore[no-any-return]
    return value


def hear_adversarial(value: float, lowest: float, random: Any, params: Any) -> float:
    """With probability p the opposite: 1 - loss, or -D."""
    return lowest + 1.0 - value if uniform(random) < params[0] else value


def hear_variable(value: float, lowest: float, random: Any, params: Any) -> float:
    """value + deviation z, cut off at the ends."""
    return min(1.0, max(lowest, value + params[0] * _normal(random)))  # type: ignore[no-any-return]


def hear_granular(value: float, lowest: float, random: Any, params: Any) -> float:
    """The nearest of so many levels from 0 to 1 (and of their negatives)."""
    steps = params[0] - 1.0
    return math.copysign(math.floor(abs(value) * steps + 0.5) / steps, value)


def hear_skewed(value: float, lowest: float, random: Any, params: Any) -> float:
    """|value|^power: above 1 a lenient rater, who hardly minds small faults; below 1 a harsh one."""
    return math.copysign(abs(value) ** params[0], value)


def hear_tying(value: float, lowest: float, random: Any, params: Any) -> float:
    """Of two outputs that differ by no more than the margin: a tie."""
    return 0.0 if lowest < 0.0 and abs(value) <= params[0] else value


def hear_skipping(value: float, lowest: float, random: Any, params: Any) -> float:
    """Of two outputs that differ by no more than the margin: nothing."""
    return math.nan if lowest < 0.0 and abs(value) <= params[0] else value


CLEAN = Rater("clean", hear_clean)


def constant(value: float = 0.5) -> Rater:
    """A control: there is nothing to learn from someone who always says the same."""
    return Rater("constant", hear_constant, (_within("value", value, 0.0, 1.0),))


def careless(share: float) -> Rater:
    """A share of random answers; 1 is a control."""
    return Rater("careless", hear_careless, (_within("share", share, 0.0, 1.0),))


def adversarial(share: float) -> Rater:
    """A share of answers that say the opposite."""
    return Rater("adversarial", hear_adversarial, (_within("share", share, 0.0, 1.0),))


def variable(deviation: float) -> Rater:
    """Gaussian noise of this standard deviation."""
    return Rater("variable", hear_variable, (_within("deviation", deviation, 0.0, math.inf),))


def granular(levels: int) -> Rater:
    """A scale of so many levels: five for one to five stars."""
    return Rater("granular", hear_granular, (_within("number of levels", levels, 2.0, math.inf),))


def skewed(power: float) -> Rater:
    """A scale that is not even."""
    return Rater("skewed", hear_skewed, (_within("power", power, 1e-3, 1e3),))


def tying(margin: float) -> Rater:
    """Comparisons that call outputs equal where they differ by no more than this; ratings are clean."""
    return Rater("tying", hear_tying, (_within("margin", margin, 0.0, 1.0),))


def skipping(margin: float) -> Rater:
    """Comparisons that are refused where outputs differ by no more than this, and then not counted."""
    return Rater("skipping", hear_skipping, (_within("margin", margin, 0.0, 1.0),), skips=True)


RATERS: dict[str, Callable[..., Rater]] = {
    "constant": constant, "careless": careless, "adversarial": adversarial, "variable": variable,
    "granular": granular, "skewed": skewed, "tying": tying, "skipping": skipping,
}  # fmt: skip


def rater_from(text: str) -> Rater:
    """The rater that ``name:number`` spells, like ``careless:0.3``."""
    name, _, number = text.partition(":")
    if name == "clean" and not number:
        return CLEAN
    try:
        return RATERS[name](float(number))
    except (KeyError, ValueError):
        raise InputError(
            f"{text!r} is no rater: give one of {', '.join(RATERS)} with its number, like careless:0.3"
        ) from None


def _within(what: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high or math.isinf(value):
        raise InputError(f"the {what} of a rater is {value!r}: give a number from {low:g} to {high:g}")
    return float(value)
