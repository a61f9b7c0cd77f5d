"""What tells whether a file of the user's has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from kibitz.errors import InputError


def checksum_of(path: str | Path) -> str:
    """The SHA-256 of a file."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}: check the path.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
