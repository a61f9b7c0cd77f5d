"""Large vectors kept in a temporary file, so that hundreds of iterates with millions of weights fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from tempfile import TemporaryFile
from typing import Any, overload

import numpy as np

from kibitz.analysis.vectors import Dense


class Shelf(Sequence[Dense]):
    """Vectors are written when they are put here and mapped into memory while they are looked at.

    The file has no name and is gone with the shelf. A full disk is an OSError at `put`, no crash later on.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile(prefix="kibitz-")  # noqa: SIM115 (it lives as long as the shelf)
        self._places: list[tuple[int, np.dtype[Any], int]] = []

    def put(self, vector: Dense) -> None:
        """Keep a copy of the vector as it is now."""
        self._places.append((self._file.tell(), vector.dtype, len(vector)))
        self._file.write(np.ascontiguousarray(vector).data)
        self._file.flush()

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, i: int) -> Dense: ...
    @overload
    def __getitem__(self, i: slice) -> list[Dense]: ...
    def __getitem__(self, i: int | slice) -> Dense | list[Dense]:
        if isinstance(i, slice):
            return [self[n] for n in range(*i.indices(len(self)))]
        place, dtype, size = self._places[i]
        return np.memmap(self._file, dtype, "r", place, (size,))

    def __iter__(self) -> Iterator[Dense]:
        return (self[i] for i in range(len(self)))
