"""Forests read from files of any format, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kibitz.data.forests.cdec import CDEC
from kibitz.data.forests.format import Format, Named
from kibitz.data.forests.jsonl import JSONL
from kibitz.data.forests.lines import Lines
from kibitz.data.forests.moses import MOSES
from kibitz.errors import InputError

# The header of Moses begins as a comment of cdec does, so it is asked first.
FORMATS = {form.name: form for form in (JSONL, MOSES, CDEC)}


def format_of(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise InputError(f"There is no format {name!r} of forests: choose from {', '.join(FORMATS)}.")
    return FORMATS[name]


def read_forests(path: str | Path, form: str | None = None) -> Iterator[Named]:
    """The forests of a file; without a format, the file's first line tells."""
    return _parsed(Lines.of(path), form)


def read_forest(path: str | Path, form: str | None = None, *, id: str | None = None) -> Named:
    """The first forest of a file, or the one with that id."""
    seen: list[str] = []
    for named in read_forests(path, form):
        if id is None or named.id == id:
            return named
        seen.append(named.id)
    known = ", ".join(seen[:5]) + (" ..." if len(seen) > 5 else "")
    raise InputError(f"{path} has no forest {id!r}: its forests are {known}.")


def parse_forest(text: str, where: str = "forest", form: str | None = None) -> Named:
    """The first forest of a text; ``where`` is what messages call it."""
    lines = Lines(enumerate(text.split("\n"), start=1), where)
    return next(_parsed(lines, form))


def _parsed(lines: Lines, form: str | None) -> Iterator[Named]:
    chosen = _seen(lines) if form is None else format_of(form)
    found = False
    for named in chosen.parse(lines):
        found = True
        yield named
    if not found:
        raise InputError(f"{lines.where} is empty: it should have a forest.")


def _seen(lines: Lines) -> Format:
    while (line := lines.peek()) is not None and not line.strip():
        next(lines)
    if line is None:
        raise InputError(f"{lines.where} is empty: it should have a forest.")
    for form in FORMATS.values():
        if form.begins(line):
            return form
    raise lines.wrong(
        f"no forest begins with this line: a file of {JSONL.name} begins with {{, one of {MOSES.name} with "
        f"'# target', one of {CDEC.name} with [",
        lines.number + 1,
    )
