"""What the edges of a parse apply: rules, each with what the arcs under it cost, as decoding needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.translation.grammar.grammar import Floats, Grammar, Ints, pointers
from kibitz.translation.grammar.symbols import Symbols


class Entries(NamedTuple):
    """Features of rules, in any order: rule ``rule[i]`` has ``value[i]`` of ``feature[i]``."""

    rule: npt.NDArray[np.int64]
    feature: npt.NDArray[np.int64]
    value: Floats

    @classmethod
    def of(cls, entries: Sequence[tuple[int, int, float]]) -> Entries:
        """The entries (rule, feature, value)."""
        return cls(
            np.array([rule for rule, _, _ in entries], np.int64),
            np.array([feature for _, feature, _ in entries], np.int64),
            np.array([value for _, _, value in entries], np.float64),
        )

    def chosen(self, which: npt.NDArray[Any]) -> Entries:
        """Some of the entries, by a mask or in an order."""
        return Entries(self.rule[which], self.feature[which], self.value[which])


NO_ENTRIES = Entries.of(())


@dataclass(frozen=True, slots=True, eq=False)
class Applications:
    """Target sides and features; application a is made of the a-th stretch of each array.

    A target side is made of words of ``words``, by their places there, and of -1 - i for the i-th tail.
    """

    symbols: Symbols
    words: Sequence[str]
    target_ptr: Ints
    target: Ints
    feature_ptr: Ints
    feature: Ints
    value: Floats

    def __len__(self) -> int:
        """The number of applications."""
        return len(self.target_ptr) - 1

    @classmethod
    def of(cls, rules: Grammar, more: Sequence[Entries] = ()) -> Applications:
        """These rules, with more features beside their own."""
        own = np.repeat(np.arange(len(rules)), np.diff(rules.feature_ptr))
        entries = _summed(joined([Entries(own, rules.feature.astype(np.int64), rules.value), *more]))
        target = rules.target.copy()
        said, target[target >= 0] = in_order_of_sight(target[target >= 0])
        return cls(
            rules.symbols,
            tuple(rules.symbols.words.named(said.tolist())),
            rules.target_ptr,
            target,
            pointers(np.bincount(entries.rule, minlength=len(rules))),
            entries.feature.astype(np.int32),
            entries.value,
        )


def in_order_of_sight(numbers: Ints) -> tuple[Ints, Ints]:
    """The different numbers, the one that comes first first, and the place of each number among them."""
    distinct, first, place = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return distinct[order], rank[place]


def joined(entries: Sequence[Entries]) -> Entries:
    """All of these entries."""
    return Entries(
        np.concatenate([each.rule for each in entries]),
        np.concatenate([each.feature for each in entries]),
        np.concatenate([each.value for each in entries]),
    )


def _summed(entries: Entries) -> Entries:
    """The entries in the order of their rules; what a rule has twice of a feature is added up."""
    order = np.argsort(entries.rule, kind="stable")
    entries = entries.chosen(order)
    rule, feature, value = entries
    pair = rule * (1 + feature.max(initial=0)) + feature
    kept, first, place = np.unique(pair, return_index=True, return_inverse=True)
    if len(kept) == len(pair):
        return entries
    again = np.argsort(first)
    return Entries(
        rule[first][again], feature[first][again], np.bincount(place, value).astype(np.float64)[again]
    )
