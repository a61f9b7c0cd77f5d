"""What a template can read off a word besides the word itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_RUNS = re.compile(r"(.)\1+")


def shape(word: str) -> str:
    """The kinds of a word's characters, runs as one: McDonald's -> XxXx'x, 1,024 -> 9,9."""
    return _RUNS.sub(r"\1", _DIGIT.sub("9", _LETTER.sub(_case, word)))


def _case(letter: re.Match[str]) -> str:
    return "X" if letter[0].isupper() else "x"


def _prefix(length: int) -> Callable[[str], str]:
    return lambda word: word[:length]


def _suffix(length: int) -> Callable[[str], str]:
    return lambda word: word[-length:]


def _functions() -> Iterator[tuple[str, Callable[[str], str]]]:
    yield "lower", str.lower
    yield "shape", shape
    for length in range(1, 7):
        yield f"prefix{length}", _prefix(length)
        yield f"suffix{length}", _suffix(length)


FUNCTIONS: dict[str, Callable[[str], str]] = dict(_functions())
"""By the name they have in templates: `suffix3(w[0])`."""
