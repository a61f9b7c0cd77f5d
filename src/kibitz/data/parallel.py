"""Text files with a sentence a line, and pairs of them that are translations of each other."""

from __future__ import annotations

from pathlib import Path

from kibitz.data.lines import numbered_lines
from kibitz.errors import InputError


def read_sentences(path: str | Path) -> list[str]:
    """The lines of a file that has some."""
    lines = [line for _, line in numbered_lines(path)]
    if not lines:
        raise InputError(f"{path} is empty: it should have a sentence a line.")
    return lines


def read_parallel(source: str | Path, target: str | Path) -> tuple[list[str], list[str]]:
    """Two files whose lines belong together, one by one."""
    sources, targets = read_sentences(source), read_sentences(target)
    if len(sources) != len(targets):
        shorter, longer = (source, target) if len(sources) < len(targets) else (target, source)
        few, many = sorted((len(sources), len(targets)))
        raise InputError(
            f"{shorter}:{few + 1}: the file ends here, where {longer} goes on to line {many}: "
            "both should have as many lines, line by line translations of each other."
        )
    return sources, targets
