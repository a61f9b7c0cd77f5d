"""What an ask returns, and what the learner keeps of it until it is told."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from kibitz.objectives import Objective
from kibitz.objectives.variates import Foreseen
from kibitz.spaces.protocol import Draw, Output, Space


class Proposal(NamedTuple):
    """One output or several to rate or to compare, and with which probability they were drawn, by which model.

    ``decided`` says that the outputs to compare are equal, or that the model is sure of this input: there is nothing
    worth a judgement, and a tell needs no feedback.
    """

    id: int
    outputs: tuple[Output, ...]
    log_probs: tuple[float, ...]
    model_version: int
    decided: bool = False

    def judged(self, objective: Objective) -> int:
        """The judgements that an answer takes: two outputs that are equal are not compared."""
        if objective.hears != "pair":
            return objective.judgements
        return sum(one != other for one, other in combinations(self.outputs, 2))


def propose(
    key: int, space: Space, x: Any, draw: Draw, version: int, compares: bool, sure: bool = False
) -> Proposal:
    """What a draw proposes: what is shown of its structures."""
    outputs = tuple([space.shown(x, y) for y in draw.structures])
    equal = compares and all(output == outputs[0] for output in outputs)
    return Proposal(key, outputs, tuple(draw.log_probs.tolist()), version, sure or equal)


class Pending(NamedTuple):
    """An ask that awaits its answer: the step will be that of the weights of the ask."""

    proposal: Proposal
    x: Any
    draw: Draw
    sure: bool = False
    foreseen: Foreseen | None = None  # by a control variate
