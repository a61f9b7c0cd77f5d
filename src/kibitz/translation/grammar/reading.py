"""Grammar files as cdec and its kin have them: a rule a line, plain, .gz or .xz.

    [X] ||| le [X,1] noir ||| the black [1] ||| Lexical=0.7 Count=1.2 ||| 0-0 2-1

A feature without a name is called PhraseModel_0, PhraseModel_1, ... by its place. The word alignment at the end may be
left out, as may the features.
"""

from __future__ import annotations

import re
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kibitz.data.packed import read_bytes
from kibitz.errors import InputError
from kibitz.translation.grammar.grammar import Grammar, Ints, Rule
from kibitz.translation.grammar.scanning import CATEGORY, FEATURE, POWERS, WORD, Scanned, scan
from kibitz.translation.grammar.symbols import Symbols

_CATEGORY = re.compile(r"\[([^\[\],\s]+)(?:,(\d+))?\]")
_SLOT = re.compile(r"\[(?:[^\[\],\s]+,)?(\d+)\]")
_FORM = "[X] ||| source words and [X,1] ||| target words and [1] ||| Name=value ..."


class GrammarFiles(NamedTuple):
    """Files that make one grammar when they are read."""

    paths: tuple[str, ...]
    symbols: Symbols

    def read(self) -> Grammar:
        """The rules of all files."""
        return Grammar.of([], self.symbols).joined([read_grammar(path, self.symbols) for path in self.paths])


def read_grammar(path: str | Path, symbols: Symbols) -> Grammar:
    """The grammar in a file; its words, categories and features get their numbers from ``symbols``."""
    return parse_grammar(read_bytes(path), str(path), symbols)


def parse_grammar(data: bytes, where: str, symbols: Symbols) -> Grammar:
    """The grammar in a file's bytes; ``where`` is what messages call the file."""
    found = Scanned(*scan(np.frombuffer(data, np.uint8), POWERS))
    numbers = _numbers(found, data, where, symbols)
    for place, begin, end in found.long.reshape(-1, 3).tolist():
        found.value[place] = float(data[begin:end])
    target = np.where(found.target < 0, found.target, numbers[np.maximum(found.target, 0)])
    source = numbers[np.where(found.source < 0, -1 - found.source, found.source)]
    plain = Grammar(
        symbols, numbers[found.lhs], found.source_ptr, np.where(found.source < 0, -1 - source, source),
        found.target_ptr, target, found.feature_ptr, _features_of(found, numbers, symbols), found.value,
    )  # fmt: skip
    odd = found.odd.reshape(-1, 4).tolist()
    rules = [_read(data[begin:end], f"{where}:{line}", symbols) for begin, end, line, _ in odd]
    order = np.argsort([*range(len(plain)), *[before - 0.5 for *_, before in odd]], kind="stable")
    return plain.joined([Grammar.of(rules, symbols)]).chosen(order) if rules else plain


def _numbers(found: Scanned, data: bytes, where: str, symbols: Symbols) -> Ints:
    """The number of each token among its kind's."""
    numbers = np.zeros(len(found.token_kind), np.int32)
    tables = {WORD: symbols.words, CATEGORY: symbols.categories, FEATURE: symbols.features}
    for t, (begin, end, kind) in enumerate(
        zip(found.token_start.tolist(), found.token_end.tolist(), found.token_kind.tolist(), strict=True)
    ):
        try:
            numbers[t] = tables[kind].number(data[begin:end].decode("utf-8"))
        except UnicodeDecodeError as error:
            raise _mis_encoded(f"{where}:{found.token_line[t]}") from error
    return numbers


def _features_of(found: Scanned, numbers: Ints, symbols: Symbols) -> Ints:
    """The numbers of features, those without a name called by their places."""
    nameless = found.feature < 0
    places = -1 - found.feature[nameless]
    called = [
        symbols.features.number(f"PhraseModel_{i}") for i in range(1 + max(places.tolist(), default=-1))
    ]
    features = numbers[np.maximum(found.feature, 0)] if len(numbers) else np.zeros(0, np.int32)
    features[nameless] = np.array(called, np.int32)[places]
    return features


def _read(line: bytes, where: str, symbols: Symbols) -> Rule:
    try:
        return _rule(line.decode("utf-8"), symbols)
    except UnicodeDecodeError as error:
        raise _mis_encoded(where) from error
    except InputError as error:
        raise InputError(f"{where}: {error}.") from error


def _mis_encoded(where: str) -> InputError:
    return InputError(f"{where}: this line is not UTF-8: convert the file to UTF-8.")


def _rule(line: str, symbols: Symbols) -> Rule:
    fields = _fields(line)
    if not 3 <= len(fields) <= 5:
        raise InputError(f"this rule has {len(fields)} fields, it should look like {_FORM}")
    head = _CATEGORY.fullmatch(" ".join(fields[0]))
    if head is None or head[2]:
        raise InputError(f"{' '.join(fields[0])!r} is no category such as [X], it should look like {_FORM}")
    source, places = _source(fields[1], symbols)
    target = _target(fields[2], places, symbols)
    features = _features(fields[3], symbols) if len(fields) > 3 else {}
    return Rule(symbols.categories.number(head[1]), source, target, features)


def _fields(line: str) -> list[list[str]]:
    """The tokens of each field; no others part them than blanks, tabs and a return at the end."""
    found: list[list[str]] = [[]]
    for token in line.replace("\t", " ").replace("\r", " ").split(" "):
        if token == "|||":
            found.append([])
        elif token:
            found[-1].append(token)
    return found


def _source(tokens: list[str], symbols: Symbols) -> tuple[list[int], dict[int, int]]:
    """The symbols of a source side, and the place of each numbered category among its categories."""
    if not tokens:
        raise InputError("the source side is empty: it should have at least one word or category")
    source: list[int] = []
    places: dict[int, int] = {}
    for token in tokens:
        match = _CATEGORY.fullmatch(token) if token[0] == "[" else None
        if match is None:
            source.append(symbols.words.number(token))
            continue
        index = int(match[2]) if match[2] else len(places) + 1
        if index in places:
            raise InputError(f"the source side has number {index} twice: give each category its own")
        places[index] = len(places)
        source.append(-1 - symbols.categories.number(match[1]))
    return source, places


def _target(tokens: list[str], places: dict[int, int], symbols: Symbols) -> list[int]:
    target, said = [], set()
    for token in tokens:
        match = _SLOT.fullmatch(token) if token[0] == "[" else None
        if match is None:
            target.append(symbols.words.number(token))
            continue
        index = int(match[1])
        if index not in places or index in said:
            what = "twice" if index in said else "but the source side has no such number"
            raise InputError(f"the target side says {token} {what}: each category should be said once")
        said.add(index)
        target.append(-1 - places[index])
    if len(said) != len(places):
        missing = min(set(places) - said)
        raise InputError(
            f"the target side lacks [{missing}]: each category of the source should be said once"
        )
    return target


def _features(tokens: list[str], symbols: Symbols) -> dict[int, float]:
    features: dict[int, float] = {}
    for place, token in enumerate(tokens):
        name, sign, number = token.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if not isfinite(value) or (sign and not name):
            raise InputError(f"the feature {token!r} should be Name=value with a finite number")
        feature = symbols.features.number(name if sign else f"PhraseModel_{place}")
        features[feature] = features.get(feature, 0.0) + value
    return features
