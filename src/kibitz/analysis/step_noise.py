"""How noisy the steps of a method are at given weights.

    noise = (E|s|^2 - |E s|^2) / (E s . r / |r|)^2

is the variance of a judged step over its square along a direction r, that of the exact gradient: so many steps must be
averaged until signal and noise are of one size. Asks that need no judge do not count: they cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.feedback.loss import Loss
from kibitz.learning.answer import Answer
from kibitz.learning.learner import Learner
from kibitz.spaces.generator import Generator
from kibitz.spaces.vectors import SparseVector

Dense = npt.NDArray[np.float64]
WARM = 300  # judged asks from which a baseline learns before its steps count
SKIPS = 400  # asks a judged step, at most


@dataclass(frozen=True, slots=True)
class Steps:
    """Many steps at the same weights: their mean, the mean of their squares, and the judgements of a step."""

    mean: Dense
    square: float
    judgements: float

    def noise(self, direction: Dense) -> float:
        """Variance over squared signal along ``direction``."""
        signal = float(self.mean @ direction) / float(np.linalg.norm(direction))
        return (self.square - float(self.mean @ self.mean)) / signal**2


def take_steps(learner: Learner, train: Any, loss: Loss, steps: int, seed: int) -> Steps:
    """So many judged steps on inputs at random; the weights do not change."""
    mean, square, judgements = np.zeros(learner.space.size), 0.0, 0
    for done, (vector, judged) in enumerate(_judged(learner, train, loss, WARM + steps, seed)):
        if done >= WARM:
            mean[vector.index] += vector.value / steps
            square += float(vector.value @ vector.value) / steps
            judgements += judged
    return Steps(mean, square, judgements / steps)


def _judged(
    learner: Learner, train: Any, loss: Loss, steps: int, seed: int
) -> Iterator[tuple[SparseVector, int]]:
    order, judged = Generator(seed, stream=9), 0
    for _ in range(SKIPS * steps):
        if judged == steps:
            return
        i = order.below(len(train))
        pending = learner.pending.pop(learner.ask(train[i]).id)
        if pending.proposal.decided:
            continue
        judged += 1
        losses = tuple(loss(output, train.gold_of(i)) for output in pending.proposal.outputs)
        if learner.objective.hears == "pair":
            answer = Answer("pair", values=tuple(one - other for one, other in combinations(losses, 2)))
        else:
            answer = Answer("loss", values=losses)
        yield learner.step_of(pending, answer)[1].vector(), pending.proposal.judged(learner.objective)
