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

from kibitz.errors import InputError
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


Named = Iterator[tuple[str, float]]


def _word_penalty(rule: Written) -> Named:
    yield "WordPenalty", WORD * sum(rule.target_words)


def _source_word_penalty(rule: Written) -> Named:
    yield "SourceWordPenalty", WORD * sum(rule.source_words)


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


KINDS: dict[str, Callable[[Written], Named]] = {
    "WordPenalty": _word_penalty,
    "SourceWordPenalty": _source_word_penalty,
    "RuleIdentity": _identity,
    "RuleSourceBigram": _source_bigram,
    "RuleTargetBigram": _target_bigram,
    "RuleShape": _shape,
}
SPARSE = ("RuleIdentity", "RuleSourceBigram", "RuleTargetBigram", "RuleShape")


def _unknown(name: str, model: LanguageModel) -> Callable[[Written], Named]:
    def unknown(rule: Written) -> Named:
        pairs = zip(rule.target, rule.target_words, strict=True)
        count = sum(is_word and model.number(token) == UNKNOWN for token, is_word in pairs)
        yield f"{name}_OOV", float(count)

    return unknown


def rule_features(
    kinds: Sequence[str], models: Mapping[str, LanguageModel] = MappingProxyType({})
) -> Callable[[Written], dict[str, float]]:
    """The function that gives a rule's features of these kinds, and the words that each model does not know."""
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"there is no rule feature {kind!r}: there are {', '.join(KINDS)}")
    chosen = [KINDS[kind] for kind in kinds] + [_unknown(name, model) for name, model in models.items()]

    def features(rule: Written) -> dict[str, float]:
        total: dict[str, float] = {}
        for kind in chosen:
            for name, value in kind(rule):
                if value:
                    total[name] = total.get(name, 0.0) + value
        return total

    return features
