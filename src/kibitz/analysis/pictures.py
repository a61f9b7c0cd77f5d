"""Pictures of handwritten words with what was read in them before and after learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kibitz.analysis.style import INK, QUIET, WRONG, figure, png

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT: Final = 16
WIDTH: Final = 8
_GAP = 2.0  # pixels between letters
_LINE = 8.5  # pixels from one line of reading to the next
_RIGHT = (
    "#00694b"  # a green that stays apart from the red-brown of a wrong letter in every kind of colour vision
)


@dataclass(frozen=True, slots=True)
class Word:
    """Letters as 0/1 pixels (16 x 8, flat or not), what was written, and readings as (name, letters)."""

    pixels: Sequence[Any]
    written: str
    readings: tuple[tuple[str, str], ...]


def words(examples: Sequence[Word], *, columns: int = 2) -> bytes:
    """A grid of words: the handwriting, and under each letter what each reading made of it.

    A wrong letter is red, bold and underlined, so that colour is not the only mark.
    """
    names = [name for name, _ in examples[0].readings] if examples else []
    columns = min(columns, max(1, len(examples)))
    longest = max((len(word.pixels) for word in examples), default=1)
    across = longest * (WIDTH + _GAP)
    margin = 3.0 * max((len(name) for name in [*names, "written"]), default=0)
    down = HEIGHT + _LINE * (len(names) + 1) + 6.0
    rows = max(1, -(-len(examples) // columns))
    inch = 0.034  # of a pixel of handwriting
    drawn = figure(columns * (across + margin + 8.0) * inch + 0.2, rows * down * inch + 0.2)
    grid = drawn.subplots(rows, columns, squeeze=False)
    for axes in grid.flat:
        axes.set_axis_off()
        axes.set_xlim(-margin, across + 8.0)
        axes.set_ylim(down, -1.0)
        axes.set_aspect("equal")
    for word, axes in zip(examples, grid.flat, strict=False):
        _draw(axes, word, margin)
    return png(drawn)


def _draw(axes: Axes, word: Word, margin: float) -> None:
    lefts = [i * (WIDTH + _GAP) for i in range(len(word.pixels))]
    for left, letter in zip(lefts, word.pixels, strict=True):
        picture = np.asarray(letter, dtype=np.float64).reshape(HEIGHT, WIDTH)
        axes.imshow(
            1.0 - picture,
            cmap="gray",
            vmin=0,
            vmax=1,
            extent=(left, left + WIDTH, HEIGHT, 0),
            interpolation="nearest",
        )
    for line, (name, letters) in enumerate([("written", word.written), *word.readings]):
        y = HEIGHT + _LINE * (line + 0.65)
        axes.text(-margin, y, name, fontsize=7.5, color=QUIET, va="center", ha="left")
        for left, letter, gold in zip(lefts, letters, word.written, strict=True):
            centre = left + WIDTH / 2
            wrong = letter != gold
            colour = INK if line == 0 else WRONG if wrong else _RIGHT
            weight = "bold" if wrong else "normal"
            axes.text(
                centre,
                y,
                letter,
                fontsize=10,
                family="monospace",
                weight=weight,
                color=colour,
                va="center",
                ha="center",
            )
            if wrong:
                axes.plot([centre - 2.6, centre + 2.6], [y + 3.6, y + 3.6], color=WRONG, linewidth=1.2)
