"""Inputs for a chain: columns of words, or letters as pixels, with or without gold labels."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.data import parse_columns
from kibitz.data.columns import Sentence
from kibitz.data.letters import parse_letters
from kibitz.data.lines import STANDARD_INPUT, called
from kibitz.data.packed import read_bytes
from kibitz.errors import InputError
from kibitz.features import Pixels, Plain
from kibitz.spaces.chain import Chain
from kibitz.tasks.inputs.input import Input


def read_inputs(space: Chain, columns: int | None, path: str | Path, *, gold: bool) -> list[Input]:
    """The inputs of a file; with `gold`, every token must end in its label.

    `columns` is how many a model of words reads; None: all of the file.
    """
    data = sys.stdin.buffer.read() if str(path) == STANDARD_INPUT else read_bytes(path)
    where, extractor = called(path), space.extractor
    if isinstance(extractor, Pixels) and data.split(b"\n", 1)[0].count(b"\t") > 6:
        return [picture_input(pixels, letters) for pixels, letters, _ in parse_letters(data, where)]
    sentences = parse_columns(data, where)
    needed = 1 if isinstance(extractor, Pixels) else columns
    reads = _input_columns(needed, sentences, where, gold=gold)
    return [_input(extractor, sentence, reads, where, gold=gold) for sentence in sentences]


def picture_input(pixels: Any, letters: tuple[str, ...]) -> Input:
    """A handwritten word, a line of digits for each letter."""
    lines = tuple("".join(map(str, letter)) for letter in pixels.tolist())
    return Input(pixels, lines=lines, gold=letters)


def _input_columns(needed: int | None, sentences: Sequence[Sentence], where: str, *, gold: bool) -> int:
    """How many columns of the file the model reads."""
    have = len(sentences[0][0])
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
        return Input(_letters(extractor, words, where), lines=lines, gold=labels)
    raw: Any = [list(token) for token in tokens] if isinstance(extractor, Plain) else tokens
    return Input(raw, words, lines, gold=labels)


def _letters(extractor: Pixels, words: Sequence[str], where: str) -> Any:
    size = extractor.height * extractor.width
    for word in words:
        if len(word) != size or set(word) - {"0", "1"}:
            raise InputError(f"{where}: a letter should be {size} digits that are 0 or 1, not {word[:20]!r}.")
    return np.array([[int(digit) for digit in word] for word in words], dtype=np.uint8)
