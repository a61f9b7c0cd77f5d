"""Arrays that grow inside compiled loops."""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import compiled

ROOM = 64  # to begin with


@compiled
def enough(array, n):  # type: ignore[no-untyped-def]
    """The array, or where it has fewer than n places, one with more that begins as it does."""
    if n <= len(array):
        return array
    larger = np.empty(max(n, 2 * len(array)), array.dtype)
    larger[: len(array)] = array
    return larger


@compiled
def append(array, n, value):  # type: ignore[no-untyped-def]
    """The array with the value at place n, in a larger one where it is full, and n + 1."""
    array = enough(array, n + 1)
    array[n] = value
    return array, n + 1
