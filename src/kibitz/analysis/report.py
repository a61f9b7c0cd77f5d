"""Self-contained HTML reports: one file, no scripts, nothing fetched, light and dark, wide and narrow."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from kibitz.analysis.style import RESOLUTION
from kibitz.analysis.stylesheet import CSS
from kibitz.analysis.tables import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture (PNG bytes), the words for those who cannot see it, and a caption for those who can."""

    png: bytes
    alt: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """The few figures that matter most, each as (name, value), shown large."""

    items: tuple[tuple[str, str], ...]


Block = str | Table | Figure | Facts
"""What a section is made of; a string is a paragraph of plain text, an empty line in it starts a new one."""


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, heading: str, *blocks: Block) -> Section:
        return cls(heading, blocks)


@dataclass(frozen=True, slots=True)
class Report:
    """A title, a first paragraph and sections; every text is escaped where it enters the page."""

    title: str
    lead: str
    sections: tuple[Section, ...]

    @classmethod
    def of(cls, title: str, lead: str, sections: Sequence[Section]) -> Report:
        return cls(title, lead, tuple(sections))

    def html(self) -> str:
        body = "\n".join(map(_section, self.sections))
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
            "style-src 'unsafe-inline'\">\n"
            f"<title>{escape(self.title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<main>\n"
            f"<header><h1>{escape(self.title)}</h1>\n{_paragraphs(self.lead, 'lead')}</header>\n{body}\n"
            "</main>\n</body>\n</html>\n"
        )

    def save(self, path: str | Path) -> Path:
        """Write the page whole or not at all."""
        target = Path(path)
        half = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            half.write_text(self.html(), encoding="utf-8")
            half.replace(target)
        finally:
            half.unlink(missing_ok=True)
        return target


def _section(section: Section) -> str:
    return f"<section>\n<h2>{escape(section.heading)}</h2>\n{''.join(map(_block, section.blocks))}</section>"


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Figure):
        caption = f"<figcaption>{escape(block.caption)}</figcaption>" if block.caption else ""
        width = (
            int.from_bytes(block.png[16:20], "big") * 96 // RESOLUTION
        )  # a PNG's first chunk opens with its width
        data = b64encode(block.png).decode()
        picture = f'<img alt="{escape(block.alt)}" width="{width}" src="data:image/png;base64,{data}">'
        return f'<figure><div class="picture">{picture}</div>{caption}</figure>\n'
    if isinstance(block, Facts):
        items = "".join(
            f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in block.items
        )
        return f'<dl class="facts">{items}</dl>\n'
    return _paragraphs(block)


def _paragraphs(text: str, kind: str = "") -> str:
    opening = f'<p class="{kind}">' if kind else "<p>"
    return "".join(f"{opening}{escape(part.strip())}</p>\n" for part in text.split("\n\n") if part.strip())


def _table(table: Table) -> str:
    """A table that scrolls sideways by itself where the page is narrow."""
    kinds = [' class="number"' if right else "" for right in table.numeric]
    head = "".join(
        f'<th scope="col"{k}>{escape(name)}</th>' for name, k in zip(table.columns, kinds, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{k}>{escape(cell)}</td>" for cell, k in zip(row, kinds, strict=True))
        + "</tr>\n"
        for row in table.cells
    )
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    notes = "".join(f'<p class="note">{escape(note)}</p>\n' for note in table.notes)
    label = escape(table.title or "table")
    return (
        f'<div class="table" role="region" aria-label="{label}" tabindex="0"><table>{caption}\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n{notes}"
    )
