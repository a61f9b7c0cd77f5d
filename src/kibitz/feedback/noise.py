"""Simulators of noisy judges: what a person's answers do to a clean loss or preference.

Every simulator takes its generator from outside and draws from nothing else. Noise is in the feedback only:
the corpus metric of a noisy loss is that of the clean one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kibitz.errors import InputError
from kibitz.feedback.loss import Loss
from kibitz.feedback.preference import PairFeedback


class Uniform(Protocol):
    """What a generator must have here: Kibitz's own and NumPy's both do."""

    def uniform(self) -> float:
        """A number from 0 up to but not including 1."""


@dataclass(frozen=True, slots=True)
class Flipped:
    """A judge whose answer is turned round with probability `probability`; ties stay ties."""

    judge: PairFeedback
    probability: float
    generator: Uniform

    def __post_init__(self) -> None:
        """A probability outside [0, 1] is refused."""
        if not 0.0 <= self.probability <= 1.0:
            raise InputError(f"the probability of a flip is {self.probability!r}: give a number from 0 to 1")

    def __call__(self, first: Any, second: Any, gold: Any) -> float:
        """D, or -D."""
        difference = self.judge(first, second, gold)
        return -difference if self.generator.uniform() < self.probability else difference


class _Wrapped:
    """The name and the metric of the clean loss inside."""

    __slots__ = ()
    loss: Loss

    @property
    def name(self) -> str:
        """The clean loss's name."""
        return self.loss.name

    @property
    def metric(self) -> str:
        """The clean loss's metric."""
        return self.loss.metric

    @property
    def higher_is_better(self) -> bool:
        """As for the clean loss."""
        return self.loss.higher_is_better

    def corpus(self, outputs: Sequence[Any], golds: Sequence[Any]) -> float:
        """The clean corpus metric."""
        return self.loss.corpus(outputs, golds)


@dataclass(frozen=True)
class Additive(_Wrapped):
    """Ratings with Gaussian noise of standard deviation `deviation`, cut off at 0 and 1."""

    loss: Loss
    deviation: float
    generator: Uniform

    def __post_init__(self) -> None:
        """A negative deviation is refused."""
        if not 0.0 <= self.deviation < math.inf:
            raise InputError(f"the deviation of the noise is {self.deviation!r}: give a number from 0 up")

    def __call__(self, output: Any, gold: Any) -> float:
        """min(1, max(0, loss + deviation z)), z = sqrt(-2 ln(1 - u)) cos(2 pi v) (Box and Muller)."""
        u, v = self.generator.uniform(), self.generator.uniform()
        z = math.sqrt(-2.0 * math.log1p(-u)) * math.cos(2.0 * math.pi * v)
        return min(1.0, max(0.0, self.loss(output, gold) + self.deviation * z))


@dataclass(frozen=True)
class Granular(_Wrapped):
    """Ratings on a scale of so many `levels`, 0 and 1 among them: five for one to five stars."""

    loss: Loss
    levels: int

    def __post_init__(self) -> None:
        """A scale needs two levels."""
        if self.levels < 2:
            raise InputError(f"a scale of {self.levels!r} levels says nothing: give 2 or more")

    def __call__(self, output: Any, gold: Any) -> float:
        """The nearest level, the higher one where two are as near."""
        steps = self.levels - 1
        return math.floor(self.loss(output, gold) * steps + 0.5) / steps
