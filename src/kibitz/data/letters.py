"""Stanford's handwritten words: 16 x 8 pixels a letter, ten folds; each word lacks its first letter."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.data.catalogue import LETTERS_ARRAYS, LETTERS_TEXT
from kibitz.data.source import read
from kibitz.data.split import Split
from kibitz.errors import InputError

HEIGHT, WIDTH = 16, 8
PIXELS = HEIGHT * WIDTH
LABELS = tuple("abcdefghijklmnopqrstuvwxyz")
TEST_FOLD, DEV_FOLD = 0, 1

Word = tuple[NDArray[np.uint8], tuple[str, ...], int]
"""The pixels, a row a letter; the letters; the fold."""


def load(*, download: bool = True) -> Split:
    """Inputs are arrays of 0 and 1, uint8 [letters, 128]; folds 2-9 train, 1 dev, 0 test."""
    file, data = read(LETTERS_TEXT, LETTERS_ARRAYS, download=download)
    if file is LETTERS_TEXT:
        words = list(parse_letters(data, file.path))
    else:
        words = list(unpickle_letters(data, file.path))
    # Both files hold the same words, so that caches may take one for the other.
    return split(words, LETTERS_TEXT.sha256)


def split(words: Sequence[Word], checksum: str) -> Split:
    def fold(chosen: Callable[[int], bool]) -> list[tuple[NDArray[np.uint8], tuple[str, ...]]]:
        return [(pixels, letters) for pixels, letters, number in words if chosen(number)]

    return Split(
        train=fold(lambda number: number not in (TEST_FOLD, DEV_FOLD)),
        dev=fold(lambda number: number == DEV_FOLD),
        test=fold(lambda number: number == TEST_FOLD),
        checksum=checksum,
    )


def parse_letters(data: bytes, where: str) -> Iterator[Word]:
    """A letter a line: id, letter, next id (-1 ends the word), word id, position, fold, and the pixels."""
    rows: list[bytes] = []
    letters: list[str] = []
    number = 0
    for number, line in enumerate(data.splitlines(), start=1):
        fields = line.split(b"\t", 6)
        pixels = fields[-1].rstrip(b"\t")
        letter = fields[1].decode("ascii", "replace") if len(fields) == 7 else ""
        # "0\t1\t...\t0": taking out the tabs must leave 128 digits that are 0 or 1.
        digits = pixels[::2]
        whole = len(pixels) == 2 * PIXELS - 1 and not pixels[1::2].strip(b"\t") and not digits.strip(b"01")
        if letter not in LABELS or not whole or not fields[5].isdigit():
            raise InputError(
                f"{where}:{number}: this line is no letter with {PIXELS} pixels: get the file again."
            )
        rows.append(digits)
        letters.append(letter)
        if fields[2] == b"-1":
            pixel_rows = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), PIXELS) - ord("0")
            yield pixel_rows.astype(np.uint8), tuple(letters), int(fields[5])
            rows, letters = [], []
    if rows or not number:
        raise InputError(f"{where}:{number}: the file ends inside a word: get it again.")


def unpickle_letters(data: bytes, where: str) -> Iterator[Word]:
    """The same words from a pickle of arrays, read by a loader that can make arrays and nothing else."""
    try:
        content = _ArraysOnly(io.BytesIO(data), encoding="latin1").load()
        columns: Iterable[tuple[Any, Any, Any]] = zip(
            content["data"], content["labels"], content["folds"], strict=True
        )
        for pixels, labels, fold in columns:
            yield np.ascontiguousarray(pixels, dtype=np.uint8), tuple(LABELS[i] for i in labels), int(fold)
    except (pickle.UnpicklingError, EOFError, KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"{where} is not the pickle of letters expected: get it again.") from error


class _ArraysOnly(pickle.Unpickler):
    """Unpickles NumPy arrays and plain containers; anything else could run code."""

    def find_class(self, module: str, name: str) -> Any:
        from numpy._core.multiarray import _reconstruct

        allowed = {
            ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
            ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
            ("numpy", "ndarray"): np.ndarray,
            ("numpy", "dtype"): np.dtype,
        }
        if (module, name) not in allowed:
            raise pickle.UnpicklingError(f"{module}.{name} is not allowed")
        return allowed[module, name]
