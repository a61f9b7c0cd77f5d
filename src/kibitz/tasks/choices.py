"""One name out of a few: the check and the sentence that helps with a slip of the pen."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from kibitz.errors import InputError


def choose(what: str, name: str, options: Collection[str]) -> str:
    """`name` itself when it is one of `options`; otherwise an error that names the closest."""
    if name in options:
        return name
    close = get_close_matches(name.lower().replace("_", "-"), options, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise InputError(f"There is no {what} {name!r}: {hint}choose from {', '.join(options)}.")
