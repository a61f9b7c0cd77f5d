"""Arrays that grow inside compiled loops."""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import compiled

ROOM = 64  # to begin with


@compiled
def append(array, n, value):  # type: ignore[no-untyped-def]
    """The array with the value at place n, in a larger one where it is full, and n + 1."""
    if n == len(array):
        larger = np.empty(2 * n, array.dtype)
        larger[:n] = array
        array = larger
    array[n] = value
    return array, n + 1
