"""Input that already is a list of attributes for each position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.errors import InputError
from kibitz.features.extractor import Attribute


@dataclass(frozen=True, slots=True)
class Plain:
    """Takes `[[attribute, ...], ...]`, a list for each position; an attribute is a name or (name, value)."""

    def extract(self, raw: Sequence[Sequence[Attribute]]) -> list[list[Attribute]]:
        return [[_checked(attribute, place) for attribute in position] for place, position in enumerate(raw)]

    def settings(self) -> dict[str, Any]:
        return {"kind": "plain"}


def _checked(attribute: Attribute, place: int) -> Attribute:
    if isinstance(attribute, str):
        return attribute
    try:
        name, value = attribute
        number = float(value)
    except (TypeError, ValueError):
        name, number = None, math.nan
    if not isinstance(name, str) or not math.isfinite(number):
        raise InputError(
            f"Position {place} has the attribute {attribute!r}: it should be a name or (name, finite number)."
        )
    return name, number
