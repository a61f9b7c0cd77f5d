"""Judgements that are remembered, to be taken again."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kibitz.errors import InputError
from kibitz.learning.best import best_of, key_of
from kibitz.learning.remembered import Remembered
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Floats, Space

OF = ("judgements", "best")


@dataclass(frozen=True, slots=True)
class Replay:
    """How remembered judgements are taken again: so many ``steps`` after each new one.

    They are chosen evenly among the last ``size``, none older than ``age`` judgements. Their importance weights are
    cut off at ``clip`` (0: never) and, where ``normalised``, divided by their mean so far. ``of`` is
    ``judgements``, or ``best``: then the step goes towards the best output that was seen of an input.
    """

    steps: int = 1
    age: int | None = None
    size: int = 10_000
    clip: float = 1.0
    normalised: bool = False
    of: str = "judgements"

    def __post_init__(self) -> None:
        for name, value in (("steps", self.steps), ("age", self.age), ("size", self.size)):
            if value is not None and (isinstance(value, bool) or value < 1 or value != int(value)):
                raise InputError(f"the {name} of a replay is a whole number of at least 1, not {value!r}")
        if not 0.0 <= self.clip < math.inf:
            raise InputError(f"importance weights are clipped at a number above 0, or not (0): {self.clip!r}")
        if self.of not in OF:
            raise InputError(f"a replay is of {' or '.join(OF)}, not {self.of!r}")


class Memory:
    """The judgements that a replay chooses from, oldest first; ``shares`` are the number and mean of their weights."""

    def __init__(self, replay: Replay, seed: int) -> None:
        self.replay = replay
        self.entries: deque[Remembered] = deque()
        self.best: dict[int, Remembered] = {}
        self.random = Generator(seed, stream=5)
        self.shares: Floats = np.zeros(2)

    def keep(self, entry: Remembered, space: Space) -> None:
        """Remember a judgement; where only the best of each input is kept, in the place of what was known of it."""
        if self.replay.of == "best":
            key = key_of(entry, space)
            before = self.best.get(key)
            entry = best_of(entry, before, key, space)
            if before is not None:
                self.entries.remove(before)
            self.best[key] = entry
        self.entries.append(entry)
        if len(self.entries) > self.replay.size:
            self._drop()

    def chosen(self, now: int) -> Iterator[Remembered]:
        """Those to be taken again after judgement ``now``."""
        age = self.replay.age
        while self.entries and age is not None and now - self.entries[0].judgement > age:
            self._drop()
        for _ in range(self.replay.steps if self.entries else 0):
            yield self.entries[self.random.below(len(self.entries))]

    def share(self, weight: float) -> float:
        """An importance weight, clipped and normalised as wanted."""
        clipped = min(weight, self.replay.clip) if self.replay.clip else weight
        if not self.replay.normalised:
            return clipped
        self.shares[0] += 1.0
        self.shares[1] += (clipped - self.shares[1]) / self.shares[0]
        return float(clipped / self.shares[1]) if self.shares[1] > 0.0 else 0.0

    def _drop(self) -> None:
        self.best.pop(self.entries.popleft().key, None)
