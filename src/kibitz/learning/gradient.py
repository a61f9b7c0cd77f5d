"""One stochastic gradient at given weights, for those who study them rather than follow them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.objectives import Objective
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Output, Space, SparseVector
from kibitz.spaces.weights import Array, Weights, as_weights


def step_gradient(
    space: Space, corpus: Any, i: int, weights: Weights | Array, objective: Objective,
    loss: Callable[[Output, Output], float], generator: Generator,
) -> SparseVector:  # fmt: skip
    """s_t for input ``i``: draw, hear the simulated feedback, weigh (without a baseline)."""
    x, gold = corpus[i], corpus.gold_of(i)
    ready = as_weights(weights)
    signs = np.array(objective.signs, np.int64)
    if objective.hears == "gold":
        draw = space.propose_best(x, ready)
        target = space.gold(x, draw, space.target(x, gold, loss))
        return space.gradient(x, draw, [target], np.array([-1.0]), signs).vector()
    draw = space.draw(x, ready, signs, generator)
    losses = [loss(space.shown(x, y), gold) for y in draw.structures]
    log_probs = draw.log_probs.tolist()
    if objective.hears == "pair":
        c = objective.rule(losses[0] - losses[1], log_probs[0] - log_probs[1], objective.params)
        coefficients = np.array([c, -c])
    else:
        rules = [objective.rule(*heard, objective.params) for heard in zip(losses, log_probs, strict=True)]
        coefficients = np.array(rules) / len(rules)
    return space.gradient(x, draw, draw.codes, coefficients, signs).vector()
