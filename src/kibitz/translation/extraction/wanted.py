"""Which source sides could be used in given inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import compiled, kernel
from kibitz.translation.extraction.instances import instances
from kibitz.translation.extraction.limits import LONGEST, Limits
from kibitz.translation.extraction.sides import fingerprint, source_side
from kibitz.translation.extraction.table import FULLEST, Keys, grown, room, slot


class Matching:
    """Finds the source sides that match an input: words in the input's order, with room for the gaps."""

    def __init__(self, limits: Limits, longest: int) -> None:
        """For inputs of at most ``longest`` words."""
        self._bounds = limits.matching()
        self._any = np.ones((longest, limits.span), np.bool_)
        self._every = np.arange(longest + 1)
        self._places = np.empty(limits.most(longest), np.int64)
        self._prints = np.empty(len(self._places), np.uint64)

    def sides(self, words: NDArray[np.int32]) -> NDArray[np.uint64]:
        """The fingerprints of the source sides that match, with repetitions."""
        count = _sides(words, self._any, self._every, self._bounds, self._places, self._prints)
        return self._prints[:count]


def wanted_sides(inputs: list[NDArray[np.int32]], limits: Limits) -> Keys:
    """The fingerprints of all source sides that match any input, as the keys of a table."""
    matching = Matching(limits, max((len(words) for words in inputs), default=0))
    keys, used = np.zeros(room(0), np.uint64), 0
    for words in inputs:
        prints = matching.sides(words)
        if used + len(prints) > FULLEST * len(keys):
            (keys,) = grown(keys, entries=2 * (used + len(prints)))
        used += _add(keys, prints)
    return keys


@compiled
def _sides(words, ok, linked, bounds, places, prints):  # type: ignore[no-untyped-def]
    side = np.empty(LONGEST, np.int64)
    count = instances(0, len(words), ok, linked, bounds, places)
    for k in range(count):
        prints[k] = fingerprint(words, side, source_side(places[k], side))
    return count


@kernel
def _add(keys, prints):  # type: ignore[no-untyped-def]
    """Put fingerprints into a table with room for them; returns how many are new."""
    new = 0
    for print_ in prints:
        at = slot(keys, print_)
        if keys[at] == np.uint64(0):
            keys[at] = print_
            new += 1
    return new


def split(words: NDArray[Any], ptr: NDArray[Any]) -> list[NDArray[Any]]:
    """The lines of a flat array."""
    return [words[a:b] for a, b in zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True)]
