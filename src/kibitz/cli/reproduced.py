"""What every reproduction does at its end: tables on the screen, and everything in its folder."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from kibitz.analysis.numbers import duration
from kibitz.analysis.report import Report
from kibitz.analysis.tables import Table
from kibitz.cli.output import print_table, say
from kibitz.data.folders import write_whole
from kibitz.errors import InputError


def seeds_to(last: int) -> list[int]:
    """The seeds from 1 on."""
    if last < 1:
        raise InputError(f"--seeds must be 1 or more, not {last}.")
    return list(range(1, last + 1))


def keep(
    out: Path, tables: Mapping[str, Table], pictures: Mapping[str, bytes], page: Report, began: float
) -> dict[str, Any]:
    """Print the tables, keep all of it in the folder; where it is and how long it took, for the figures."""
    for table in tables.values():
        print_table(table)
        typer.echo()
    write_whole(
        out / "tables.md", "\n\n".join(table.markdown() for table in tables.values()).encode() + b"\n"
    )
    for name, picture in pictures.items():
        write_whole(out / f"{name}.png", picture)
    report = page.save(out / "report.html")
    seconds = time.monotonic() - began
    say(f"Done in {duration(seconds)}. Tables, plots and {report} are in {out}.")
    return {"seconds": round(seconds, 1), "out": str(out)}
