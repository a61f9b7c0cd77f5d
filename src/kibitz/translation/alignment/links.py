"""Word alignments: links between the words of two sentences, written `0-0 1-2` (source-target, from 0)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.errors import InputError

_LINE = re.compile(r"\s*(?:[0-9]{1,5}-[0-9]{1,5}(?:\s+|$))*")


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The links of sentence s are numbers ``ptr[s]`` to ``ptr[s + 1]`` of ``source`` and ``target``."""

    ptr: NDArray[np.int64]
    source: NDArray[np.int32]
    target: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def lines(self) -> list[str]:
        """As text, a sentence a line."""
        written = [f"{i}-{j}" for i, j in zip(self.source.tolist(), self.target.tolist(), strict=True)]
        ptr = self.ptr.tolist()
        return [" ".join(written[a:b]) for a, b in pairwise(ptr)]


def parse_links(lines: Sequence[str], where: str) -> Links:
    """Links from text; `where` is what messages call the file."""
    for number, line in enumerate(lines, start=1):
        if not _LINE.fullmatch(line):
            raise InputError(
                f"{where}:{number}: {_first_wrong(line)!r} is no link: write the number of a source word, a dash and "
                "the number of a target word, both from 0, as in 0-0 1-2."
            )
    counts = np.array([line.count("-") for line in lines], np.int64)
    numbers = np.array(" ".join(lines).replace("-", " ").split(), np.int32)
    ptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return Links(ptr, numbers[0::2], numbers[1::2])


def check_links(
    links: Links, source: Sequence[str], target: Sequence[str], where: str, numbers: Sequence[int]
) -> None:
    """Each link leads from a word to a word; ``numbers`` has the line of each pair in the file."""
    sentence = np.repeat(np.arange(len(links)), np.diff(links.ptr))
    for name, ends, lines in (("source", links.source, source), ("target", links.target, target)):
        lengths: NDArray[Any] = np.array([len(line.split()) for line in lines], np.int64)
        wrong = np.flatnonzero(ends >= lengths[sentence])
        if len(wrong):
            pair = int(sentence[wrong[0]])
            raise InputError(
                f"{where}:{numbers[pair]}: there is a link to {name} word {ends[wrong[0]]}, and the sentence has "
                f"{lengths[pair]} words, numbered from 0: give the links of this very text."
            )


def _first_wrong(line: str) -> str:
    return next(word for word in line.split() if not re.fullmatch(r"[0-9]{1,5}-[0-9]{1,5}", word))
