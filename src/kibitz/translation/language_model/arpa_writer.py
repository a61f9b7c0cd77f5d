"""Writes n-grams as an ARPA file, which every decoder reads."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from kibitz.data.folders import whole_file
from kibitz.translation.language_model.arpa_lines import write_ngrams
from kibitz.translation.language_model.ngrams import NGrams

BLOCK = 1 << 13  # n-grams that are written at a time
_NUMBERS = 32  # bytes that the numbers of a line take at most


def write_arpa(ngrams: NGrams, path: str | Path) -> None:
    """Write the file; packed when its name ends in .gz. It is there when it is whole, not before."""
    path = Path(path)
    with whole_file(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile(path.stem, "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                packed.writelines(_parts(ngrams))
        else:
            file.writelines(_parts(ngrams))


def _parts(ngrams: NGrams) -> Iterator[bytes]:
    yield b"\\data\\\n"
    for n, order in enumerate(ngrams.orders, start=1):
        yield f"ngram {n}={len(order)}\n".encode()
    encoded = [word.encode() for word in ngrams.words]
    lengths = np.array([len(word) for word in encoded])
    word_ptr = np.concatenate([[0], np.cumsum(lengths)])
    letters = np.frombuffer(b"".join(encoded) or b" ", np.uint8)
    for n, order in enumerate(ngrams.orders, start=1):
        yield f"\n\\{n}-grams:\n".encode()
        out = np.zeros(BLOCK * (_NUMBERS + n * (int(lengths.max()) + 1)), np.uint8)
        arrays = (np.ascontiguousarray(order.words), order.logprob, order.backoff)
        for begin in range(0, len(order), BLOCK):
            end = min(begin + BLOCK, len(order))
            size = write_ngrams(arrays, begin, end, n == len(ngrams.orders), letters, word_ptr, out)
            yield out[:size].tobytes()
    yield b"\n\\end\\\n"
