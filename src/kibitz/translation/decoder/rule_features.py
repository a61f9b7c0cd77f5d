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
from math import log
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.translation.decoder.applications import NO_ENTRIES, Entries, joined
from kibitz.translation.decoder.written import Written, written
from kibitz.translation.grammar.grammar import Grammar
from kibitz.translation.language_model import UNKNOWN, LanguageModel

WORD = -1 / log(10)
Named = Iterator[tuple[str, float]]


def _identity(rule: Written) -> Named:
    yield f"R:{rule.lhs}:{rule.source.text}:{rule.target.text}", 1.0


def _source_bigram(rule: Written) -> Named:
    return ((f"RBS:{bigram}", 1.0) for bigram in rule.source.bigrams)


def _target_bigram(rule: Written) -> Named:
    return ((f"RBT:{bigram}", 1.0) for bigram in rule.target.bigrams)


def _shape(rule: Written) -> Named:
    yield f"Shape_S{rule.source.places}_T{rule.target.places}", 1.0


# A side, and what each of its words counts.
COUNTS = {"WordPenalty": ("target", WORD), "SourceWordPenalty": ("source", WORD)}
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
    number = rules.symbols.features.number
    return Entries.of(
        [
            (r, number(name), value)
            for r, rule in enumerate(written(rules))
            for kind in kinds
            for name, value in kind(rule)
        ]
    )
