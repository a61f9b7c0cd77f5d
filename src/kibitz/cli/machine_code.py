"""Where compiled loops are kept: a folder of the user's cache for each state of the sources.

Numba looks at the file of the function that is called, not at those of what that calls; in its own place, beside the
sources, it would run old machine code after an update of another file.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"
KEPT = 4  # states of the sources: several versions may be at work on one machine


def settle() -> None:
    """Name the folder to Numba, and to the processes that this one starts; a folder named by the user stays."""
    if VARIABLE in os.environ:
        return
    from kibitz.data.folders import cache_folder

    shelf = cache_folder() / "machine-code"
    folder = shelf / _digest(Path(__file__).parent.parent)
    os.environ[VARIABLE] = str(folder)
    with suppress(OSError):  # a home that cannot be written to
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _hold(folder, fcntl.LOCK_SH)  # for as long as this process lives
        by_use = sorted(shelf.iterdir(), key=lambda other: other.stat().st_mtime, reverse=True)
        for other in by_use[KEPT:]:
            _remove_unless_in_use(other)


def _hold(folder: Path, how: int) -> int:
    """Lock the folder itself, which leaves nothing behind; the lock lasts as long as the descriptor."""
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, how)
    return descriptor


def _remove_unless_in_use(folder: Path) -> None:
    with suppress(OSError):
        descriptor = _hold(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def _digest(package: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
