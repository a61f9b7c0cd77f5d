"""Where compiled loops are kept: a folder of the user's cache for each state of the sources.

Numba looks at the file of the function that is called, not at those of what that calls; in its own place, beside the
sources, it would run old machine code after an update of another file.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"


def settle() -> None:
    """Name the folder to Numba, and to the processes that this one starts; a folder named by the user stays."""
    if VARIABLE in os.environ:
        return
    from kibitz.data.folders import cache_folder

    shelf = cache_folder() / "machine-code"
    folder = shelf / _digest(Path(__file__).parent.parent)
    os.environ[VARIABLE] = str(folder)
    if shelf.is_dir() and not folder.is_dir():
        for other in shelf.iterdir():
            shutil.rmtree(other, ignore_errors=True)


def _digest(package: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
