"""One stochastic gradient at given weights, for those who study them rather than follow them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from kibitz.learning.answer import Answer
from kibitz.learning.weighing import Weighing
from kibitz.objectives import Objective
from kibitz.spaces.coupling import COUPLINGS
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Output, Space, SparseVector
from kibitz.spaces.step import CONTROLS, COUPLING
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
    draw = space.draw(x, ready, signs, generator, COUPLINGS[objective.coupling])
    losses = [loss(space.shown(x, y), gold) for y in draw.structures]
    heard = [one - other for one, other in combinations(losses, 2)] if objective.hears == "pair" else losses
    control = np.zeros(CONTROLS)
    control[COUPLING] = COUPLINGS[objective.coupling]
    weighing = Weighing(space, replace(objective, baseline="none"), np.zeros(0), temperature=0.0)
    coefficients = weighing.weigh(x, draw, Answer(objective.hears, values=tuple(heard)), control, 0)
    return space.gradient(x, draw, draw.codes, np.array(coefficients), signs).vector()
