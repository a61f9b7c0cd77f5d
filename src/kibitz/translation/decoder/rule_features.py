"""Features that a rule has by what it looks like, named as cdec names them.

| kind | of the rule [X] -> le [X,1] noir / the black [1] |
| --- | --- |
| WordPenalty | -1 / ln 10 for each word of the target side |
| SourceWordPenalty | -1 / ln 10 for each word of the source side |
| RuleIdentity | R:X:le_NX_noir:the_black_N1 |
| RuleSourceBigram | RBS:<r>_le, RBS:le_X, RBS:X_noir, RBS:noir_</r> |
| RuleTargetBigram | RBT:<r>_the, RBT:the_black, RBT:black_N1, RBT:N1_</r> |
| LM_OOV | for each language model LM, the words of the target side that it does not know |
| RuleShape | Shape_S11100_T11000: which of the places word, category, word, category, word are taken on each side |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.translation.decoder.applications import NO_ENTRIES, Entries, joined
from kibitz.translation.grammar.grammar import Grammar, Rule
from kibitz.translation.language_model import UNKNOWN, LanguageModel

WORD = -1 / log(10)
PLACES = 5


class Written(NamedTuple):
    """A rule as it is written: categories and slots among the words by what stands for them, and by where."""

    lhs: str
    source: list[str]  # a category by its name
    target: list[str]  # slots as N1, N2
    source_words: list[bool]
    target_words: list[bool]

    @classmethod
    def of(cls, rule: Rule, words: Sequence[str], categories: Sequence[str]) -> Written:
        """A rule in numbers, written with these names."""
        return cls(
            categories[rule.lhs],
            [words[s] if s >= 0 else categories[-1 - s] for s in rule.source],
            [words[s] if s >= 0 else f"N{-s}" for s in rule.target],
            [s >= 0 for s in rule.source],
            [s >= 0 for s in rule.target],
        )


Named = Iterator[tuple[str, float]]


def _identity(rule: Written) -> Named:
    source = [
        token if is_word else "N" + token
        for token, is_word in zip(rule.source, rule.source_words, strict=True)
    ]
    yield f"R:{rule.lhs}:{'_'.join(source)}:{'_'.join(rule.target)}", 1.0


def _source_bigram(rule: Written) -> Named:
    return _bigrams("RBS", rule.source)


def _target_bigram(rule: Written) -> Named:
    return _bigrams("RBT", rule.target)


def _bigrams(prefix: str, tokens: Sequence[str]) -> Named:
    marked = ["<r>", *tokens, "</r>"]
    return ((f"{prefix}:{a}_{b}", 1.0) for a, b in pairwise(marked))


def _shape(rule: Written) -> Named:
    yield f"Shape_S{_places(rule.source_words)}_T{_places(rule.target_words)}", 1.0


def _places(words: Sequence[bool]) -> str:
    """Words stand at even places, categories at odd ones; a run of words takes one place."""
    taken: list[int] = []
    for is_word in words:
        place = taken[-1] if taken else -1
        if not is_word or place < 0 or place % 2 == 1:
            place += 1 if (place % 2 == 0) != is_word else 2
            taken.append(place)
    size = max(PLACES, taken[-1] + 1 if taken else 0)
    return "".join("1" if place in taken else "0" for place in range(size))


COUNTS = {
    "WordPenalty": ("target", WORD),
    "SourceWordPenalty": ("source", WORD),
}  # a side, and what a word counts
KINDS: dict[str, Callable[[Written], Named]] = {
    "RuleIdentity": _identity,
    "RuleSourceBigram": _source_bigram,
    "RuleTargetBigram": _target_bigram,
    "RuleShape": _shape,
}
SPARSE = ("RuleIdentity", "RuleSourceBigram", "RuleTargetBigram", "RuleShape")


def rule_features(
    kinds: Sequence[str], models: Mapping[str, LanguageModel] = MappingProxyType({})
) -> Callable[[Grammar], Entries]:
    """The function that gives rules their features of these kinds, and the words that each model does not know."""
    for kind in kinds:
        if kind not in COUNTS and kind not in KINDS:
            raise InputError(f"there is no rule feature {kind!r}: there are {', '.join((*COUNTS, *KINDS))}")
    chosen = [KINDS[kind] for kind in kinds if kind in KINDS]

    def features(rules: Grammar) -> Entries:
        counted = [_count(rules, kind, *COUNTS[kind]) for kind in kinds if kind in COUNTS]
        unknown = [_unknown(rules, name, model) for name, model in models.items()]
        return joined([*counted, *unknown, _each(rules, chosen)])

    return features


def _count(rules: Grammar, name: str, side: str, unit: float) -> Entries:
    """Units of the words of a side."""
    return _words(rules, name, side, getattr(rules, side) >= 0, unit)


def _unknown(rules: Grammar, name: str, model: LanguageModel) -> Entries:
    is_word = rules.target >= 0
    words, place = np.unique(rules.target[is_word], return_inverse=True)
    is_unknown = model.numbers(rules.symbols.words.named(words.tolist())) == UNKNOWN
    counts = np.zeros(len(is_word), np.bool_)
    counts[is_word] = is_unknown[place]
    return _words(rules, f"{name}_OOV", "target", counts, 1.0)


def _words(rules: Grammar, name: str, side: str, counts: npt.NDArray[np.bool_], unit: float) -> Entries:
    """A unit for each symbol of a side that counts."""
    of_symbol = np.repeat(np.arange(len(rules)), np.diff(getattr(rules, f"{side}_ptr")))
    total = np.bincount(of_symbol[counts], minlength=len(rules))
    rule = np.flatnonzero(total)
    if not len(rule):  # a feature that no rule has needs no weight
        return NO_ENTRIES
    return Entries(
        rule, np.full(len(rule), rules.symbols.features.number(name)), unit * total[rule].astype(np.float64)
    )


def _each(rules: Grammar, kinds: Sequence[Callable[[Written], Named]]) -> Entries:
    """The features of kinds that look at rules one by one."""
    if not kinds:
        return NO_ENTRIES
    names = rules.symbols.words.names(), rules.symbols.categories.names()
    number = rules.symbols.features.number
    return Entries.of(
        [
            (r, number(name), value)
            for r, rule in enumerate(rules.rules())
            for written in [Written.of(rule, *names)]
            for kind in kinds
            for name, value in kind(written)
        ]
    )
