"""What an ask returns, and what the learner keeps of it until it is told."""

from __future__ import annotations

from typing import Any, NamedTuple

from kibitz.spaces.protocol import Draw, Output, Space


class Proposal(NamedTuple):
    """One output to rate or two to compare, and with which probability they were drawn, by which model.

    ``decided`` says that two equal outputs were drawn: there is nothing to judge, and a tell needs no feedback.
    """

    id: int
    outputs: tuple[Output, ...]
    log_probs: tuple[float, ...]
    model_version: int
    decided: bool = False


def propose(key: int, space: Space, x: Any, draw: Draw, version: int) -> Proposal:
    """What a draw proposes: what is shown of its structures."""
    outputs = tuple([space.shown(x, y) for y in draw.structures])
    decided = len(outputs) == 2 and outputs[0] == outputs[1]
    return Proposal(key, outputs, tuple(draw.log_probs.tolist()), version, decided)


class Pending(NamedTuple):
    """An ask that awaits its answer: the step will be that of the weights of the ask."""

    proposal: Proposal
    x: Any
    draw: Draw
