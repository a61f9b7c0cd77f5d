"""One loss that is heard, and another by which models are chosen and reported.

Feedback that can be had while learning, a rating or a click, is often not the metric that is wanted in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.feedback.loss import ListedLoss, Loss


@dataclass(frozen=True, slots=True)
class Reported:
    """Hears one loss of the gold answers to learn from; has the name and the metric of the other."""

    heard: ListedLoss
    reported: Loss

    @property
    def name(self) -> str:
        """The name of what is reported."""
        return self.reported.name

    @property
    def metric(self) -> str:
        """The metric of what is reported."""
        return self.reported.metric

    @property
    def higher_is_better(self) -> bool:
        """As for what is reported."""
        return self.reported.higher_is_better

    def __call__(self, output: Any, gold: Any) -> float:
        """The loss that is heard."""
        return self.heard(output, gold)

    def of_each(self, outputs: Sequence[Any], gold: Any) -> NDArray[np.float64]:
        """The losses that are heard of many outputs of one input."""
        return self.heard.of_each(outputs, gold)

    def corpus(self, outputs: Sequence[Any], golds: Sequence[Any]) -> float:
        """The corpus metric that is reported."""
        return self.reported.corpus(outputs, golds)
