"""Losses that came with the data: judgements already made of every output that can be drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.errors import InputError
from kibitz.feedback.lengths import same_length


@dataclass(frozen=True, slots=True)
class GivenLoss:
    """The loss that the gold answer, a mapping from outputs to losses, gives an output."""

    name: str = field(default="given", init=False)
    metric: str = field(default="mean loss", init=False)
    higher_is_better: bool = field(default=False, init=False)

    def __call__(self, output: Any, gold: Mapping[Any, float]) -> float:
        """The loss of one output."""
        if not isinstance(gold, Mapping) or output not in gold:
            raise InputError(f"no loss was given for the output {output!r}: give one for every output")
        loss = float(gold[output])
        if not 0.0 <= loss <= 1.0:
            raise InputError(f"the loss given for {output!r} is {loss!r}: it must be from 0 (perfect) to 1")
        return loss

    def of_each(self, outputs: Sequence[Any], gold: Mapping[Any, float]) -> NDArray[np.float64]:
        """The losses of many outputs of one input."""
        return np.array([self(output, gold) for output in outputs])

    def corpus(self, outputs: Sequence[Any], golds: Sequence[Mapping[Any, float]]) -> float:
        """The mean loss; 0 for no outputs."""
        same_length(outputs, golds, "outputs")
        return math.fsum(map(self, outputs, golds)) / max(len(golds), 1)
