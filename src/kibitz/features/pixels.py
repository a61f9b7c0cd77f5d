"""Attributes of letters drawn in pixels, for reading handwriting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kibitz.errors import InputError
from kibitz.features.extractor import Attribute

BIAS = "bias"


@dataclass(frozen=True, slots=True)
class Pixels:
    """One attribute `p<i>` for each pixel that is on, counted row by row, and `bias` for every letter.

    With `pairs`, also `p<i>&p<j>` for every two touching pixels, across, down or diagonal, that are both on:
    strokes and their directions, which no sum over single pixels can see.
    """

    height: int
    width: int
    pairs: bool = False
    _names: list[str] = field(init=False, repr=False, compare=False)
    _touching: NDArray[np.int64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.height < 1 or self.width < 1:
            raise InputError(f"Letters need at least one pixel, not {self.height} rows of {self.width}.")
        touching = _touching(self.height, self.width) if self.pairs else np.empty((2, 0), dtype=np.int64)
        names = [BIAS, *(f"p{i}" for i in range(self.height * self.width))]
        names += [f"p{i}&p{j}" for i, j in touching.T]
        object.__setattr__(self, "_names", names)
        object.__setattr__(self, "_touching", touching)

    def extract(self, raw: ArrayLike) -> list[list[Attribute]]:
        letters = self._letters(raw)
        first, second = self._touching
        bias = np.ones((len(letters), 1), dtype=bool)
        present = np.concatenate([bias, letters, letters[:, first] & letters[:, second]], axis=1)
        return [[self._names[i] for i in np.flatnonzero(letter).tolist()] for letter in present]

    def settings(self) -> dict[str, Any]:
        return {"kind": "pixels", "height": self.height, "width": self.width, "pairs": self.pairs}

    def _letters(self, raw: ArrayLike) -> NDArray[np.bool_]:
        """The letters as rows of pixels; a letter may be given flat or as rows."""
        pixels = self.height * self.width
        try:
            letters = np.asarray(raw)
            letters = letters.reshape(len(letters), pixels)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"Each letter should have {pixels} pixels: {self.height} rows of {self.width}."
            ) from error
        if not np.isin(letters, (0, 1)).all():
            raise InputError("Each pixel of a letter should be 0 or 1.")
        return letters.astype(bool)


def _touching(height: int, width: int) -> NDArray[np.int64]:
    """The numbers of every two touching pixels, as two rows: across, down, and both diagonals."""
    cells = np.arange(height * width).reshape(height, width)
    neighbours = (
        (cells[:, :-1], cells[:, 1:]),
        (cells[:-1], cells[1:]),
        (cells[:-1, :-1], cells[1:, 1:]),
        (cells[:-1, 1:], cells[1:, :-1]),
    )
    return np.concatenate([np.stack([one.ravel(), other.ravel()]) for one, other in neighbours], axis=1)
