"""Algorithm 1 by ``ask`` and ``tell``: for spaces without a compiled loop, and feedback that only Python gives."""

from __future__ import annotations

from itertools import combinations
from math import isnan
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.feedback.loss import Loss
from kibitz.feedback.preference import PairFeedback, preference
from kibitz.learning.interrupt import Interrupt
from kibitz.learning.learner import Learner
from kibitz.learning.proposal import Proposal
from kibitz.learning.rating import Rating


def ask_and_tell(
    learner: Learner, train: Any, order: npt.NDArray[np.int64], loss: Loss, judge: PairFeedback, rating: Rating,
    budget: int, interrupt: Interrupt,
) -> tuple[int, int, float]:  # fmt: skip
    """What a space's ``run`` does, bit for bit; returns inputs used, those asked about, and the sum heard."""
    hears, cost, heard = learner.objective.hears, learner.objective.judgements, 0.0
    asked = 0
    for used, i in enumerate(order.tolist()):
        if interrupt.requested or learner.judgements + rating.expected * cost + cost > budget:
            return used, asked, heard
        x, gold = train[i], train.gold_of(i)
        proposal = learner.ask(x)
        asked += not learner.pending[proposal.id].sure
        if hears == "gold":
            target = learner.space.target(x, gold, loss)
            heard -= learner.space.distribution(x, learner.state).log_propensity(target)
            rating.answer(learner, proposal.id, {"output": target})
            continue
        losses = [loss(output, gold) for output in proposal.outputs] if hears == "loss" else []
        heard += losses[0] if losses else loss(proposal.outputs[0], gold)
        told: dict[str, Any] = {}
        if not proposal.decided:
            told = _rated(losses, rating) if losses else _compared(proposal, gold, judge, rating)
        rating.answer(learner, proposal.id, told)
    return len(order), asked, heard


def _rated(losses: list[float], rating: Rating) -> dict[str, Any]:
    """What is told of outputs with these losses."""
    heard = [rating.heard(one, 0.0) for one in losses]
    return {"loss": heard if len(heard) > 1 else heard[0]}


def _compared(proposal: Proposal, gold: Any, judge: PairFeedback, rating: Rating) -> dict[str, Any]:
    """What is told of two outputs, or of every pair of several: nothing, if one pair is skipped."""
    told = [_pair(*pair, gold, judge, rating) for pair in combinations(proposal.outputs, 2)]
    if len(told) == 1:
        return told[0]
    if any("skip" in one for one in told):
        return {"skip": True}
    return {"prefer": [one["prefer"] for one in told], "by": [one["by"] for one in told]}


def _pair(first: Any, second: Any, gold: Any, judge: PairFeedback, rating: Rating) -> dict[str, Any]:
    """What is told of two outputs; that equal ones are alike is known without asking."""
    if first == second:
        return {"prefer": "tie", "by": None}
    difference = judge(first, second, gold)
    if not isinstance(difference, Real) or isnan(difference):
        raise InputError(
            f"a judge returns the loss of the first output less that of the second, not {difference!r}; "
            "one that answers 0, 1 or 'tie' goes into kibitz.feedback.Preferred"
        )
    difference = rating.heard(difference, -1.0)
    if isnan(difference):
        return {"skip": True}
    return {"prefer": preference(difference), "by": abs(difference) or None}
