"""What the text formats share: fields apart by |||, tokens apart by blanks, features as name=value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import isfinite

from kibitz.errors import InputError

BAR = "|||"
Wrong = Callable[[str], InputError]  # makes the error that a line is wrong


def fields(line: str) -> list[list[str]]:
    """The tokens of every field of a line."""
    found: list[list[str]] = [[]]
    for token in line.replace("\t", " ").split(" "):
        if token == BAR:
            found.append([])
        elif token:
            found[-1].append(token)
    return found


def features(
    tokens: Iterable[str], wrong: Wrong, parted: Callable[[str, str], tuple[str, str, str]]
) -> dict[str, float]:
    """The features of a field; ``parted`` says at which of its signs = a token is parted."""
    found: dict[str, float] = {}
    for token in tokens:
        name, equals, number = parted(token, "=")
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if not name or not equals or not isfinite(value) or "_" in number:
            raise wrong(f"{token!r} should be a feature, name=value, with a finite number")
        if name in found:
            raise wrong(f"the feature {name!r} is given twice")
        found[name] = value
    return found


def feature_text(values: Mapping[str, float], what: str) -> str:
    """The features as a field; ``what`` is what errors call the format."""
    for name in values:
        check_token(name, f"feature {name!r}", what)
    return " ".join(f"{name}={repr(value).removesuffix('.0')}" for name, value in values.items())


def check_token(token: str, called: str, what: str) -> None:
    """A token that stays one token when it is read again."""
    if not token or token == BAR or any(blank in token for blank in " \t\r\n"):
        raise InputError(
            f"the {called} cannot be written in {what}: it may not be empty, hold blanks or be {BAR}; write jsonl"
        )


def check_word(word: str, node: re.Pattern[str], what: str) -> None:
    """A word that stays one token, and is not taken for a node, when it is read again."""
    if node.fullmatch(word):
        raise InputError(f"the word {word!r} cannot be written in {what}, where it is a node; write jsonl")
    check_token(word, f"word {word!r}", what)


def note(line: str, key: str) -> str | None:
    """What a comment line says after its key: ``# id 7`` says 7."""
    opening = f"# {key} "
    return line.removeprefix(opening) if line.startswith(opening) else None


def check_note(text: str, called: str, what: str) -> str:
    """A text that a comment line can carry."""
    if "\n" in text or text.endswith("\r"):
        raise InputError(f"the {called} {text!r} cannot be written in {what}: it has a line end; write jsonl")
    return text


def count(token: str) -> int | None:
    """A number of things, or None where it is none."""
    return int(token) if token.isascii() and token.isdigit() and len(token) < 10 else None
