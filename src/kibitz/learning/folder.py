"""Folders of one JSON file and its arrays, and no pickle.

The arrays lie in a file named by its content, and the JSON names it. A write puts the arrays there first and
then replaces the JSON in one step, so at every moment the folder holds one whole pair, the old or the new.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError

FORMAT = 1
ADVICE = "take it from a backup, or learn again"

Arrays = dict[str, npt.NDArray[Any]]


def write_folder(folder: Path, description: dict[str, Any], arrays: Arrays, name: str = "model") -> None:
    """Replace the pair ``name``.json and its arrays; where that fails, the old pair is there as it was."""
    data = _packed(arrays)
    digest = hashlib.sha256(data).hexdigest()
    target = folder / f"{name}-{digest[:16]}.npz"
    text = _signed(
        {"format": FORMAT, "checksum": "", **description, "arrays": target.name, "sha256": digest}, name
    )
    known = target.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(target, data)
        _replace(folder / f"{name}.json", text.encode())
    except OSError as error:
        if not known:
            with suppress(OSError):
                target.unlink()
        raise InputError(f"nothing could be saved in {folder}: {error.strerror or error}") from error
    for other in folder.glob(f"{name}-*.npz"):
        if other != target:
            other.unlink(missing_ok=True)


def read_folder(folder: Path, name: str = "model") -> tuple[dict[str, Any], Arrays]:
    """What :func:`write_folder` wrote, checked."""
    path = folder / f"{name}.json"
    if not path.is_file():
        raise InputError(f"{folder} holds no saved {name}: there is no {path.name} in it")
    text = _read(path).decode(errors="replace")
    try:
        description = json.loads(text)
        file, digest = folder / description["arrays"], description["sha256"]
        version, checksum = int(description["format"]), str(description["checksum"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged or no saved {name}: {ADVICE}") from error
    if version > FORMAT:
        raise InputError(
            f"{path} was written by a later version of Kibitz (format {version}, this one reads up to {FORMAT}): "
            "upgrade Kibitz"
        )
    if _checksum(text.replace(checksum, "", 1)) != checksum:
        raise InputError(f"{path} is damaged: {ADVICE}")
    data = _read(file)
    if hashlib.sha256(data).hexdigest() != digest:
        raise InputError(f"{file} is damaged or cut short: {ADVICE}")
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return description, dict(archive)


def _packed(arrays: Arrays) -> bytes:
    for name, array in arrays.items():
        if np.asarray(array).dtype.hasobject:
            raise InputError(f"the array {name!r} holds Python objects: only numbers and text can be saved")
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def _signed(description: dict[str, Any], name: str) -> str:
    """The JSON, with the checksum of what it is without one."""
    try:
        text = json.dumps(description, indent=1, ensure_ascii=False, default=_plain)
    except TypeError as error:
        raise InputError(f"this {name} cannot be saved as JSON: {error}") from error
    return text.replace('"checksum": ""', f'"checksum": "{_checksum(text)}"', 1)


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Numbers of NumPy's as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} is neither text nor a number nor a list of such")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _replace(target: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
