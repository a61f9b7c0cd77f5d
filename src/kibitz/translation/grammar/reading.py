"""Grammar files as cdec and its kin have them: a rule a line, plain, .gz or .xz.

    [X] ||| le [X,1] noir ||| the black [1] ||| Lexical=0.7 Count=1.2 ||| 0-0 2-1

A feature without a name is called PhraseModel_0, PhraseModel_1, ... by its place. The word alignment at the end may be
left out, as may the features.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from kibitz.data.packed import read_bytes
from kibitz.errors import InputError
from kibitz.translation.grammar.grammar import Grammar, Rule
from kibitz.translation.grammar.symbols import Symbols

_CATEGORY = re.compile(r"\[([^\[\],\s]+)(?:,(\d+))?\]")
_SLOT = re.compile(r"\[(?:[^\[\],\s]+,)?(\d+)\]")
_BLANKS = " \t\r"  # and no others: words may hold the exotic blanks of Unicode
_FORM = "[X] ||| source words and [X,1] ||| target words and [1] ||| Name=value ..."


def read_grammar(path: str | Path, symbols: Symbols) -> Grammar:
    """The grammar in a file; its words, categories and features get their numbers from ``symbols``."""
    return parse_grammar(read_bytes(path), str(path), symbols)


def parse_grammar(data: bytes, where: str, symbols: Symbols) -> Grammar:
    """The grammar in a file's bytes; ``where`` is what messages call the file."""
    return Grammar.of(_rules(data, where, symbols), symbols)


def _rules(data: bytes, where: str, symbols: Symbols) -> Iterator[Rule]:
    for number, raw in enumerate(data.split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{where}:{number}: this line is not UTF-8: convert the file to UTF-8."
            ) from error
        if not line.strip(_BLANKS):
            continue
        try:
            yield _rule(line, symbols)
        except InputError as error:
            raise InputError(f"{where}:{number}: {error}.") from error


def _rule(line: str, symbols: Symbols) -> Rule:
    fields = [field.strip(_BLANKS) for field in line.split("|||")]
    if not 3 <= len(fields) <= 5:
        raise InputError(f"this rule has {len(fields)} fields, it should look like {_FORM}")
    head = _CATEGORY.fullmatch(fields[0])
    if head is None or head[2]:
        raise InputError(f"{fields[0]!r} is no category such as [X], it should look like {_FORM}")
    source, places = _source(_tokens(fields[1]), symbols)
    target = _target(_tokens(fields[2]), places, symbols)
    features = _features(_tokens(fields[3]), symbols) if len(fields) > 3 else {}
    return Rule(symbols.categories.number(head[1]), source, target, features)


def _tokens(text: str) -> list[str]:
    return [token for token in text.replace("\t", " ").split(" ") if token]


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
