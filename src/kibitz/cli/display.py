"""Outputs as people read them: words with chunks in brackets, tagged words, handwritten words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

_SPANS = frozenset("OBIES")
_CHANGED = "yellow"


def shown(words: Sequence[str], output: str | Sequence[str], other: Any = None) -> str:
    """One output on its words; where `other` is the output it is compared with, what differs stands out.

    Without words the labels are read by themselves, as the letters of a word are; a text is read as it is.
    """
    if isinstance(output, str):
        return _text(output, other)
    labels = output
    differs = [other is not None and label != other[i] for i, label in enumerate(labels)]
    if not words:
        return "".join(_coloured(label, changed) for label, changed in zip(labels, differs, strict=True))
    if all(label[:1] in _SPANS and label[1:2] in ("", "-") for label in labels):
        return _bracketed(words, labels, other)
    tagged = (f"{word}/{label}" for word, label in zip(words, labels, strict=True))
    return " ".join(_coloured(text, changed) for text, changed in zip(tagged, differs, strict=True))


def picture(letters: Sequence[Any], height: int, width: int) -> str:
    """A handwritten word in half blocks, two rows of pixels a line: letters keep their proportions."""
    import numpy as np

    flat = [[bool(pixel) for pixel in np.asarray(letter).reshape(-1)] + [False] * width for letter in letters]
    lines = []
    for row in range(0, height, 2):
        cells = []
        for pixels in flat:
            upper = pixels[row * width : (row + 1) * width]
            lower = pixels[(row + 1) * width : (row + 2) * width]
            cells.append(
                "".join(" ▀▄█"[above + 2 * below] for above, below in zip(upper, lower, strict=True))
            )
        lines.append(" ".join(cells).rstrip())
    return "\n".join(lines)


def _bracketed(words: Sequence[str], labels: Sequence[str], other: Sequence[str] | None) -> str:
    from kibitz.feedback import Span, spans

    def name(span: Span) -> str:
        return f" {span.type}" if span.type else ""

    mine = spans(labels)
    theirs = set(spans(other)) if other is not None else set(mine)
    parts: list[str] = []
    at = 0
    for span in mine:
        parts += words[at : span.start]
        text = f"[{' '.join(words[span.start : span.stop])}]{name(span)}"
        parts.append(_coloured(text, span not in theirs))
        at = span.stop
    return " ".join([*parts, *words[at:]])


def _text(text: str, other: str | None) -> str:
    """A text, with the words that the other does not have in these places."""
    from difflib import SequenceMatcher

    words = text.split()
    if other is None:
        return text
    blocks = SequenceMatcher(None, words, other.split(), autojunk=False).get_matching_blocks()
    same = {place for block in blocks for place in range(block.a, block.a + block.size)}
    return " ".join(_coloured(word, place not in same) for place, word in enumerate(words))


def _coloured(text: str, changed: bool) -> str:
    return typer.style(text, fg=_CHANGED, bold=True) if changed else text
