"""Judgements that are remembered, to be taken again."""

from __future__ import annotations

import math
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.learning.answer import Answer
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Floats, Space, Structure

OF = ("judgements", "best")
PREFERRED = (
    0.5  # the gain of an output that was preferred: of the signed pair loss, each has half the difference
)
LATELY = 1_000.0  # losses


@dataclass(frozen=True, slots=True)
class Replay:
    """How remembered judgements are taken again: so many ``steps`` after each new one.

    They are chosen evenly among the last ``size``, none older than ``age`` judgements. Their importance weights are
    cut off at ``clip`` (0: never) and, where ``normalised``, divided by their mean so far. ``of`` is
    ``judgements``, or ``best``: then the step goes towards the best output that was seen of an input, by what that
    gains on the mean loss of late; of outputs that were compared, by a half towards the one that was preferred last.
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


@dataclass(frozen=True, slots=True, eq=False)
class Remembered:
    """A judgement: what was shown of which input, how likely that was then, what was heard of it.

    ``judgement`` is its number; ``key`` knows its input again where only the best of each is kept, and is 0 elsewhere.
    """

    x: Any
    structures: tuple[Structure, ...]
    densities: tuple[float, ...]
    answer: Answer
    judgement: int
    key: int = 0


class Memory:
    """The judgements that a replay chooses from, oldest first.

    ``shares`` are the number and the mean of importance weights, ``lately`` those of losses heard.
    """

    def __init__(self, replay: Replay, seed: int) -> None:
        self.replay = replay
        self.entries: deque[Remembered] = deque()
        self.best: dict[int, Remembered] = {}
        self.random = Generator(seed, stream=5)
        self.shares: Floats = np.zeros(2)
        self.lately: Floats = np.zeros(2)

    def keep(self, entry: Remembered, space: Space) -> None:
        """Remember a judgement; of the best outputs, only one that is no worse than that of its input before."""
        for loss in entry.answer.values:
            self.lately[0] = min(self.lately[0] + 1.0, LATELY)
            self.lately[1] += (loss - self.lately[1]) / self.lately[0]
        if self.replay.of == "best":
            found = _best_of(entry, space)
            if found is None or (found.key in self.best and _worse(found, self.best[found.key])):
                return
            if found.key in self.best:
                self.entries.remove(self.best[found.key])
            self.best[found.key] = entry = found
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

    def gain(self, entry: Remembered) -> float:
        """How far to go towards an output: all the way if it was told, else by what it is better than the mean."""
        return 1.0 if self.replay.of == "judgements" else max(0.0, float(self.lately[1]) - entry.answer.value)

    def _drop(self) -> None:
        self.best.pop(self.entries.popleft().key, None)


def _best_of(entry: Remembered, space: Space) -> Remembered | None:
    """The best output of a judgement as the one to go towards; None where none is known to be good."""
    answer = entry.answer
    if answer.kind == "pair" and answer.value != 0.0:
        place, loss = int(answer.value > 0.0), -PREFERRED
    elif answer.kind == "loss":
        place = int(np.argmin(answer.values))
        loss = answer.values[place]
    else:
        return None
    y = entry.structures[place]
    packed = space.pack(entry.x)
    key = zlib.crc32(b"".join(np.ascontiguousarray(packed[name]).tobytes() for name in packed))
    told = Answer("gold", value=loss, output=space.shown(entry.x, y))
    return Remembered(entry.x, (y,), (0.0,), told, entry.judgement, key)


def _worse(entry: Remembered, before: Remembered) -> bool:
    return entry.answer.value > before.answer.value
