"""Inputs for a saved model from a file: columns of words, or letters as pixels, with or without gold."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.data import parse_columns
from kibitz.data.columns import Sentence
from kibitz.data.letters import parse_letters
from kibitz.data.packed import read_bytes
from kibitz.errors import InputError
from kibitz.features import Pixels, Plain
from kibitz.tasks.models import SavedModel

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Input:
    """One input: what the model reads, the words people read (none in a picture), its lines in the file."""

    raw: Any
    words: tuple[str, ...]
    lines: tuple[str, ...]
    gold: tuple[str, ...] | None = None


def read_inputs(model: SavedModel, path: str | Path, *, gold: bool) -> list[Input]:
    """The inputs of a file; with `gold`, every token must end in its label."""
    data = sys.stdin.buffer.read() if str(path) == STANDARD_INPUT else read_bytes(path)
    where = "standard input" if str(path) == STANDARD_INPUT else str(path)
    extractor = model.space.extractor
    if isinstance(extractor, Pixels) and data.split(b"\n", 1)[0].count(b"\t") > 6:
        return [
            Input(pixels, (), tuple("".join(map(str, letter)) for letter in pixels.tolist()), letters)
            for pixels, letters, _ in parse_letters(data, where)
        ]
    sentences = parse_columns(data, where)
    columns = _input_columns(model, sentences, where, gold=gold)
    return [_input(extractor, sentence, columns, where, gold=gold) for sentence in sentences]


def _input_columns(model: SavedModel, sentences: Sequence[Sentence], where: str, *, gold: bool) -> int:
    """How many columns of the file the model reads."""
    have, needed = len(sentences[0][0]), model.columns
    if isinstance(model.space.extractor, Pixels):
        needed = 1
    if needed is None:
        needed = have - gold
    if have < needed + gold:
        label = ", and the label last" if gold else ""
        raise InputError(
            f"{where} has {have} columns, but the model reads {needed}{label}: give the file the columns "
            "that the model learnt from."
        )
    if needed < 1:
        raise InputError(f"{where} has one column only: it should have at least a word and, last, a label.")
    return needed


def _input(extractor: Any, sentence: Sentence, columns: int, where: str, *, gold: bool) -> Input:
    tokens = [token[:columns] for token in sentence]
    labels = tuple(token[-1] for token in sentence) if gold else None
    lines = tuple(" ".join(token) for token in sentence)
    words = tuple(token[0] for token in tokens)
    if isinstance(extractor, Pixels):
        return Input(_letters(extractor, words, where), (), lines, labels)
    raw: Any = [list(token) for token in tokens] if isinstance(extractor, Plain) else tokens
    return Input(raw, words, lines, labels)


def _letters(extractor: Pixels, words: Sequence[str], where: str) -> Any:
    size = extractor.height * extractor.width
    for word in words:
        if len(word) != size or set(word) - {"0", "1"}:
            raise InputError(f"{where}: a letter should be {size} digits that are 0 or 1, not {word[:20]!r}.")
    return np.array([[int(digit) for digit in word] for word in words], dtype=np.uint8)


def own_inputs(model: SavedModel) -> list[Input]:
    """What the model's task learns from, read again."""
    recipe = model.recipe
    if recipe is None:
        raise InputError(f"The model {model.path} does not know its task: name a FILE with inputs.")
    if recipe.task == "sequence":
        assert recipe.train is not None
        return read_inputs(model, recipe.train, gold=True)
    if recipe.task == "chunking":
        from kibitz.data import conll2000

        return [
            Input(raw, tuple(word for word, _ in raw), tuple(map(" ".join, raw)), gold)
            for raw, gold in conll2000.load().train
        ]
    from kibitz.data import letters

    return [Input(raw, (), (), gold) for raw, gold in letters.load().train]
