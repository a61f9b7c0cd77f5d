"""The lines of a file of forests, and where one is in it when a line is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kibitz.data.lines import called, numbered_lines
from kibitz.errors import InputError


class Lines:
    """An iterator of lines; ``number`` is that of the line read last."""

    def __init__(self, numbered: Iterator[tuple[int, str]], where: str) -> None:
        self.where = where
        self.number = 0
        self._numbered = numbered
        self._ahead: tuple[int, str] | None = None

    @classmethod
    def of(cls, path: str | Path) -> Lines:
        """Those of a file, plain, .gz or .xz; ``-`` is standard input."""
        return cls(numbered_lines(path), called(path))

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        self.number, line = self._ahead or next(self._numbered)
        self._ahead = None
        return line

    def peek(self) -> str | None:
        """The line that comes next, without reading on; None at the end."""
        self._ahead = self._ahead or next(self._numbered, None)
        return self._ahead[1] if self._ahead else None

    def wrong(self, sentence: str, number: int | None = None) -> InputError:
        """The error that something is wrong in the line read last, or in line ``number``."""
        return InputError(f"{self.where}:{number or self.number}: {sentence}")
