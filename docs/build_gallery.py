"""Runs `examples/gallery.py` piece by piece and writes `docs/gallery.md`: text, code, and what it printed."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "examples" / "gallery.py"
PAGE = ROOT / "docs" / "gallery.md"
MARK = "# %% "

HEAD = """# Gallery

Short pieces of one script, with what they print: `examples/gallery.py`, run by `make docs`.
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the script: what stands between two marks."""

    title: str
    text: str
    code: str
    line: int  # of the code's first line in the script


def pieces(script: str) -> list[Piece]:
    """The parts of the script; the comment lines right below a mark are its text."""
    lines = script.splitlines()
    starts = [n for n, line in enumerate(lines) if line.startswith(MARK)]
    found = []
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        first = start + 1
        while first < stop and lines[first].startswith("# "):
            first += 1
        text = " ".join(line.removeprefix("# ") for line in lines[start + 1 : first])
        code = "\n".join(lines[first:stop]).strip("\n")
        found.append(Piece(lines[start].removeprefix(MARK), text, code, first))
    return found


def run(parts: list[Piece]) -> list[str]:
    """What each part prints, all of them run in one after the other in one namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for part in parts:
        # Line feeds put the code where it stands in the script, so that an error names the right line.
        source = "\n" * part.line + part.code
        with redirect_stdout(io.StringIO()) as output:
            exec(compile(source, str(SCRIPT), "exec"), namespace)
        printed.append(output.getvalue().rstrip("\n"))
    return printed


def page(parts: list[Piece], printed: list[str]) -> str:
    """The page in Markdown."""
    blocks = [HEAD]
    for part, output in zip(parts, printed, strict=True):
        blocks.append(f"## {part.title}\n\n{part.text}\n\n```python\n{part.code}\n```\n")
        if output:
            blocks.append(f"```text\n{output}\n```\n")
    return "\n".join(blocks)


def main() -> None:
    """Write the page where it has changed."""
    parts = pieces(SCRIPT.read_text(encoding="utf-8"))
    text = page(parts, run(parts))
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
