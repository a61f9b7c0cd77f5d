"""Judgements of two outputs beside each other.

A judgement is the difference D = loss(first) - loss(second), in [-1, 1]: below 0 the first is the better one,
above 0 the second, and 0 is a tie. It says which (its sign) and, where the judge is graded, by how much (its
size).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from kibitz.errors import InputError
from kibitz.feedback.loss import Loss

Preference = Literal[0, 1, "tie"]


class PairFeedback(Protocol):
    """A judge of two outputs, with the gold answer at hand."""

    def __call__(self, first: Any, second: Any, gold: Any) -> float:
        """The difference D in [-1, 1]; below 0 where the first is the better one."""


@dataclass(frozen=True, slots=True)
class LossDifference:
    """The graded judge that a loss makes: D = loss(first) - loss(second)."""

    loss: Loss

    def __call__(self, first: Any, second: Any, gold: Any) -> float:
        """The difference of the two losses."""
        return self.loss(first, gold) - self.loss(second, gold)


@dataclass(frozen=True, slots=True)
class Preferred:
    """A user's own `prefer(first, second, gold)`, which answers 0 (the first), 1 (the second) or "tie"."""

    prefer: Callable[[Any, Any, Any], Preference]

    def __call__(self, first: Any, second: Any, gold: Any) -> float:
        """-1, 1 or 0."""
        return difference(self.prefer(first, second, gold))


def difference(prefer: Preference, by: float = 1.0) -> float:
    """D of an answer: -by where the first (0) is preferred, by where the second (1) is, 0 for a tie."""
    if not 0.0 <= by <= 1.0:
        raise InputError(f"the preference is by {by!r}: give how much better, from 0 to 1")
    if prefer == "tie":
        return 0.0
    if isinstance(prefer, bool) or prefer not in (0, 1):
        raise InputError(f'{prefer!r} is no preference: answer 0 (the first), 1 (the second) or "tie"')
    return by if prefer == 1 else -by


def preference(difference: float) -> Preference:
    """The one bit of a difference: 0 where the first is better, 1 where the second is, else "tie"."""
    if difference == 0.0:
        return "tie"
    return 0 if difference < 0.0 else 1
