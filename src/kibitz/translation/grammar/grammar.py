"""A grammar as flat arrays.

Symbols of a source side are words w, as w, and categories c, as -1 - c. Symbols of a target side are words, and the
translation of the i-th category of the source side as -1 - i.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.translation.grammar.symbols import Symbols

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Number = TypeVar("Number", np.int32, np.float64)


class Rule(NamedTuple):
    """One rule in numbers; see the module for how symbols are told apart."""

    lhs: int
    source: Sequence[int]
    target: Sequence[int]
    features: Mapping[int, float]


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """Rules; rule r is made of the r-th stretch of each array."""

    symbols: Symbols
    lhs: Ints
    source_ptr: Ints
    source: Ints
    target_ptr: Ints
    target: Ints
    feature_ptr: Ints
    feature: Ints
    value: Floats

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.lhs)

    @classmethod
    def of(cls, rules: Iterable[Rule], symbols: Symbols) -> Grammar:
        """The grammar of these rules, in this order."""
        kept = list(rules)
        return cls(
            symbols,
            np.array([rule.lhs for rule in kept], np.int32),
            pointers([len(rule.source) for rule in kept]),
            _flat([rule.source for rule in kept]),
            pointers([len(rule.target) for rule in kept]),
            _flat([rule.target for rule in kept]),
            pointers([len(rule.features) for rule in kept]),
            _flat([list(rule.features) for rule in kept]),
            np.array(list(chain.from_iterable(rule.features.values() for rule in kept)), np.float64),
        )

    def rule(self, r: int) -> Rule:
        """Rule ``r``."""
        features = slice(self.feature_ptr[r], self.feature_ptr[r + 1])
        return Rule(
            int(self.lhs[r]),
            self.source[self.source_ptr[r] : self.source_ptr[r + 1]].tolist(),
            self.target[self.target_ptr[r] : self.target_ptr[r + 1]].tolist(),
            dict(zip(self.feature[features].tolist(), self.value[features].tolist(), strict=True)),
        )

    def rules(self) -> Iterable[Rule]:
        """Every rule."""
        return (self.rule(r) for r in range(len(self)))

    def chosen(self, rules: npt.NDArray[Any]) -> Grammar:
        """These rules, in this order."""
        source_ptr, source = stretches(self.source_ptr, self.source, rules)
        target_ptr, target = stretches(self.target_ptr, self.target, rules)
        feature_ptr, feature = stretches(self.feature_ptr, self.feature, rules)
        _, value = stretches(self.feature_ptr, self.value, rules)
        lhs = self.lhs[rules]
        return Grammar(self.symbols, lhs, source_ptr, source, target_ptr, target, feature_ptr, feature, value)

    def joined(self, others: Sequence[Grammar]) -> Grammar:
        """The rules of this grammar and then those of the others, which share its symbols."""
        every = [self, *[other for other in others if len(other)]]
        if len(every) == 1:
            return self

        def ptr(name: str) -> Ints:
            return pointers(np.concatenate([np.diff(getattr(grammar, name)) for grammar in every]))

        def flat(name: str) -> npt.NDArray[Any]:
            return np.concatenate([getattr(grammar, name) for grammar in every])

        return Grammar(
            self.symbols, flat("lhs"), ptr("source_ptr"), flat("source"), ptr("target_ptr"), flat("target"),
            ptr("feature_ptr"), flat("feature"), flat("value"),
        )  # fmt: skip


def pointers(lengths: npt.ArrayLike) -> Ints:
    """Where stretches of these lengths begin, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(np.asarray(lengths, np.int64))]).astype(np.int32)


def stretches(
    ptr: npt.NDArray[Any], values: npt.NDArray[Number], chosen: npt.NDArray[Any]
) -> tuple[Ints, npt.NDArray[Number]]:
    """The chosen stretches of ``values``, one after the other, with their pointers."""
    lengths = np.diff(ptr)[chosen]
    chosen_ptr = pointers(lengths)
    return chosen_ptr, values[np.arange(chosen_ptr[-1]) + np.repeat(ptr[chosen] - chosen_ptr[:-1], lengths)]


def _flat(stretches: Iterable[Sequence[int]]) -> Ints:
    return np.array(list(chain.from_iterable(stretches)), np.int32)
