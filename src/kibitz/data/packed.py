"""Files as they lie on disk or on a server: plain, .gz or .xz."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from kibitz.errors import InputError

ENDINGS = ("", ".xz", ".gz")


def unpack(data: bytes, name: str) -> bytes:
    """The bytes inside, by the ending of the name."""
    try:
        if name.endswith(".xz"):
            return lzma.decompress(data)
        if name.endswith(".gz"):
            return gzip.decompress(data)
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{name} is damaged or cut short and cannot be unpacked: get it again.") from error
    return data


def read_bytes(path: str | Path) -> bytes:
    """The unpacked bytes of a file of the user's."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}: check the path.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    return unpack(data, str(path))


@contextmanager
def packing(file: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """A stream that packs what is written to it into ``file``, by the ending of the name."""
    if name.endswith(".xz"):
        with lzma.open(file, "wb") as packed:
            yield cast(BinaryIO, packed)
    elif name.endswith(".gz"):
        # The time is left out: the same content gives the same bytes.
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    else:
        yield file
