"""A judgement as a learner remembers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.learning.answer import Answer
from kibitz.spaces.protocol import Draw, Structure


@dataclass(frozen=True, slots=True, eq=False)
class Remembered:
    """A judgement: what was shown of which input, how likely that was then, what was heard of it.

    ``densities`` are of the structures, ``log_probs`` of what is shown of them. ``judgement`` is its number, ``gain``
    how far to go towards an output that was told. Where only the best of each input is kept, ``key`` knows the input
    again, of which ``count`` losses were heard, with this ``mean``.
    """

    x: Any
    structures: tuple[Structure, ...]
    densities: tuple[float, ...]
    log_probs: tuple[float, ...]
    answer: Answer
    judgement: int
    key: int = 0
    gain: float = 1.0
    count: int = 0
    mean: float = 0.0


def remembered(x: Any, draw: Draw, answer: Answer, judgement: int) -> Remembered:
    """What is to be remembered of a judgement."""
    densities, log_probs = (tuple(each.tolist()) for each in (draw.densities, draw.log_probs))
    return Remembered(x, draw.structures, densities, log_probs, answer, judgement)
