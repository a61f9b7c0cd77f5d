"""Attributes of tokens by templates over the columns around them, and the template sets of the literature."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kibitz.errors import InputError
from kibitz.features.extractor import Attribute
from kibitz.features.syntax import Template, parse
from kibitz.features.words import FUNCTIONS

COLUMNS = ("w", "t")
"""The names of the first columns: the word and its part-of-speech tag."""

PAPER = (
    "w[-2]",
    "w[-1]",
    "w[0]",
    "w[1]",
    "w[2]",
    "w[-1] & w[0]",
    "w[0] & w[1]",
    "t[-2]",
    "t[-1]",
    "t[0]",
    "t[1]",
    "t[2]",
    "t[-1] & t[0]",
    "t[0] & t[1]",
    "t[-2] & t[-1]",
    "t[1] & t[2]",
    "t[-2] & t[-1] & t[0]",
    "t[0] & t[1] & t[2]",
)
"""The 18 templates of the paper's chunking experiments."""

SHA_PEREIRA = (*PAPER, "t[-1] & t[0] & t[1]", "w[-2] & w[-1]", "w[1] & w[2]")
"""The 21 templates after Sha and Pereira (2003): the tags on both sides and two more word pairs."""


def default_templates(columns: int) -> tuple[str, ...]:
    """Templates for a file of which nothing is known but the number of columns and that words come first."""
    if columns < 1:
        raise InputError(f"Templates need at least one input column beside the label, not {columns}.")
    lines = ["bias", *(f"w[{i}]" for i in range(-2, 3)), "w[-1] & w[0]", "w[0] & w[1]", "lower(w[0])"]
    lines += [f"{affix}{length}(w[0])" for affix in ("prefix", "suffix") for length in range(1, 5)]
    lines += [f"shape(w[{i}])" for i in (-1, 0, 1)]
    for column in range(1, columns):
        lines += [f"{column}[{i}]" for i in range(-2, 3)]
        lines += [f"{column}[{i}] & {column}[{i + 1}]" for i in range(-2, 2)]
        lines += [f"{column}[{i - 1}] & {column}[{i}] & {column}[{i + 1}]" for i in (-1, 0, 1)]
    return tuple(lines)


class Templates:
    """Fills templates at each token of a sentence; one that would look outside the sentence is skipped there.

    A token is a sequence of columns, or a string for a single column. The attribute of `w[-1] & w[0]` at
    "the dog" is `w[-1]&w[0]=the|dog`.
    """

    __slots__ = ("_columns", "_lines", "_sources", "_templates")

    def __init__(self, lines: Iterable[str], columns: Sequence[str] = COLUMNS) -> None:
        self._lines = tuple(lines)
        self._columns = tuple(columns)
        self._templates = tuple(
            parse(line, self._columns, f"Template {i}") for i, line in enumerate(self._lines, start=1)
        )
        if not self._templates:
            raise InputError("An extractor needs at least one template, like `w[0]`.")
        seen: set[str] = set()
        for template in self._templates:
            if template.name in seen:
                raise InputError(f"The template `{template.name}` is given twice: take one of them out.")
            seen.add(template.name)
        cells = (cell for template in self._templates for cell in template.cells)
        self._sources = tuple(dict.fromkeys((cell.function, cell.column) for cell in cells))

    @property
    def lines(self) -> tuple[str, ...]:
        return self._lines

    def settings(self) -> dict[str, Any]:
        return {"kind": "templates", "lines": list(self._lines), "columns": list(self._columns)}

    def extract(self, raw: Sequence[Sequence[str]]) -> list[list[Attribute]]:
        count = len(raw)
        attributes: list[list[Attribute]] = [[] for _ in range(count)]
        if not count:
            return attributes
        values = self._values(raw)
        for template in self._templates:
            lowest, highest = template.reach
            first, last = max(0, -lowest), min(count, count - highest)
            if first >= last:
                continue
            parts = [
                values[cell.function, cell.column][first + cell.offset : last + cell.offset]
                for cell in template.cells
            ]
            filled = _filled(template, parts, last - first)
            for position, attribute in zip(attributes[first:last], filled, strict=True):
                position.append(attribute)
        return attributes

    def _values(self, raw: Sequence[Sequence[str]]) -> dict[tuple[str | None, int], list[str]]:
        """What each source reads at every token, with `|` and `\\` escaped, so that joined values differ."""
        columns = [raw] if isinstance(raw[0], str) else list(zip(*raw, strict=False))
        values: dict[tuple[str | None, int], list[str]] = {}
        for function, column in self._sources:
            if column >= len(columns):
                raise InputError(
                    f"The templates read column {column}, counted from 0, but a token has {len(columns)}: "
                    "give the missing column or take those templates out."
                )
            read = list(columns[column])
            if function is not None:
                read = [FUNCTIONS[function](value) for value in read]
            everything = "".join(read)
            if "|" in everything or "\\" in everything:
                read = [value.replace("\\", "\\\\").replace("|", "\\|") for value in read]
            values[function, column] = read
        return values


def _filled(template: Template, parts: list[list[str]], count: int) -> list[str]:
    """The attributes of one template, position by position."""
    if not parts:
        return [template.name] * count
    start = template.name + "="
    if len(parts) == 1:
        return [start + value for value in parts[0]]
    if len(parts) == 2:
        return [f"{start}{first}|{second}" for first, second in zip(*parts, strict=True)]
    return [start + "|".join(together) for together in zip(*parts, strict=True)]
