"""Who rates in a simulation: what becomes of judgements on their way, how late they come, and how many never do."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.feedback.raters import CLEAN, Rater
from kibitz.learning.learner import Learner
from kibitz.spaces.first_class import direct
from kibitz.spaces.generator import Generator


@dataclass(slots=True)
class Rating:
    """A rater whose answers come ``late`` asks after the question; a share ``missing`` of them never comes."""

    chance: Generator
    rater: Rater = CLEAN
    late: int = 0
    missing: float = 0.0
    waiting: deque[tuple[int, dict[str, Any]]] = field(default_factory=deque)

    @property
    def at_once(self) -> bool:
        """Whether every answer comes, and before the next question: compiled loops know nothing else."""
        return self.late == 0 and self.missing == 0.0 and not self.rater.skips

    def heard(self, value: float, lowest: float) -> float:
        """What is heard of a loss (``lowest`` 0) or a difference (-1); NaN where the question is skipped."""
        if self.rater is CLEAN:
            return value
        hear = direct(self.rater.hear)
        return float(hear(float(value), lowest, self.chance.state, np.array(self.rater.params)))

    def answer(self, learner: Learner, key: int, told: dict[str, Any]) -> None:
        """The answer to a proposal is on its way."""
        if self.missing > 0.0 and told and self.chance.uniform() < self.missing:
            told = {"skip": True}
        self.waiting.append((key, told))
        self.deliver(learner, self.late)

    def deliver(self, learner: Learner, left: int = 0) -> None:
        """Tell what has come: all but the last ``left`` answers."""
        while len(self.waiting) > left:
            key, told = self.waiting.popleft()
            learner.tell(key, **told)

    @property
    def expected(self) -> int:
        """Judgements that have been given and are still on their way."""
        return sum(bool(told) and "skip" not in told for _, told in self.waiting)

    def settings(self) -> dict[str, Any]:
        """What a run that goes on must have in common."""
        return {
            "rater": self.rater.name, "habits": list(self.rater.params), "late": self.late, "missing": self.missing
        }  # fmt: skip

    def state(self) -> dict[str, Any]:
        """The answers on their way, as JSON."""
        return {"waiting": [[key, told] for key, told in self.waiting]}

    def restore(self, state: Mapping[str, Any], chance: Any) -> None:
        """Go on from there."""
        self.waiting = deque((int(key), dict(told)) for key, told in state["waiting"])
        self.chance.restore(chance)
