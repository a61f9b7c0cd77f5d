"""Attributes hashed into a fixed number of slots: no names to keep, at the price of collisions.

One in seven of the 300,550 attributes of noun-phrase chunking shares its slot when there are 2 million,
and scattered numbers make training slower; use it when the attributes never end, not for speed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from kibitz.errors import InputError

_LARGEST = 2**31 - 1


class HashedVocabulary:
    """The interface of `Vocabulary` with a number of slots fixed from the start.

    The slot of a name is crc32(UTF-8 of the name) mod slots, the same in every process and on every machine
    (Python's own `hash` is salted anew at each start).
    """

    __slots__ = ("_slots",)

    def __init__(self, slots: int) -> None:
        if not 1 <= slots <= _LARGEST:
            raise InputError(f"A hashed vocabulary needs between 1 and {_LARGEST} slots, not {slots}.")
        self._slots = slots

    @property
    def frozen(self) -> bool:
        """Always true: nothing that is seen changes anything."""
        return True

    def freeze(self) -> None:
        """Nothing to do."""

    def number(self, name: str) -> int:
        return zlib.crc32(name.encode("utf-8", "surrogatepass")) % self._slots

    def numbers(self, names: Iterable[str]) -> list[int]:
        return [self.number(name) for name in names]

    def __len__(self) -> int:
        return self._slots

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def names(self) -> list[str]:
        """Stand-ins: a slot does not know which names fall into it."""
        return [f"#{slot}" for slot in range(self._slots)]

    def to_bytes(self) -> bytes:
        return str(self._slots).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> HashedVocabulary:
        digits = bytes(data)
        if not digits.isdigit():
            raise InputError("The stored hashed vocabulary is damaged: it should be the number of its slots.")
        return cls(int(digits))
