"""Many sentences with their references.

A parse takes more memory than a file has sentences to spare: beyond ``KEPT`` they are made anew when they are asked
for. The first ones are kept, not the last, so that one look at all of them in order does not lose what was kept. Where
parses lie on disk, all of them do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from kibitz.spaces.protocol import Examples
from kibitz.translation.decoder.sentence import Sentence

KEPT = 500


class Parses(Protocol):
    """Sentences made ready, by their numbers."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int, /) -> Sentence: ...


class InMemory:
    """Sentences of which all were parsed once, so that every feature has its number, and some are kept."""

    def __init__(self, encode: Callable[[Any], Sentence], raws: Iterable[Any]) -> None:
        self._encode = encode
        self._inputs: list[Any] = []
        for raw in raws:
            encoded = encode(raw)
            self._inputs.append(encoded if len(self._inputs) < KEPT else raw)

    def __len__(self) -> int:
        return len(self._inputs)

    def __getitem__(self, i: int) -> Sentence:
        return self._encode(self._inputs[i])


class Sentences(Examples):
    """Some of the parses that there are, by their numbers, with their references."""

    def __init__(
        self, parses: Parses, golds: Iterable[Any] | None = None, numbers: Sequence[int] | None = None
    ) -> None:
        chosen = range(len(parses)) if numbers is None else numbers
        super().__init__(chosen, None if golds is None else list(golds))
        self._parses = parses

    def __getitem__(self, i: int) -> Sentence:
        return self._parses[super().__getitem__(i)]

    def subset(self, indices: Sequence[int]) -> Sentences:
        golds = [self.gold_of(i) for i in indices] if self.has_gold else None
        return Sentences(self._parses, golds, [self._inputs[i] for i in indices])
