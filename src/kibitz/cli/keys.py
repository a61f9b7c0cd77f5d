"""One key from the person: at once on a terminal, the next character of the input elsewhere."""

from __future__ import annotations

import sys


def read_key() -> str:
    """The key in lower case; an empty string when there is no more input."""
    if sys.stdin.isatty():
        import typer

        key = str(typer.getchar())
        if key in ("\x03", "\x04"):  # Ctrl-C, Ctrl-D
            return ""
        return key.lower()
    while character := sys.stdin.read(1):
        if not character.isspace():
            return character.lower()
    return ""
