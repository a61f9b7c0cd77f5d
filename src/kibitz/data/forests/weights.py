"""Weights by name from a text file, as cdec and Moses write them.

cdec has a name and its number a line. In a file of Moses every name ends in =, and where one has several numbers, on
one line or on several, they are those of the features Name_1, Name_2, ...
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite, nan
from pathlib import Path

from kibitz.data.forests.lines import Lines
from kibitz.errors import InputError


def read_weights(path: str | Path) -> dict[str, float]:
    """The weights of a file; lines that begin with # and empty ones are passed over."""
    lines = Lines.of(path)
    found: list[tuple[int, str, list[float]]] = []
    for line in lines:
        name, *numbers = [token for token in line.replace("\t", " ").split(" ") if token] or ["#"]
        if not name.startswith("#"):
            values = [_number(number) for number in numbers]
            if not values or not all(map(isfinite, values)):
                raise lines.wrong("this line should be a name and a number, or Name= and numbers")
            found.append((lines.number, name, values))
    if not found:
        raise InputError(f"{lines.where} is empty: it should have a name and a number a line.")
    if all(name.endswith("=") for _, name, _ in found):
        return _numbered((name.removesuffix("="), values) for _, name, values in found)
    weights: dict[str, float] = {}
    for number, name, values in found:
        if len(values) > 1 or name in weights:
            again = "its weight was given before" if name in weights else f"not {len(values)}"
            raise lines.wrong(f"{name!r} should have one number in this file, {again}", number)
        weights[name] = values[0]
    return weights


def _numbered(found: Iterable[tuple[str, list[float]]]) -> dict[str, float]:
    several: dict[str, list[float]] = {}
    for name, values in found:
        several.setdefault(name, []).extend(values)
    return {
        name if len(values) == 1 else f"{name}_{i}": value
        for name, values in several.items()
        for i, value in enumerate(values, start=1)
    }


def _number(token: str) -> float:
    try:
        return nan if "_" in token else float(token)
    except ValueError:
        return nan
