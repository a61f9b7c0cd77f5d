"""Baselines: a number subtracted from the coefficient before the step.

Since E[phi - E[phi]] = 0, any number that does not depend on the current draw leaves the mean of the step unchanged and
can only change its variance. It is subtracted from the coefficient, never from a loss or a gain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz.errors import InputError
from kibitz.objectives.baselines import by_input, linear, optimal, plain
from kibitz.spaces import step


@dataclass(frozen=True, slots=True)
class Baseline:
    """``centre(coefficient, facts, state)`` gives the coefficient less the baseline, and learns from it.

    It is a plain function that can be compiled; ``size`` numbers of state are its own, and ``needs`` says which facts
    it reads (`kibitz.spaces.step`). With ``others``, each of several draws also has the rest of them for a baseline.
    """

    centre: Callable[[float, Any, Any], float]
    size: int = 0
    needs: int = step.NOTHING
    others: bool = False


BASELINES = {
    "none": Baseline(plain.none),
    "mean": Baseline(plain.mean, 2),
    "input": Baseline(by_input.by_input, by_input.SIZE, step.INPUT),
    "linear": Baseline(linear.linear, linear.SIZE, step.MODEL),
    "optimal": Baseline(optimal.optimal, optimal.SIZE, step.STEP),
    "leave-one-out": Baseline(plain.none, others=True),
}


def baseline_from(name: str) -> Baseline:
    """The baseline of that name."""
    if name not in BASELINES:
        raise InputError(f"no baseline is called {name!r}: choose one of {', '.join(BASELINES)}")
    return BASELINES[name]
