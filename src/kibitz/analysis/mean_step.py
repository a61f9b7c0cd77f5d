"""The mean of the step over all draws, with everything but the chance left to the learner itself.

    E[s_t] = sum over draws of  prod_d p_{sign_d w}(y_d)  sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi])

Probabilities are those of the space's distribution. Two draws without replacement have p(a) p(b) (q(a) + q(b)) / 2
where they show different outputs, and p(a) p(b) p(shown)^(TRIES - 1) where they show the same. Which of their joint
distributions antithetic draws have is the space's affair: here it is that of one uniform number, a = F^-1(u) and
b = F^-1(1 - u). For every draw there could be, the learner is made to believe that it has asked it, and told the
feedback: at a rate of 1, how far its weights move back is s_t.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import exp, prod
from typing import Any

import numpy as np

from kibitz.analysis.exact import Floats, LossOf
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.learning.proposal import Pending, propose
from kibitz.objectives import Objective
from kibitz.spaces.coupling import TRIES
from kibitz.spaces.protocol import Distribution, Output, Space, Structure


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
    variate: Floats | None = None,
) -> Floats:
    """The mean step of a learner with this objective at these weights, for one input of few outputs.

    `baseline` is the mean that a mean baseline has seen so far, or the whole state of another one; `variate` the state
    of a control variate.
    """
    learner = Learner(space, objective, optimizer=SGD(rate=1.0), temperature=temperature, dtype="float64")
    learner.use(weights)
    start, hears, signs = learner.weights, learner.objective.hears, learner.objective.signs
    real = learner.pending.pop(learner.ask(x).id)  # for its E[phi]
    distributions = [space.distribution(real.x, start, sign) for sign in signs]
    chance = chances(space, real.x, learner.objective.coupling, distributions)
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
        if variate is not None:
            learner.variate.state = variate.copy()
        foreseen = None if hears == "gold" else learner.foresee(real.x, draw)
        learner.pending[proposal.id] = Pending(proposal, real.x, draw, foreseen=foreseen)
        learner.next_id += 1
        learner.tell(
            proposal,
            **({"output": gold} if hears == "gold" else _feedback(hears, [*map(loss, proposal.outputs)])),
        )
        total += chance(drawn) * (start - learner.weights)
    return total


def chances(
    space: Space, x: Any, coupling: str, models: Sequence[Distribution]
) -> Callable[[Sequence[Structure]], float]:
    """The probability of every draw of an ask."""
    if coupling == "antithetic":
        of_two = _mirrored(models[0], list(space.structures(x)))
        return lambda drawn: prod(of_two[pair] for pair in zip(drawn[::2], drawn[1::2], strict=True))

    def independent(drawn: Sequence[Structure]) -> float:
        return exp(sum(model.log_prob(y) for model, y in zip(models, drawn, strict=True)))

    def without_replacement(drawn: Sequence[Structure]) -> float:
        one, other = (space.shown(x, y) for y in drawn)
        p, r = exp(models[0].log_propensity(one)), exp(models[0].log_propensity(other))
        tries = range(TRIES - 1 if one == other else 0, TRIES)
        return independent(drawn) * sum(p**n + r**n for n in tries) / 2

    return independent if coupling == "independent" else without_replacement


def _mirrored(model: Distribution, structures: list[Structure]) -> dict[tuple[Structure, Structure], float]:
    """How much of [0, 1) has F^-1(u) = a and F^-1(1 - u) = b."""
    ends = np.cumsum([exp(model.log_prob(y)) for y in structures])
    starts = np.append(0.0, ends[:-1])
    spans = list(zip(structures, starts.tolist(), ends.tolist(), strict=True))
    return {
        (a, b): max(0.0, min(high, 1.0 - start) - max(low, 1.0 - end))
        for (a, low, high), (b, start, end) in product(spans, spans)
    }


def _feedback(hears: str, losses: list[float]) -> dict[str, Any]:
    """What a judge who sees these losses tells."""
    if hears == "loss":
        return {"loss": losses if len(losses) > 1 else losses[0]}
    told = [_preference(one, other) for one, other in combinations(losses, 2)]
    return {name: [each[name] for each in told] if len(told) > 1 else told[0][name] for name in told[0]}


def _preference(one: float, other: float) -> dict[str, Any]:
    """What is told of two."""
    if one == other:
        return {"prefer": "tie", "by": None}
    return {"prefer": int(one > other), "by": abs(one - other)}
