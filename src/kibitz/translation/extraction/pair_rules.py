"""All rules of one pair of sentences, one after the other, with the fingerprints of their sides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import fused
from kibitz.translation.extraction.aligned import NOWHERE, AlignedText
from kibitz.translation.extraction.instances import first_word, instances, shape
from kibitz.translation.extraction.limits import LONGEST, Limits
from kibitz.translation.extraction.phrases import phrases
from kibitz.translation.extraction.sides import between, fingerprint, source_side


class Scratch(NamedTuple):
    """Space for the rules of one pair."""

    ok: NDArray[np.bool_]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    linked: NDArray[np.int64]
    places: NDArray[np.int64]
    side: NDArray[np.int64]


def scratch_for(text: AlignedText, limits: Limits) -> Scratch:
    longest = int(np.diff(text.source_ptr).max(initial=0))
    return Scratch(
        np.zeros((longest, limits.phrase), np.bool_),
        np.zeros((longest, limits.phrase), np.int64),
        np.zeros((longest, limits.phrase), np.int64),
        np.zeros(longest + 1, np.int64),
        np.empty(limits.most(longest), np.int64),
        np.empty(LONGEST, np.int64),
    )


@fused
def found(text, s, bounds, scratch):  # type: ignore[no-untyped-def]
    """The places of all instances in pair s go to the scratch; returns how many."""
    phrases(text, s, bounds.words, scratch.ok, scratch.low, scratch.high, scratch.linked)
    base = text.source_ptr[s]
    return instances(base, text.source_ptr[s + 1] - base, scratch.ok, scratch.linked, bounds, scratch.places)


@fused
def source_print(text, where, scratch):  # type: ignore[no-untyped-def]
    return fingerprint(text.source, scratch.side, source_side(where, scratch.side))


@fused
def target_print(text, s, where, scratch):  # type: ignore[no-untyped-def]
    """Of a place that was just found in pair s."""
    i = first_word(where) - text.source_ptr[s]
    length, a, a_words, c, c_words = shape(where)
    whole, first, second = (
        _span(scratch, i, length),
        _span(scratch, i + a, a_words),
        _span(scratch, i + c, c_words),
    )
    count = between(text.target_ptr[s], whole, first, second, scratch.side)
    return fingerprint(text.target, scratch.side, count)


@fused
def _span(scratch, i, words):  # type: ignore[no-untyped-def]
    """The first and the last target word of a phrase; of none, a place that there is not."""
    if words == 0:
        return np.int64(NOWHERE), np.int64(-1)
    return scratch.low[i, words - 1], scratch.high[i, words - 1]
