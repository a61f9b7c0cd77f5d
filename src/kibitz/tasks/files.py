"""The user's column files as examples: read, checked, and found again by line for messages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.data import Example, labelled, parse_columns
from kibitz.data.packed import read_bytes
from kibitz.errors import InputError


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """A column file whose last column is the label."""

    path: str
    checksum: str
    examples: Sequence[Example]

    @property
    def columns(self) -> int:
        """How many columns the input has: all but the label."""
        return len(self.examples[0][0][0])

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, sorted."""
        return tuple(sorted({label for _, gold in self.examples for label in gold}))

    def line(self, sentence: int, position: int) -> int:
        """The line of a token, counted from 1."""
        tokens = sum(len(gold) for _, gold in self.examples[:sentence]) + position
        for number, line in enumerate(read_bytes(self.path).split(b"\n"), start=1):
            if line.strip():
                tokens -= 1
                if tokens < 0:
                    return number
        raise AssertionError("the file has changed while it was read")

    def line_of(self, label: str) -> int:
        """The line where a label occurs first."""
        for sentence, (_, gold) in enumerate(self.examples):
            if label in gold:
                return self.line(sentence, gold.index(label))
        raise AssertionError(f"{self.path} has no label {label}")


def read_labelled(path: str | Path) -> LabelledFile:
    """A file that must have at least a word and a label in every line."""
    data = read_bytes(path)
    examples = labelled(parse_columns(data, str(path)), str(path))
    return LabelledFile(str(path), hashlib.sha256(data).hexdigest(), examples)


def same_columns(file: LabelledFile, train: LabelledFile) -> None:
    """Refuse a file that lacks, or adds, a column."""
    if file.columns != train.columns:
        raise InputError(
            f"{file.path}:{file.line(0, 0)}: this file has {file.columns + 1} columns where {train.path} has "
            f"{train.columns + 1}: give both the same columns in the same order, the label last."
        )
