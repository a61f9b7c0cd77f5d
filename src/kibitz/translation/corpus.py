"""Many sentences with their references: all are parsed once, so that every feature has its number, and some are kept.

A parse takes more memory than a file has sentences to spare: those beyond ``KEPT`` are parsed anew when they are asked
for. The first ones are kept, not the last, so that one look at all of them in order does not lose what was kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kibitz.spaces.protocol import Examples
from kibitz.translation.decoder.sentence import Sentence

KEPT = 2_000


class Sentences(Examples):
    """Encoded sentences; ``raws`` may be Sentence objects already."""

    def __init__(
        self, encode: Callable[[Any], Sentence], raws: Iterable[Any], golds: Iterable[Any] | None = None
    ) -> None:
        inputs: list[Any] = []
        for raw in raws:
            encoded = encode(raw)
            inputs.append(encoded if len(inputs) < KEPT else raw)
        super().__init__(inputs, None if golds is None else list(golds))
        self._encode = encode

    def __getitem__(self, i: int) -> Sentence:
        return self._encode(super().__getitem__(i))

    def subset(self, indices: Sequence[int]) -> Sentences:
        golds = [self.gold_of(i) for i in indices] if self.has_gold else None
        return Sentences(self._encode, [self[i] for i in indices], golds)
