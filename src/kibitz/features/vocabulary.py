"""The numbers of the attributes, in order of first sight."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from kibitz.errors import InputError


class _Numbers(dict[str, int]):
    """A dictionary that answers a new name with the next number."""

    def __missing__(self, name: str) -> int:
        if "\n" in name:
            raise InputError(f"The attribute {name!r} contains a line break: take it out of the input.")
        number = len(self)
        self[name] = number
        return number


class Vocabulary:
    """Numbers names 0, 1, 2, ... as they come; once frozen, an unknown name has the number -1.

    First-sight order keeps training fast: attributes that occur together get weights that lie together.
    """

    __slots__ = ("_frozen", "_listed", "_numbers")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._numbers = _Numbers()
        self._listed: list[str] = []  # those of the names that were asked for by number
        self._frozen = False
        self.numbers(names)

    @property
    def frozen(self) -> bool:
        return self._frozen

    def freeze(self) -> None:
        self._frozen = True

    def number(self, name: str) -> int:
        return self._numbers.get(name, -1) if self._frozen else self._numbers[name]

    def numbers(self, names: Iterable[str]) -> list[int]:
        """The number of each name: the same as `number` on each, at a third of the time."""
        known = self._numbers
        if self._frozen:
            return [known.get(name, -1) for name in names]
        return [known[name] for name in names]

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def names(self) -> list[str]:
        """All names, the name with number i at place i."""
        return list(self._numbers)

    def named(self, numbers: Iterable[int]) -> list[str]:
        """The name of each number, at no cost for the names that there are beside them."""
        new = len(self._numbers) - len(self._listed)
        self._listed += reversed(list(islice(reversed(self._numbers), new)))
        listed = self._listed
        return [listed[number] for number in numbers]

    def to_bytes(self) -> bytes:
        """One name a line, UTF-8; lone surrogates pass, so that any Python string survives."""
        return "".join(f"{name}\n" for name in self._numbers).encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, data: bytes) -> Vocabulary:
        """The vocabulary that `to_bytes` wrote, frozen: the weights that go with it have their size."""
        try:
            lines = bytes(data).decode("utf-8", "surrogatepass").split("\n")
        except UnicodeDecodeError as error:
            raise InputError(f"The stored attribute names are damaged at byte {error.start}.") from error
        if lines.pop():
            raise InputError("The stored attribute names are cut short: their last line has no end.")
        vocabulary = cls(lines)
        if len(vocabulary) != len(lines):
            raise InputError("The stored attribute names are damaged: one of them occurs twice.")
        vocabulary.freeze()
        return vocabulary
