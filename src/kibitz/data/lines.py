"""The lines of a file of the user's, one at a time: files too large to be held are read all the same."""

from __future__ import annotations

import gzip
import lzma
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from kibitz.errors import InputError

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = "\ufeff"


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Each line without its end, with its number from 1; a file that ends in .gz or .xz is unpacked."""
    name, number = called(path), 0
    try:
        with _opened(path) as file:
            for number, line in enumerate(file, start=1):
                text = line.decode("utf-8").rstrip("\r\n")
                yield number, text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
    except FileNotFoundError as error:
        raise InputError(f"There is no file {name}: check the path.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{name}:{number}: this line is not UTF-8: convert the file to UTF-8.") from error
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{name}:{number + 1}: the packed file is damaged or cut short here: get it again."
        ) from error
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from error


def called(path: str | Path) -> str:
    """What messages call the file."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def _opened(path: str | Path) -> BinaryIO:
    name = str(path)
    if name == STANDARD_INPUT:
        return sys.stdin.buffer
    if name.endswith(".gz"):
        return cast(BinaryIO, gzip.open(name, "rb"))
    if name.endswith(".xz"):
        return cast(BinaryIO, lzma.open(name, "rb"))
    return Path(name).open("rb")
