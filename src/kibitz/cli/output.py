"""What a command says: words and tables for people, one JSON object as the last line for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from kibitz.analysis.tables import Table


FAILURE, USER_ERROR, INTERRUPTED = 1, 2, 130  # exit codes


def say(text: str = "") -> None:
    """A line for the person, on stderr."""
    typer.echo(text, err=True)


def warn(text: str) -> None:
    """Something that is odd but stops nothing, on stderr."""
    typer.echo(f"Warning: {text}", err=True)


@contextmanager
def kept(where: Path) -> Iterator[None]:
    """Around a long job that keeps what has ended: says so when it is stopped."""
    try:
        yield
    except KeyboardInterrupt:
        say(f"What has ended is kept in {where}; the same command goes on with the rest.")
        raise


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
