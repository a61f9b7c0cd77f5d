"""The numbers by which a step is steered: rate, l2 and temperature with their schedules, and more."""

from __future__ import annotations

import numpy as np

from kibitz.errors import InputError
from kibitz.learning.optimizers import Optimizer
from kibitz.objectives.baselines import BASELINES, Baseline
from kibitz.spaces import step
from kibitz.spaces.coupling import COUPLINGS
from kibitz.spaces.step import Control


def control_of(
    optimizer: Optimizer, horizon: int | None, epoch: int | None, l2: float, temperature: float,
    asks: int = step.ALL, baseline: Baseline = BASELINES["none"], coupling: str = "independent",
) -> Control:  # fmt: skip
    """As compiled loops read them."""
    control = np.zeros(step.CONTROLS)
    control[step.RATE] = optimizer.rate
    control[step.POWER] = optimizer.power
    control[step.FROM] = optimizer.decay_from
    control[step.HORIZON] = horizon or 0
    control[step.LINEAR] = optimizer.schedule == "linear"
    control[step.L2] = l2 / (horizon or 1)
    control[step.TEMPERATURE] = temperature
    control[step.EPOCH] = epoch or 0
    control[step.ASKS] = asks
    control[step.NEEDS] = baseline.needs
    control[step.OTHERS] = baseline.others
    control[step.COUPLING] = COUPLINGS[coupling]
    return control


def check_control(control: Control) -> None:
    """Refuse, once a step is due, what no simulation has settled by then."""
    if control[step.LINEAR] and not control[step.HORIZON]:
        raise InputError("a linear schedule needs a horizon, the number of updates after which the rate is 0")
    shrink = control[step.RATE] * control[step.L2]
    if not shrink < 1.0:
        raise InputError(
            f"rate times l2 is {shrink:g} a step, which leaves nothing of the weights: choose a smaller l2 or rate, "
            "or give a horizon, by which l2 is divided"
        )
