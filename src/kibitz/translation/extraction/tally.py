"""Counts the rules of an aligned text, whole or only those whose source side is wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import kernel
from kibitz.translation.extraction.aligned import AlignedText
from kibitz.translation.extraction.instances import START
from kibitz.translation.extraction.limits import LONGEST, Limits
from kibitz.translation.extraction.pair_rules import found, scratch_for, source_print, target_print
from kibitz.translation.extraction.sides import fingerprint, mixed, source_side, target_side
from kibitz.translation.extraction.table import FULLEST, Keys, grown, room, slot

Pairs = NDArray[np.int64]  # numbers of pairs of the text
Progress = Callable[[int], None]
BLOCK = 2000  # pairs between two reports of progress


class Tally(NamedTuple):
    """Distinct rules, those of one source side together, frequent ones first, then in order of first sight."""

    place: NDArray[np.int64]  # where the rule was first seen
    source: NDArray[np.uint64]  # fingerprints
    target: NDArray[np.uint64]
    times: NDArray[np.int64]


def tally(
    text: AlignedText,
    limits: Limits,
    pairs: Pairs,
    wanted: Keys | None = None,
    seen: Progress = lambda done: None,
) -> Tally:
    """The rules of these pairs whose source side is among the keys of ``wanted``; without it, all."""
    keys = np.zeros(room(0), np.uint64)
    counts, places = np.zeros(len(keys), np.int32), np.zeros(len(keys), np.int64)
    bounds, scratch = limits.training(), scratch_for(text, limits)
    only = np.zeros(0, np.uint64) if wanted is None else wanted
    done = used = 0
    while done < len(pairs):
        block = pairs[done : done + BLOCK]
        new, used, missing = _count(text, block, bounds, only, scratch, keys, counts, places, used)
        if missing:
            keys, counts, places = grown(keys, counts, places, entries=2 * (used + missing))
        done += new
        seen(done)
    taken = keys != 0
    del keys
    return _sorted(text, places[taken], counts[taken].astype(np.int64))


@kernel
def _count(text, pairs, bounds, wanted, scratch, keys, counts, places, used):  # type: ignore[no-untyped-def]
    """Count in these pairs, up to the first that the table may have no room for.

    Returns how many pairs that were, the places of the table in use, and for how many more it needs room.
    """
    for number, s in enumerate(pairs):
        many = found(text, s, bounds, scratch)
        if used + many > FULLEST * len(keys):
            return number, used, many
        for k in range(many):
            where = scratch.places[k]
            source = source_print(text, where, scratch)
            if len(wanted) > 0 and wanted[slot(wanted, source)] == np.uint64(0):
                continue
            key = mixed(source) ^ target_print(text, s, where, scratch)
            key = key if key != np.uint64(0) else source
            at = slot(keys, key)
            if keys[at] == np.uint64(0):
                keys[at], places[at] = key, where
                used += 1
            counts[at] += 1
    return len(pairs), used, 0


def _sorted(text: AlignedText, places: NDArray[np.int64], counts: NDArray[np.int64]) -> Tally:
    sources, targets = np.empty(len(places), np.uint64), np.empty(len(places), np.uint64)
    _prints(text, sentences(text, places), places, np.empty(LONGEST, np.int64), sources, targets)
    order = np.lexsort((places, -counts, sources))
    return Tally(places[order], sources[order], targets[order], counts[order])


def sentences(text: AlignedText, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pair that each place is in."""
    return np.searchsorted(text.source_ptr, places >> START, side="right") - 1


@kernel
def _prints(text, pairs, places, side, sources, targets):  # type: ignore[no-untyped-def]
    for k in range(len(places)):
        sources[k] = fingerprint(text.source, side, source_side(places[k], side))
        targets[k] = fingerprint(text.target, side, target_side(text, pairs[k], places[k], side))
