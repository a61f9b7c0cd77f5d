"""Counts how often target sides occur, whatever their source side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import kernel
from kibitz.translation.extraction.aligned import AlignedText
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.extraction.pair_rules import found, scratch_for, target_print
from kibitz.translation.extraction.table import slot, table_of
from kibitz.translation.extraction.tally import BLOCK, Pairs, Progress


def target_counts(
    text: AlignedText,
    limits: Limits,
    pairs: Pairs,
    targets: NDArray[np.uint64],
    seen: Progress = lambda done: None,
) -> NDArray[np.int64]:
    """How many rule instances of these pairs have each of these target sides, given as fingerprints."""
    distinct, number = np.unique(targets, return_inverse=True)
    keys, numbers = table_of(distinct)
    counts = np.zeros(len(distinct), np.int64)
    scratch = scratch_for(text, limits)
    for done in range(0, len(pairs), BLOCK):
        block = pairs[done : done + BLOCK]
        _count(text, block, limits.training(), scratch, keys, numbers, counts)
        seen(done + len(block))
    return counts[number]


@kernel
def _count(text, pairs, bounds, scratch, keys, numbers, counts):  # type: ignore[no-untyped-def]
    for s in pairs:
        for k in range(found(text, s, bounds, scratch)):
            at = slot(keys, target_print(text, s, scratch.places[k], scratch))
            if keys[at] != np.uint64(0):
                counts[numbers[at]] += 1
