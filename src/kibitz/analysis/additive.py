"""The objectives exactly on inputs of any length, for losses that add over parts.

The space's `expected_loss` gives E_w[Delta] and its gradient. From it follow

    EL                          E_w[Delta]
    PR(cont, signed, contrast)  E_w[Delta] - E_{-w}[Delta]
    PR(cont, self)              EL; twice EL for `signed`
    CE, not clipped             - w . sum_y g(y) phi(y) + alpha log Z,   alpha = sum_y g(y)   (equation 12)

The sums of CE are means under w = 0, where each of N outputs has the probability 1 / N:
alpha = N (1 - E_0[Delta]), and the gradient of E_0[Delta] is E_0[Delta phi] - E_0[Delta] E_0[phi]. Both are
divided by alpha here, which gives the cross-entropy with normalised gain (equation 11): N itself is huge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.analysis.exact import Floats
from kibitz.errors import InputError
from kibitz.objectives import Objective, objective_from
from kibitz.spaces.protocol import Space


def additive_objective(
    space: Space, x: Any, weights: Floats, objective: Objective | str, part_costs: Any
) -> tuple[float, Floats]:
    """J(w) and its gradient for one input; what is not additive in the costs is refused."""
    chosen = objective_from(objective) if isinstance(objective, str) else objective
    options = dict(chosen.options)
    if chosen.name == "el":
        return _expected_loss(space, x, weights, part_costs, 1)
    if chosen.name == "pr-cont" and options["opponent"] == "self":
        value, gradient = _expected_loss(space, x, weights, part_costs, 1)
        times = 2.0 if options["pair_loss"] == "signed" else 1.0
        return times * value, times * gradient
    if chosen.name == "pr-cont" and options["pair_loss"] == "signed":
        value, gradient = _expected_loss(space, x, weights, part_costs, 1)
        other, theirs = _expected_loss(space, x, weights, part_costs, -1)
        return value - other, gradient - theirs
    if chosen.name == "ce" and options["clip"] == 0.0:
        return _cross_entropy(space, x, weights, part_costs)
    described = ", ".join([chosen.name, *(f"{name} {value}" for name, value in options.items())])
    raise InputError(
        f"The objective ({described}) is no sum over parts, even for a loss that is: "
        "use exact_objective on small inputs."
    )


def _expected_loss(space: Space, x: Any, weights: Floats, part_costs: Any, sign: int) -> tuple[float, Floats]:
    value, gradient = space.distribution(x, weights, sign).expected_loss(part_costs)
    return value, gradient.dense(space.size)


def _cross_entropy(space: Space, x: Any, weights: Floats, part_costs: Any) -> tuple[float, Floats]:
    uniform = space.distribution(x, np.zeros(space.size))
    loss, slope = uniform.expected_loss(part_costs)
    mean = uniform.expected_features().dense(space.size)
    target = mean - slope.dense(space.size) / (1.0 - loss)  # sum_y g(y) phi(y) / alpha
    p = space.distribution(x, weights)
    w = np.asarray(weights, dtype=np.float64)[: space.size]
    return p.log_partition - float(w @ target), p.expected_features().dense(space.size) - target
