"""Small immutable tables that print as text, Markdown, Rich or JSON, and the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.analysis.numbers import Spread, number

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Cell = str | int | float | Spread | None
"""What a cell may hold; None prints as an en dash: there is no such figure."""


def shown(cell: Cell) -> str:
    """A cell as people read it."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return number(cell) if isinstance(cell, int | float) else str(cell)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns, with a title and notes: made once, shown anywhere."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns: {row}")

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        rows: Iterable[Sequence[Cell]],
        title: str = "",
        notes: Sequence[str] = (),
    ) -> Table:
        return cls(tuple(columns), tuple(tuple(row) for row in rows), title, tuple(notes))

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold figures only, and so are aligned to the right."""
        return tuple(
            any(row[c] is not None for row in self.rows)
            and all(row[c] is None or isinstance(row[c], int | float | Spread) for row in self.rows)
            for c in range(len(self.columns))
        )

    @property
    def cells(self) -> list[list[str]]:
        """The rows as strings."""
        return [[shown(cell) for cell in row] for row in self.rows]

    def text(self) -> str:
        """Plain text, aligned, for logs and files."""
        lines = [list(self.columns), *self.cells]
        widths = [max(len(line[c]) for line in lines) for c in range(len(self.columns))]

        def aligned(line: list[str]) -> str:
            parts = zip(line, widths, self.numeric, strict=True)
            return "  ".join(cell.rjust(w) if right else cell.ljust(w) for cell, w, right in parts).rstrip()

        ruled = [aligned(lines[0]), "  ".join("-" * w for w in widths), *map(aligned, lines[1:])]
        return "\n".join([*([self.title] if self.title else []), *ruled, *self.notes])

    def markdown(self) -> str:
        """A Markdown table, its title in bold above and its notes below."""
        body = [
            [cell.replace("|", "\\|").replace("\n", " ") for cell in row]
            for row in [list(self.columns), *self.cells]
        ]
        rule = ["---:" if right else "---" for right in self.numeric]
        lines = [f"| {' | '.join(line)} |" for line in [body[0], rule, *body[1:]]]
        head = [f"**{self.title}**", ""] if self.title else []
        return "\n".join([*head, *lines, *(line for note in self.notes for line in ("", note))])

    def rich(self) -> RichTable:
        """For a Rich console; the text is literal, so a bracket in it is a bracket."""
        from rich import box
        from rich.markup import escape
        from rich.table import Table as RichTable

        table = RichTable(
            title=escape(self.title) or None,
            caption=escape("\n".join(self.notes)) or None,
            box=box.SIMPLE_HEAD,
            title_justify="left",
            caption_justify="left",
        )
        for name, right in zip(self.columns, self.numeric, strict=True):
            table.add_column(escape(name), justify="right" if right else "left")
        for row in self.cells:
            table.add_row(*map(escape, row))
        return table

    def json(self) -> dict[str, Any]:
        """Plain data: one object a row, figures unrounded, a spread as mean, deviation and n."""

        def plain(cell: Cell) -> Any:
            return cell.json() if isinstance(cell, Spread) else cell

        rows = [dict(zip(self.columns, map(plain, row), strict=True)) for row in self.rows]
        return {"title": self.title, "columns": list(self.columns), "rows": rows, "notes": list(self.notes)}
