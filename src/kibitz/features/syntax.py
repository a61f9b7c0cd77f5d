"""The language of attribute templates, a line each.

    w[0]                      the word here
    w[-1] & w[0]              the word before and the word here, together
    suffix3(w[0]) & t[1]      the word's last three characters and the next tag
    here: w[0]                the same as the first, but the attributes are called here=...
    bias                      no cell at all: an attribute that every position has

A cell is `column[offset]`: a column by its name or its number from 0, and how many positions from here. What
may stand around a cell is in `words.FUNCTIONS`. Lines of a template file that are empty or start with # are
skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.errors import InputError
from kibitz.features.words import FUNCTIONS

_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_TITLED = re.compile(rf"\s*({_NAME.pattern})\s*:\s*(.+)")
_CELL = re.compile(
    r"\s*(?:(?P<function>\w+)\s*\()?\s*(?P<column>\w+)\s*\[\s*(?P<offset>[+-]?\d+)\s*\]\s*(?P<close>\))?\s*"
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A column, perhaps seen through a function, some positions away."""

    function: str | None
    column: int
    offset: int


@dataclass(frozen=True, slots=True)
class Template:
    """The cells whose values together make an attribute, and the name it starts with."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def reach(self) -> tuple[int, int]:
        """The lowest and the highest offset; (0, 0) without cells."""
        offsets = [cell.offset for cell in self.cells]
        return min(offsets, default=0), max(offsets, default=0)


def parse(line: str, columns: Sequence[str], where: str) -> Template:
    """The template a line spells; `where` says where the line stands, for the message when it spells none."""
    titled = _TITLED.fullmatch(line)
    title, body = (titled[1], titled[2]) if titled else (None, line)
    if not titled and _NAME.fullmatch(body.strip()) and body.strip() not in columns:
        return Template(body.strip(), ())
    matches = [_CELL.fullmatch(text) for text in body.split("&")]
    cells = []
    for text, match in zip(body.split("&"), matches, strict=True):
        if match is None or bool(match["function"]) != bool(match["close"]):
            raise InputError(
                f"{where}: `{text.strip()}` is no cell: write `column[offset]`, like `w[-1]`, "
                "and `&` between cells."
            )
        cells.append(_cell(match, columns, where))
    name = title or "&".join("".join(text.split()) for text in body.split("&"))
    return Template(name, tuple(cells))


def _cell(match: re.Match[str], columns: Sequence[str], where: str) -> Cell:
    function, column = match["function"], match["column"]
    if function is not None and function not in FUNCTIONS:
        known = ", ".join(FUNCTIONS)
        raise InputError(f"{where}: there is no function `{function}`: known are {known}.")
    if column in columns:
        number = columns.index(column)
    elif column.isdecimal():
        number = int(column)
    else:
        known = ", ".join(columns)
        raise InputError(f"{where}: there is no column `{column}`: use {known}, or a number from 0.")
    return Cell(function, number, int(match["offset"]))


def read_templates(path: str | Path, columns: Sequence[str] = ("w", "t")) -> tuple[str, ...]:
    """The template lines of a file, each of them checked."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"The template file {path} cannot be read: {reason}.") from error
    lines: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name = parse(line.strip(), columns, f"{path}:{number}").name
        if name in seen:
            raise InputError(f"{path}:{number}: the template `{name}` already stands in line {seen[name]}.")
        seen[name] = number
        lines.append(line.strip())
    if not lines:
        raise InputError(f"The template file {path} has no template: write one a line, like `w[-1] & w[0]`.")
    return tuple(lines)
