"""A line to be translated, plain or with grammars of its own.

<seg id="0" grammar="first.gz" grammar1="second.gz">le chat noir</seg>
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kibitz.errors import InputError

_ATTRIBUTE = r'\s+([\w-]+)="([^"]*)"'
_SEGMENT = re.compile(rf"<seg((?:{_ATTRIBUTE})*)\s*>(.*)</seg>")
_BLANKS = " \t\r\n"
_GRAMMAR = re.compile(r"grammar\d*")


class Segment(NamedTuple):
    """What is to be translated, and the grammar files that are for it alone."""

    text: str
    grammars: tuple[str, ...] = ()

    @property
    def is_lattice(self) -> bool:
        """Whether the text is in Python Lattice Format."""
        return self.text.startswith("((")


def segment_of(line: str) -> Segment:
    """A line, taken out of its markup where it has any."""
    line = line.strip(_BLANKS)
    if not line.startswith("<seg"):
        return Segment(line)
    match = _SEGMENT.fullmatch(line)
    if match is None:
        raise InputError('a segment should be written <seg id="0" grammar="FILE">words</seg>')
    attributes = re.findall(_ATTRIBUTE, match[1])
    return Segment(
        match[4].strip(_BLANKS), tuple([value for name, value in attributes if _GRAMMAR.fullmatch(name)])
    )
