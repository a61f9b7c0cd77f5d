"""Schemes that write typed spans as one label a token, and the steps that each of them makes impossible.

A label is a prefix, or a prefix and a type: ``O``, ``B``, ``I-NP``, ``B-PER-X`` (the type begins after the
first hyphen). The strict rules, with ``O`` standing before the first token and after the last:

========  =======  ==================================================================
scheme    also     a step is possible when
========  =======  ==================================================================
`bio`     `iob2`   ``I-X`` comes right after ``B-X`` or ``I-X``
`iob1`             ``B-X`` comes right after ``B-X`` or ``I-X``
`iobes`            ``I-X``/``E-X`` come right after ``B-X``/``I-X``, and only they do
========  =======  ==================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kibitz.errors import InputError

OUTSIDE = "O"
_PREFIXES = {"bio": "OBI", "iob1": "OBI", "iobes": "OBIES"}
_ALIASES = {"iob2": "bio"}


class Parts(NamedTuple):
    """A label in two: its prefix and its type (empty for ``O``, and for a label that names no type)."""

    prefix: str
    type: str


class Fault(NamedTuple):
    """Where a sequence of labels first breaks its scheme: the token's index and what is wrong there."""

    position: int
    message: str


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way to write spans as labels; get one with `scheme_from`."""

    name: str

    @property
    def prefixes(self) -> str:
        """The prefixes that a label of this scheme may have."""
        return _PREFIXES[self.name]

    def parts(self, label: str) -> Parts:
        """The label's prefix and type; an `InputError` names a label that the scheme does not have."""
        prefix, _, kind = label.partition("-")
        if len(prefix) != 1 or prefix not in self.prefixes or (prefix == OUTSIDE and label != OUTSIDE):
            known = ", ".join(OUTSIDE if p == OUTSIDE else f"{p}-TYPE" for p in self.prefixes)
            raise InputError(
                f"the label {label!r} is not one of the scheme {self.name!r}, whose labels are {known}: "
                "name the scheme that the data is written in, or correct the label"
            )
        return Parts(prefix, kind)

    def allows(self, previous: str, following: str) -> bool:
        """Whether `following` may come right after `previous`; `O` stands for either end of the sentence."""
        before, after = self.parts(previous), self.parts(following)
        same = before.type == after.type
        if self.name == "bio":
            return after.prefix != "I" or (before.prefix in "BI" and same)
        if self.name == "iob1":
            return after.prefix != "B" or (before.prefix in "BI" and same)
        inside, goes_on = before.prefix in "BI", after.prefix in "IE"
        return same if inside and goes_on else inside == goes_on

    def forbidden(self, labels: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """The pairs of labels (previous, next) that can never stand side by side."""
        return tuple((a, b) for a in labels for b in labels if not self.allows(a, b))

    def initial(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The labels that may open a sentence."""
        return tuple(label for label in labels if self.allows(OUTSIDE, label))

    def final(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The labels that may close a sentence."""
        return tuple(label for label in labels if self.allows(label, OUTSIDE))


def scheme_from(name: str) -> Scheme:
    """The scheme called `name`: ``bio`` (also ``iob2``), ``iob1`` or ``iobes``, in any case."""
    lower = name.lower()
    canonical = _ALIASES.get(lower, lower)
    if canonical not in _PREFIXES:
        names = ", ".join([*_PREFIXES, *_ALIASES])
        raise InputError(f"there is no label scheme called {name!r}: choose one of {names}")
    return Scheme(canonical)


def check(labels: Sequence[str], scheme: Scheme) -> Fault | None:
    """The first impossible step of a sequence, None where there is none; callers add file and line."""
    previous = OUTSIDE
    for position, label in enumerate(labels):
        if not scheme.allows(previous, label):
            place = f"follow {previous!r}" if position else "open a sentence"
            return Fault(position, f"{label!r} cannot {place} in the scheme {scheme.name!r}")
        previous = label
    if not scheme.allows(previous, OUTSIDE):
        return Fault(len(labels) - 1, f"{previous!r} cannot close a sentence in the scheme {scheme.name!r}")
    return None
