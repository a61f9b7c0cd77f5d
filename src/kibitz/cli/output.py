"""What a command says: words for people on stderr and in tables, one JSON object as the last line for programs."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from kibitz.analysis.tables import Table


def say(text: str = "") -> None:
    """A line for the person, on stderr."""
    typer.echo(text, err=True)


def warn(text: str) -> None:
    typer.echo(f"Warning: {text}", err=True)


def print_json(value: dict[str, Any]) -> None:
    """The one JSON object, on one line of stdout; what is not a number is null."""
    typer.echo(json.dumps(_finite(value), ensure_ascii=False))


def print_table(table: Table) -> None:
    """A table on stdout: coloured on a terminal, plain text elsewhere."""
    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(table.rich())
    else:
        typer.echo(table.text())


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
