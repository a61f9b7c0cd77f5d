"""Counts the rules of an aligned text, whole or only those whose source side is wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.extraction.aligned import AlignedText
from kibitz.translation.extraction.instances import START, instances
from kibitz.translation.extraction.limits import LONGEST, Limits
from kibitz.translation.extraction.phrases import phrases
from kibitz.translation.extraction.sides import fingerprint, mixed, source_side, target_side
from kibitz.translation.extraction.table import FULLEST, Keys, grown, room, slot

Pairs = NDArray[np.int64]  # numbers of pairs of the text
Progress = Callable[[int], None]
_BLOCK = 2000  # pairs between two reports of progress


class Scratch(NamedTuple):
    """Space for the rules of one pair."""

    ok: NDArray[np.bool_]
    linked: NDArray[np.int64]
    places: NDArray[np.int64]
    side: NDArray[np.int64]


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
        block = pairs[done : done + _BLOCK]
        new, used, missing = _count(text, block, bounds, only, scratch, keys, counts, places, used)
        if missing:
            keys, counts, places = grown(keys, counts, places, entries=2 * (used + missing))
        done += new
        seen(done)
    taken = keys != 0
    del keys
    return _sorted(text, places[taken], counts[taken].astype(np.int64))


def target_counts(
    text: AlignedText,
    limits: Limits,
    pairs: Pairs,
    targets: NDArray[np.uint64],
    seen: Progress = lambda done: None,
) -> NDArray[np.int64]:
    """How many rule instances of these pairs, whatever their source side, have each of these target sides."""
    distinct, number = np.unique(targets, return_inverse=True)
    keys = np.zeros(room(len(distinct)), np.uint64)
    counts = np.zeros(len(keys), np.int64)
    _enter(keys, distinct)
    scratch = scratch_for(text, limits)
    for done in range(0, len(pairs), _BLOCK):
        block = pairs[done : done + _BLOCK]
        _count_targets(text, block, limits.training(), scratch, keys, counts)
        seen(done + len(block))
    found: NDArray[np.int64] = _looked_up(keys, counts, distinct)[number]
    return found


def scratch_for(text: AlignedText, limits: Limits) -> Scratch:
    longest = int(np.diff(text.source_ptr).max(initial=0))
    return Scratch(
        np.zeros((longest, limits.phrase), np.bool_),
        np.zeros(longest + 1, np.int64),
        np.empty(limits.most(longest), np.int64),
        np.empty(LONGEST, np.int64),
    )


@fused
def found(text, s, bounds, scratch):  # type: ignore[no-untyped-def]
    """The places of all instances in pair s go to the scratch; returns how many."""
    phrases(text, s, bounds.words, scratch.ok, scratch.linked)
    base = text.source_ptr[s]
    return instances(base, text.source_ptr[s + 1] - base, scratch.ok, scratch.linked, bounds, scratch.places)


@fused
def source_print(text, where, side):  # type: ignore[no-untyped-def]
    return fingerprint(text.source, side, source_side(where, side))


@fused
def target_print(text, s, where, side):  # type: ignore[no-untyped-def]
    return fingerprint(text.target, side, target_side(text, s, where, side))


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
            source = source_print(text, where, scratch.side)
            if len(wanted) > 0 and wanted[slot(wanted, source)] == np.uint64(0):
                continue
            key = mixed(source) ^ target_print(text, s, where, scratch.side)
            key = key if key != np.uint64(0) else source
            at = slot(keys, key)
            if keys[at] == np.uint64(0):
                keys[at], places[at] = key, where
                used += 1
            counts[at] += 1
    return len(pairs), used, 0


@kernel
def _count_targets(text, pairs, bounds, scratch, keys, counts):  # type: ignore[no-untyped-def]
    for s in pairs:
        for k in range(found(text, s, bounds, scratch)):
            target = target_print(text, s, scratch.places[k], scratch.side)
            at = slot(keys, target)
            if keys[at] != np.uint64(0):
                counts[at] += 1


@kernel
def _enter(keys, entries):  # type: ignore[no-untyped-def]
    for key in entries:
        keys[slot(keys, key)] = key


def _looked_up(keys: Keys, column: NDArray[Any], entries: NDArray[np.uint64]) -> NDArray[Any]:
    at = np.empty(len(entries), np.int64)
    _slots(keys, entries, at)
    return column[at]


@kernel
def _slots(keys, entries, at):  # type: ignore[no-untyped-def]
    for k in range(len(entries)):
        at[k] = slot(keys, entries[k])


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
        sources[k] = source_print(text, places[k], side)
        targets[k] = target_print(text, pairs[k], places[k], side)
