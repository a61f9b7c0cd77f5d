"""The mean of the step over all draws, with every part of it the learner's own but the chance.

    E[s_t] = sum over draws of  prod_d p_{sign_d w}(y_d)  sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi])

Probabilities are those of the space's distribution, the coefficient comes from the learner's compiled rule,
and the step from the space's `gradient`, as in a tell.
"""

from __future__ import annotations

from itertools import product
from math import exp
from typing import Any

import numpy as np

from kibitz.analysis.exact import Floats, LossOf
from kibitz.learning.learner import Learner
from kibitz.objectives import Objective
from kibitz.spaces import step
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Output, Space


def mean_step(
    space: Space,
    x: Any,
    weights: Floats,
    objective: Objective | str,
    loss: LossOf,
    *,
    gold: Output | None = None,
    temperature: float = 0.0,
    baseline: float = 0.0,
) -> Floats:
    """The mean step of a learner with this objective at these weights, for one input of few outputs.

    `baseline` is what an objective with a mean baseline has seen so far; other objectives have none.
    """
    encoded = space.encode(x)
    learner = Learner(space, objective, temperature=temperature, dtype="float64")
    learner.use(weights)
    plan, signs = learner.step_plan(), learner.objective.signs
    draw = space.draw(encoded, plan.weights, signs, Generator())  # for its E[phi] alone
    distributions = [space.distribution(encoded, weights, sign) for sign in signs]
    outputs = [gold] if learner.objective.hears == "gold" else list(space.outputs(encoded))
    total = np.zeros(space.size)
    for drawn in product(outputs, repeat=len(signs)):
        pairs = zip(distributions, drawn, strict=True)
        log_probs = np.array([distribution.log_prob(y) for distribution, y in pairs])
        chance = 1.0 if learner.objective.hears == "gold" else exp(log_probs.sum())
        losses = [loss(y) for y in drawn]
        c = step.coefficient(
            plan.rule,
            plan.centre,
            losses[0] - losses[1] if len(signs) == 2 else losses[0],
            log_probs,
            plan.signs,
            draw.length,
            plan.control,
            plan.params,
            np.array([1.0, baseline]),
            0,
        )
        codes = [space.code(encoded, y) for y in drawn]
        gradient = space.gradient(encoded, draw, codes, c, signs).vector()
        total[gradient.index] += chance * gradient.value
    return total
