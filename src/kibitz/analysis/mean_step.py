"""The mean of the step over all draws, with everything but the chance left to the learner itself.

    E[s_t] = sum over draws of  prod_d p_{sign_d w}(y_d)  sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi])

Probabilities are those of the space's distribution. For every draw there could be, the learner is made to
believe that it has asked it, and told the feedback: at a rate of 1, how far its weights move back is s_t.
"""

from __future__ import annotations

from itertools import product
from math import exp
from typing import Any

import numpy as np

from kibitz.analysis.exact import Floats, LossOf
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.learning.proposal import Pending, propose
from kibitz.objectives import Objective
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
    baseline: float | Floats = 0.0,
) -> Floats:
    """The mean step of a learner with this objective at these weights, for one input of few outputs.

    `baseline` is the mean that a mean baseline has seen so far, or the whole state of another one.
    """
    learner = Learner(space, objective, optimizer=SGD(rate=1.0), temperature=temperature, dtype="float64")
    learner.use(weights)
    start, hears, signs = learner.weights, learner.objective.hears, learner.objective.signs
    real = learner.pending.pop(learner.ask(x).id)  # for its E[phi]
    distributions = [space.distribution(real.x, start, sign) for sign in signs]
    total = np.zeros(space.size)
    for drawn in product(space.structures(real.x), repeat=len(signs)):
        models = list(zip(distributions, drawn, strict=True))
        log_probs = np.array([p.log_propensity(space.shown(real.x, y)) for p, y in models])
        codes = tuple(space.code(real.x, y) for y in drawn)
        draw = real.draw._replace(structures=drawn, codes=codes, log_probs=log_probs)
        proposal = propose(learner.next_id, space, real.x, draw, 0, learner.objective.compares)
        learner.use(start)
        seen = np.array([1.0, baseline]) if isinstance(baseline, float) else baseline
        learner.baseline[:] = 0.0
        learner.baseline[: len(seen)] = seen[: len(learner.baseline)]
        learner.pending[proposal.id] = Pending(proposal, real.x, draw)
        learner.next_id += 1
        learner.tell(
            proposal,
            **({"output": gold} if hears == "gold" else _feedback(hears, [*map(loss, proposal.outputs)])),
        )
        total += exp(sum(p.log_prob(y) for p, y in models)) * (start - learner.weights)
    return total


def _feedback(hears: str, losses: list[float]) -> dict[str, Any]:
    """What a judge who sees these losses tells."""
    if hears == "loss":
        return {"loss": losses if len(losses) > 1 else losses[0]}
    if losses[0] == losses[1]:
        return {"prefer": "tie"}
    return {"prefer": int(losses[0] > losses[1]), "by": abs(losses[0] - losses[1])}
