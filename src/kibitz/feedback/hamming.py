"""Hamming loss: the share of labels that are wrong.

The corpus metric is the share over the labels of all sequences together, so a long sequence weighs more than
a short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kibitz.feedback.lengths import same_length


def tally_labels(
    output: NDArray[np.int32],
    gold: NDArray[np.int32],
    offset: int,
    n: int,
    table: NDArray[np.int32],
    counts: NDArray[np.float64],
) -> None:
    """Adds (wrong labels, labels) to `counts`."""
    for i in range(n):
        if output[i] != gold[offset + i]:
            counts[0] += 1.0
    counts[1] += n


def share_wrong(counts: NDArray[np.float64]) -> float:
    """Wrong labels / labels, and 0 where there is no label."""
    if counts[1] == 0.0:
        return 0.0
    return float(counts[0] / counts[1])


@dataclass(frozen=True, slots=True)
class Hamming:
    """The share of wrong labels."""

    name: str = field(default="hamming", init=False)
    metric: str = field(default="Hamming loss", init=False)
    higher_is_better: bool = field(default=False, init=False)

    def __call__(self, output: Sequence[object], gold: Sequence[object]) -> float:
        """The loss of one sequence; 0 for an empty one."""
        return self.corpus([output], [gold])

    def corpus(self, outputs: Sequence[Sequence[object]], golds: Sequence[Sequence[object]]) -> float:
        """The share of wrong labels over all sequences."""
        same_length(outputs, golds, "sequences")
        wrong = labels = 0
        for output, gold in zip(outputs, golds, strict=True):
            same_length(output, gold)
            wrong += sum(a != b for a, b in zip(output, gold, strict=True))
            labels += len(gold)
        return wrong / max(labels, 1)

    tally = staticmethod(tally_labels)
    ratio = staticmethod(share_wrong)
    score = staticmethod(share_wrong)

    def table(self, labels: Sequence[str]) -> NDArray[np.int32]:
        """Empty: labels are only compared."""
        return np.zeros(0, dtype=np.int32)
