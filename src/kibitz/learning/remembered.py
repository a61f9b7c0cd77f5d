"""A judgement as a learner remembers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.learning.answer import Answer
from kibitz.spaces.protocol import Structure


@dataclass(frozen=True, slots=True, eq=False)
class Remembered:
    """A judgement: what was shown of which input, how likely that was then, what was heard of it.

    ``judgement`` is its number, ``gain`` how far to go towards an output that was told. Where only the best of each
    input is kept, ``key`` knows the input again, of which ``count`` losses were heard, with this ``mean``.
    """

    x: Any
    structures: tuple[Structure, ...]
    densities: tuple[float, ...]
    answer: Answer
    judgement: int
    key: int = 0
    gain: float = 1.0
    count: int = 0
    mean: float = 0.0
