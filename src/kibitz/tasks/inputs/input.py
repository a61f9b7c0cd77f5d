"""One input of a file, as a model and as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Input:
    """What the model reads, the words its labels belong to, its lines in the file, what heads it, its gold answer.

    A picture has no words; an output that is a text has neither words nor lines.
    """

    raw: Any
    words: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    heading: str = ""
    gold: Any = None

    def read(self, output: Any) -> Any:
        """An output as people read it: words without lines of their own are one text."""
        return output if self.lines or isinstance(output, str) else " ".join(output)
