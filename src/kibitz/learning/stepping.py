"""Algorithm 1 by ``ask`` and ``tell``: for spaces without a compiled loop, and feedback that only Python gives."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.feedback.loss import Loss
from kibitz.feedback.preference import PairFeedback, preference
from kibitz.learning.interrupt import Interrupt
from kibitz.learning.learner import Learner


def ask_and_tell(
    learner: Learner, train: Any, order: npt.NDArray[np.int64], loss: Loss, judge: PairFeedback, budget: int,
    interrupt: Interrupt,
) -> tuple[int, float]:  # fmt: skip
    """What a space's ``run`` does, bit for bit; returns iterations done and the sum of what was heard."""
    hears, heard = learner.objective.hears, 0.0
    for used, i in enumerate(order.tolist()):
        if interrupt.requested or learner.judgements + learner.objective.judgements > budget:
            return used, heard
        x, gold = train[i], train.gold_of(i)
        proposal = learner.ask(x)
        if hears == "gold":
            heard -= learner.space.distribution(x, learner.state).log_propensity(gold)
            learner.tell(proposal, output=gold)
            continue
        losses = [loss(output, gold) for output in proposal.outputs] if hears == "loss" else []
        heard += losses[0] if losses else loss(proposal.outputs[0], gold)
        if proposal.decided:
            learner.tell(proposal)
        elif hears == "loss":
            learner.tell(proposal, loss=losses if len(losses) > 1 else losses[0])
        else:
            difference = judge(proposal.outputs[0], proposal.outputs[1], gold)
            if not isinstance(difference, Real):
                raise InputError(
                    f"a judge returns the loss of the first output less that of the second, not {difference!r}; "
                    "one that answers 0, 1 or 'tie' goes into kibitz.feedback.Preferred"
                )
            learner.tell(proposal, prefer=preference(difference), by=abs(difference) or None)
    return len(order), heard
