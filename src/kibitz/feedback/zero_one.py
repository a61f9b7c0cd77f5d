"""0/1 loss: 1 unless every label is right.

The corpus metric is the share of outputs that are not all right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kibitz.feedback.hamming import share_wrong
from kibitz.feedback.lengths import same_length


def tally_sequences(
    output: NDArray[np.int32],
    gold: NDArray[np.int32],
    offset: int,
    n: int,
    table: NDArray[np.int32],
    counts: NDArray[np.float64],
) -> None:
    """Adds (1 where any label is wrong, 1) to `counts`."""
    for i in range(n):
        if output[i] != gold[offset + i]:
            counts[0] += 1.0
            break
    counts[1] += 1.0


@dataclass(frozen=True, slots=True)
class ZeroOne:
    """1 unless all is right."""

    name: str = field(default="01", init=False)
    metric: str = field(default="0/1 loss", init=False)
    higher_is_better: bool = field(default=False, init=False)

    def __call__(self, output: Sequence[object], gold: Sequence[object]) -> float:
        """The loss of one output."""
        return self.corpus([output], [gold])

    def corpus(self, outputs: Sequence[Sequence[object]], golds: Sequence[Sequence[object]]) -> float:
        """The share of outputs that are not all right."""
        same_length(outputs, golds, "sequences")
        wrong = 0
        for output, gold in zip(outputs, golds, strict=True):
            same_length(output, gold)
            wrong += any(a != b for a, b in zip(output, gold, strict=True))
        return wrong / max(len(golds), 1)

    tally = staticmethod(tally_sequences)
    ratio = staticmethod(share_wrong)
    score = staticmethod(share_wrong)

    def table(self, labels: Sequence[str]) -> NDArray[np.int32]:
        """Empty: labels are only compared."""
        return np.zeros(0, dtype=np.int32)
