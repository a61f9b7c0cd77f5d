"""The two places where data lies: the folder the user names, and the cache of the platform's convention."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kibitz.errors import InputError

VARIABLE = "KIBITZ_DATA"


def data_folder() -> Path | None:
    """The folder that KIBITZ_DATA names, or None when it is not set."""
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise InputError(f"{VARIABLE} names {named}, which is no folder: correct it, or unset it.")
    return folder


def cache_folder() -> Path:
    """Where downloads and encoded inputs are kept; it may not exist yet."""
    import platformdirs

    return platformdirs.user_cache_path("kibitz", appauthor=False)


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that no reader and no crash ever meets a part of it."""
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write in pieces that is there when all went well, and then as a whole: made beside it, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)  # temporary files are private; this one is to be read like any other
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
