"""Grids of settings written on one line: `1e-3..1e-1` is spaced by the logarithm, `0,0.2,0.4` is a list."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from kibitz.errors import InputError


def values(option: str, text: str, kind: type = float, per_decade: int = 2) -> list[Any]:
    """The values that `text` stands for; a range has `per_decade` steps to every factor of ten."""
    found: list[Any] = []
    for part in text.split(","):
        if ".." in part:
            found += [kind(value) for value in _range(option, part, per_decade)]
        else:
            found.append(_number(option, part, kind))
    return list(dict.fromkeys(found))


def combinations(axes: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination of the axes' values, the last axis turning fastest."""
    for choice in product(*axes.values()):
        yield dict(zip(axes, choice, strict=True))


def _range(option: str, text: str, per_decade: int) -> Iterator[float]:
    low_text, _, high_text = text.partition("..")
    low, high = _number(option, low_text, float), _number(option, high_text, float)
    if not 0 < low < high:
        raise InputError(
            f"The range {text!r} of --{option} must go from a number above 0 up to a larger one."
        )
    steps = max(1, round(math.log10(high / low) * per_decade))
    for step in range(steps + 1):
        # 10 ** -2.5 is written 0.0032: two digits name a rate, more would only look exact.
        yield float(f"{low * (high / low) ** (step / steps):.2g}")


def _number(option: str, text: str, kind: type) -> Any:
    try:
        return kind(text.strip()) if kind is str else kind(float(text))
    except ValueError:
        raise InputError(
            f"{text.strip()!r} in --{option} is not a number; write 0.01, 1e-3..1e-1 or 0,0.2,0.4."
        ) from None
