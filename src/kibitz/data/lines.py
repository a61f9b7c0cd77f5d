"""The lines of a file of the user's, one at a time: files too large to be held are read all the same."""

from __future__ import annotations

import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from kibitz.errors import InputError

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = "\ufeff"


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Each line without its end, with its number from 1; a file that ends in .gz or .xz is unpacked."""
    name, number = called(path), 0
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, start=1):
                text = line.decode("utf-8").rstrip("\r\n")
                yield number, text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
    except FileNotFoundError as error:
        raise InputError(f"There is no file {name}: check the path.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{name}:{number}: this line is not UTF-8: convert the file to UTF-8.") from error
    except (lzma.LZMAError, EOFError, zlib.error) as error:
        raise InputError(
            f"{name}:{number + 1}: the packed file is damaged or cut short here: get it again."
        ) from error
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from error


def called(path: str | Path) -> str:
    """What messages call the file."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


@contextmanager
def _opened(path: str | Path) -> Iterator[Iterable[bytes]]:
    if str(path) == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as file:
        fresh = _UNPACKERS.get(Path(path).suffix)
        yield file if fresh is None else _unpacked(file, fresh)


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_UNPACKERS: dict[str, Callable[[], _Unpacker]] = {
    ".gz": lambda: zlib.decompressobj(wbits=31),
    ".xz": lzma.LZMADecompressor,
}


def _unpacked(file: BinaryIO, fresh: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """The lines inside, all that come before a damage too; a file may hold several packed ones, and zeros between."""
    unpacker, rest = fresh(), b""
    while packed := file.read(1 << 16):
        while packed:
            if unpacker.eof:
                packed = packed.lstrip(b"\0")
                if not packed:
                    break
                unpacker = fresh()
            *whole, rest = (rest + unpacker.decompress(packed)).split(b"\n")
            yield from (line + b"\n" for line in whole)
            packed = unpacker.unused_data
    if not unpacker.eof:
        raise EOFError
    if rest:
        yield rest
