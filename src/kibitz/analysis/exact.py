"""The objectives and their gradients exactly, by writing out every structure: what steps must average to.

With p = p_w(. | x), q = p_{-w}(. | x), Delta the loss of what is shown, g = 1 - Delta, c the pair loss and D_ij the
difference of the losses of i and j:

    EL          sum_i p_i Delta_i                                  (equation 4)
    PR          sum_ij p_i q_j c(D_ij)                             (equation 9), the opponent `contrast`
    CE          - sum_s g_s H_k(p_s)                               (equation 12, where k = 0)
    likelihood  - log p_s of the gold output s

i and j are structures, s outputs: p_s is the sum of p_i over the structures of which s is shown, and the entropy
is that of outputs.

H_k(p) = p / k for p <= k, else 1 + log(p / k): what clipping the propensity at k really minimises; H_0 = log.
The opponent `self`, drawn from p_v and held fixed, gives  sum_ij p_i v_j (c(D_ij) - c(D_ji)). For continuous
feedback that is EL, up to a constant, whatever v (twice EL for the pair loss `signed`); for binary feedback
it is not. The pair losses are written here a second time: an oracle that calls what it judges is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.errors import InputError
from kibitz.objectives import Objective, objective_from
from kibitz.spaces.protocol import Output, Space
from kibitz.testing.enumerator import Enumeration, enumerate_outputs

Floats = NDArray[np.float64]
LossOf = Callable[[Output], float]

_PAIR_LOSSES: Final[dict[tuple[str, str], Callable[[Floats], Floats]]] = {
    ("violation", "pr-cont"): lambda d: np.maximum(0.0, d),
    ("violation", "pr-bin"): lambda d: np.where(d > 0.0, 1.0, 0.0),
    ("shortfall", "pr-cont"): lambda d: 1.0 - np.maximum(0.0, -d),
    ("shortfall", "pr-bin"): lambda d: np.where(d >= 0.0, 1.0, 0.0),
    ("signed", "pr-cont"): lambda d: d,
    ("signed", "pr-bin"): np.sign,
}


def exact_objective(
    space: Space,
    x: Any,
    weights: Floats,
    objective: Objective | str,
    loss: LossOf,
    *,
    opponent: Floats | None = None,
    gold: Output | None = None,
    l2: float = 0.0,
    entropy: float = 0.0,
) -> float:
    """J(w) for one input, plus l2/2 |w|^2 and less `entropy` times the entropy of what p_w shows.

    `opponent` are the fixed weights of a `self` opponent: needed for binary feedback, which has no objective
    of its own, and of no effect on the gradient for continuous feedback.
    """
    chosen = _chosen(objective)
    p = enumerate_outputs(space, x, weights)
    losses = _losses(p, loss)
    w = np.asarray(weights, dtype=np.float64)
    extra = 0.5 * l2 * float(w @ w) + entropy * p.mean(p.log_propensities)
    if chosen.name == "el":
        return p.mean(losses) + extra
    if chosen.name == "ce":
        shares = _shares(p) * _clipped_log(p.log_propensities, _option(chosen, "clip"))
        return -float((1.0 - losses) @ shares) + extra
    if chosen.name == "likelihood":
        return -p.log_propensity(gold) + extra
    costs = _pair_costs(chosen, losses)
    if chosen.signs[1] < 0:
        q = enumerate_outputs(space, x, weights, sign=-1)
        return float(p.probabilities @ costs @ q.probabilities) + extra
    if opponent is not None:
        v = enumerate_outputs(space, x, opponent)
        return float(p.probabilities @ (costs - costs.T) @ v.probabilities) + extra
    if chosen.name == "pr-bin":
        raise InputError(
            "Binary feedback against an opponent from the same model minimises no fixed objective: "
            "give the weights of the opponent as opponent=."
        )
    return (2.0 if _option(chosen, "pair_loss") == "signed" else 1.0) * p.mean(losses) + extra


def exact_gradient(
    space: Space,
    x: Any,
    weights: Floats,
    objective: Objective | str,
    loss: LossOf,
    *,
    gold: Output | None = None,
    l2: float = 0.0,
    entropy: float = 0.0,
) -> Floats:
    """What the mean step must be; for a `self` opponent, the gradient with the opponent held at w.

    Each is  sum_i a_i (phi_i - E[phi]), by the chain rule, since  grad p_i = p_i (phi_i - E[phi]).
    """
    chosen = _chosen(objective)
    p = enumerate_outputs(space, x, weights)
    losses = _losses(p, loss)
    extra = l2 * np.asarray(weights, dtype=np.float64) + entropy * p.gradient_of_mean(p.log_propensities)
    if chosen.name == "el":
        return p.gradient_of_mean(losses) + extra
    if chosen.name == "ce":
        clip = _option(chosen, "clip")
        slope = np.minimum(np.exp(p.log_propensities) / clip, 1.0) if clip > 0.0 else np.ones(len(losses))
        return _along(p, -(1.0 - losses) * _shares(p) * slope) + extra
    if chosen.name == "likelihood":
        return _along(p, -p.given(gold)) + extra
    costs = _pair_costs(chosen, losses)
    if chosen.signs[1] < 0:
        q = enumerate_outputs(space, x, weights, sign=-1)
        first = p.gradient_of_mean(costs @ q.probabilities)
        return first + q.gradient_of_mean(p.probabilities @ costs) + extra
    return p.gradient_of_mean((costs - costs.T) @ p.probabilities) + extra


def _chosen(objective: Objective | str) -> Objective:
    return objective_from(objective) if isinstance(objective, str) else objective


def _option(objective: Objective, name: str) -> Any:
    return dict(objective.options)[name]


def _losses(p: Enumeration, loss: LossOf) -> Floats:
    return np.array([loss(shown) for shown in p.shown], dtype=np.float64)


def _shares(p: Enumeration) -> Floats:
    """p_i / p_s, s being what is shown of i: what the structure has of the probability of its output."""
    return np.exp(p.log_probs - p.log_propensities)


def _pair_costs(objective: Objective, losses: Floats) -> Floats:
    """c(D_ij) for every pair of structures."""
    kind = _option(objective, "pair_loss"), objective.name
    if kind not in _PAIR_LOSSES:
        raise InputError(
            f"the pair loss {kind[0]} depends on the model: there is no exact objective of its own"
        )
    return _PAIR_LOSSES[kind](losses[:, None] - losses[None, :])


def _clipped_log(log_probs: Floats, clip: float) -> Floats:
    """H_k(p): the logarithm, continued by its tangent from k down."""
    if clip == 0.0:
        return log_probs
    above = 1.0 + log_probs - np.log(clip)
    return np.where(log_probs <= np.log(clip), np.exp(log_probs) / clip, above)


def _along(p: Enumeration, amounts: Floats) -> Floats:
    """sum_i a_i (phi_i - E[phi])."""
    along: Floats = amounts @ p.features - amounts.sum() * p.expected_features()
    return along
