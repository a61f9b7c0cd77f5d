"""What a rule may look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kibitz.errors import InputError

LONGEST = 31  # a length of words that the five bits of a place can hold


class Bounds(NamedTuple):
    """The limits as kernels take them."""

    words: int
    symbols: int
    gaps: int
    gap: int
    adjacent: bool
    minimal: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of Hiero (Chiang 2007, section 3.2), where nothing else is said.

    An initial phrase has at most ``phrase`` words on either side and begins and ends with aligned words. A rule's
    source side has at most ``symbols`` words and gaps, at most ``gaps`` of these, each of ``gap`` words or more, and
    with a word between two of them unless they may be ``adjacent``; at least one of its words is aligned. In a
    sentence to be translated a rule covers at most ``span`` words.
    """

    phrase: int = 10
    span: int = 15
    symbols: int = 5
    gaps: int = 2
    gap: int = 1
    adjacent: bool = False

    def __post_init__(self) -> None:
        for name, least, most in (
            ("phrase", 1, LONGEST),
            ("span", 1, LONGEST),
            ("symbols", 1, 9),
            ("gaps", 0, 2),
            ("gap", 1, LONGEST),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(f"The limit {name} should be from {least} to {most}, not {value}.")

    def training(self) -> Bounds:
        """For the rules of an aligned pair."""
        return Bounds(self.phrase, self.symbols, self.gaps, self.gap, self.adjacent, False)

    def matching(self) -> Bounds:
        """For the source sides that match an input; a gap at the edge is as short as it may be, which is enough."""
        return Bounds(self.span, self.symbols, self.gaps, self.gap, self.adjacent, True)

    def most(self, words: int) -> int:
        """No sentence of so many words has more rules."""
        longest = max(self.phrase, self.span)
        # t words of a phrase lie around one gap in t + 1 ways, around two in (t + 1) (t + 2) / 2; what is left of the
        # phrase makes the one gap, and is parted into the two in fewer ways than the phrase has words.
        one = sum(t + 1 for t in range(1, self.symbols))
        two = sum((t + 1) * (t + 2) // 2 for t in range(1, self.symbols - 1))
        return words * longest * (1 + one + longest * two)
