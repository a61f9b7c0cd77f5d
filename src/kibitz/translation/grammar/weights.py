"""Weights files: ``Name value`` a line, as cdec has them; plain, .gz or .xz when read."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path

from kibitz.data.packed import read_bytes
from kibitz.errors import InputError


def read_weights(path: str | Path) -> dict[str, float]:
    """The weight of each feature that is named; blank lines and lines that begin with # count for nothing."""
    weights: dict[str, float] = {}
    for number, raw in enumerate(read_bytes(path).split(b"\n"), start=1):
        try:
            fields = [field.decode("utf-8") for field in raw.split()]
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}:{number}: this line is not UTF-8: convert the file to UTF-8."
            ) from error
        if not fields or fields[0].startswith("#"):
            continue
        try:
            name, value = fields[0], float(fields[1]) if len(fields) == 2 else float("nan")
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise InputError(f"{path}:{number}: this line should have a feature name and a finite number.")
        if name in weights:
            raise InputError(
                f"{path}:{number}: the feature {name} has a weight already: keep one of the two."
            )
        weights[name] = value
    return weights


def write_weights(path: str | Path, weights: Mapping[str, float]) -> None:
    """A line for each weight that is not zero, in the order given; what is written reads back the same."""
    lines = [f"{name} {value!r}\n" for name, value in weights.items() if value != 0.0]
    Path(path).write_text("".join(lines), encoding="utf-8")
