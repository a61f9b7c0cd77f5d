"""A line to be translated, plain or with grammars and language models of its own.

<seg id="0" grammar="first.gz" grammar1="second.gz" model="LanguageModel=news.arpa.gz">le chat noir</seg>
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kibitz.errors import InputError

_ATTRIBUTE = r'\s+([\w-]+)="([^"]*)"'
_SEGMENT = re.compile(rf"<seg((?:{_ATTRIBUTE})*)\s*>(.*)</seg>")
_BLANKS = " \t\r\n"
_GRAMMAR, _MODEL = re.compile(r"grammar\d*"), re.compile(r"model\d*")


class Segment(NamedTuple):
    """What is to be translated, and the files that are for it alone.

    A language model, by its name, takes the place of the one that the system has under that name. Grammars are used
    beside the system's, or ``alone``.
    """

    text: str
    grammars: tuple[str, ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    alone: bool = False

    def with_grammar(self, path: str | None) -> Segment:
        """The same with a grammar that has all the rules for it, where there is one."""
        return self if path is None else self._replace(grammars=(*self.grammars, path), alone=True)

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
    grammars = tuple([value for name, value in attributes if _GRAMMAR.fullmatch(name)])
    models = tuple([_named(value) for name, value in attributes if _MODEL.fullmatch(name)])
    if len(dict(models)) < len(models):
        raise InputError("a segment should name one file for each language model")
    return Segment(match[4].strip(_BLANKS), grammars, models)


def _named(value: str) -> tuple[str, str]:
    name, _, path = value.partition("=")
    if not name or not path:
        raise InputError(f'the language model of a segment should be model="NAME=FILE", not {value!r}')
    return name, path
