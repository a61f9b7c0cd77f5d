"""A data set cut into what learns, what chooses, and what is reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Example = tuple[Any, tuple[str, ...]]
"""A raw input and its gold labels."""


@dataclass(frozen=True, slots=True)
class Split:
    """Train, dev and test; `checksum` names the bytes they were read from, for caches."""

    train: Sequence[Example]
    dev: Sequence[Example]
    test: Sequence[Example]
    checksum: str
