"""A file of packed sentences: their arrays one after the other, then their names, then where everything is.

The last 16 bytes say how long the table of contents is and give its checksum, so that a file that was cut short is
known for it; every sentence has a checksum of its own, looked at when it is read first.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.data.folders import whole_file
from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.translation.parses.packed import Names, Packed

ALIGNED = 8  # bytes, so that numbers lie where a processor wants them
_END = struct.Struct("<qq")


class Damaged(InputError):
    """A file of parses that cannot be trusted; it can be made again."""


def write_parses(path: Path, sentences: Iterable[Packed], names: Names) -> None:
    """Write a file of sentences, whose names are known when all have been packed."""
    with whole_file(path) as file:
        contents: list[Any] = []
        for packed in _with_names(sentences, names):
            place, arrays, checksum = file.tell(), [], 0
            for name, array in packed.items():
                data = array.tobytes()
                data += bytes(-len(data) % ALIGNED)
                file.write(data)
                checksum = zlib.crc32(data, checksum)
                arrays.append((name, array.dtype.str, array.shape))
            contents.append((place, checksum, arrays))
        table = json.dumps(contents).encode()
        file.write(table)
        file.write(_END.pack(len(table), zlib.crc32(table)))


def _with_names(sentences: Iterable[Packed], names: Names) -> Iterator[Packed]:
    yield from sentences
    yield {
        name: np.frombuffer(table.to_bytes(), np.uint8)
        for name, table in zip(Names._fields, names, strict=True)
    }


class ParsesFile:
    """The sentences of a file, their arrays being views of its pages, which all processes share."""

    def __init__(self, path: Path) -> None:
        try:
            # Nobody writes; a mapping that could be written gives arrays of the type that compiled functions know.
            self._bytes = np.memmap(path, np.uint8, mode="c")
            length, checksum = _END.unpack(self._bytes[-_END.size :].tobytes())
            table = self._bytes[-_END.size - length : -_END.size].tobytes()
            if not 0 < length == len(table) or zlib.crc32(table) != checksum:
                raise Damaged(f"{path} is damaged or cut short")
            *self._contents, named = json.loads(table)
        except (OSError, ValueError, struct.error) as error:
            raise Damaged(f"{path} cannot be read: {error}") from error
        self._path, self._trusted = path, set[int]()
        of_names = self._arrays(named, -1)
        self.names = Names(*(Vocabulary.from_bytes(of_names[name].tobytes()) for name in Names._fields))

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self._contents)

    def __getitem__(self, i: int) -> Packed:
        return self._arrays(self._contents[i], i)

    def _arrays(self, content: Any, i: int) -> Packed:
        place, checksum, arrays = content
        begin, found = place, {}
        for name, kind, shape in arrays:
            count = int(np.prod(shape, dtype=np.int64))
            size = count * np.dtype(kind).itemsize
            found[name] = np.asarray(self._bytes[place : place + size]).view(kind).reshape(shape)
            place += size + -size % ALIGNED
        if i not in self._trusted:
            if zlib.crc32(self._bytes[begin:place].data) != checksum:
                raise Damaged(f"{self._path} is damaged")
            self._trusted.add(i)
        return found
