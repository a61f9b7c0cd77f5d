"""N-best lists from files, JSON Lines or as Moses prints them, plain, .gz or .xz."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from kibitz.data.lines import called, numbered_lines
from kibitz.data.nbest.json_lines import SHAPE, as_json_line, parse_json_lines
from kibitz.data.nbest.lists import NBest
from kibitz.data.nbest.moses import SHAPE as MOSES_SHAPE
from kibitz.data.nbest.moses import as_moses_lines, parse_moses
from kibitz.errors import InputError

__all__ = ["NBest", "as_json_line", "as_moses_lines", "read_nbest"]


def read_nbest(path: str | Path, references: str | Path | None = None) -> Iterator[NBest]:
    """The lists of a file, one at a time, each id once; `references` has a line for each list, in their order."""
    lists = _read(path)
    return lists if references is None else _with_references(lists, path, references)


def _read(path: str | Path) -> Iterator[NBest]:
    where = called(path)
    lines = ((number, line) for number, line in numbered_lines(path) if line.strip())
    first = next(lines, None)
    if first is None:
        raise InputError(f"{where} is empty: it should have n-best lists, {SHAPE!r} or {MOSES_SHAPE!r}.")
    parse = parse_json_lines if first[1].lstrip().startswith("{") else parse_moses
    seen: dict[str, int] = {}
    for nbest in parse(chain([first], lines), where):
        if nbest.id in seen:
            raise InputError(
                f"{where}:{nbest.line}: the id {nbest.id!r} was that of the list at line {seen[nbest.id]}: give "
                "each list an id of its own, and keep its candidates together."
            )
        seen[nbest.id] = nbest.line
        yield nbest


def _with_references(lists: Iterator[NBest], path: str | Path, references: str | Path) -> Iterator[NBest]:
    lines = numbered_lines(references)
    number = 0
    for nbest in lists:
        number, text = next(lines, (0, ""))
        if not number:
            raise InputError(
                f"{called(references)} has no line for the list {nbest.id!r} at {called(path)}:{nbest.line}: "
                "give a reference a line, in the order of the lists."
            )
        yield replace(nbest, reference=text)
    if next(lines, None) is not None:
        raise InputError(
            f"{called(references)}:{number + 1}: this line has no list in {called(path)}: give a reference a "
            "line, in the order of the lists."
        )
