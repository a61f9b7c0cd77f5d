"""The spans of a sequence of labels, as conlleval reads them.

conlleval never rejects a sequence: it has rules for every pair of neighbours, and so the same reader serves
IOB1, IOB2, IOBES and impossible sequences. With O standing before the first token and after the last, and
"break" for "the previous prefix is O, E or S, or this prefix is O, B or S, or the two types differ":

- a span ends before this token where there is a break and the previous prefix is not O;
- a span starts at this token where there is a break and this prefix is not O.

(The first conlleval knew neither S nor a B after an E; these rules are those of its later versions, and of
seqeval.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.spaces.schemes import OUTSIDE, Parts, Scheme

_ANY = Scheme("iobes")  # its prefixes are those of all schemes


class Span(NamedTuple):
    """A typed stretch of tokens, from `start` up to but not including `stop`."""

    type: str
    start: int
    stop: int


def spans(labels: Sequence[str], scheme: Scheme = _ANY) -> list[Span]:
    """The spans of the labels in order; the scheme only says which prefixes are known."""
    found: list[Span] = []
    before, start = Parts(OUTSIDE, ""), 0
    for position, label in enumerate([*labels, OUTSIDE]):
        here = scheme.parts(label)
        if before.prefix in "OES" or here.prefix in "OBS" or before.type != here.type:
            if before.prefix != OUTSIDE:
                found.append(Span(before.type, start, position))
            start = position
        before = here
    return found
