"""Encoded inputs kept between runs, so that a second run starts at once."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.data.folders import cache_folder, write_whole

Arrays = dict[str, NDArray[Any]]

_KEPT = 16
"""How many encodings stay; the ones not used for longest make room."""


def cached(key_parts: Iterable[Any], build: Callable[[], Mapping[str, NDArray[Any]]]) -> Arrays:
    """The arrays that `build` makes, from the cache when they were made before from the same key.

    Key parts (JSON values) should name all that decides the arrays: checksums of files, extractor settings,
    the version of the encoding. A damaged file is made again; a cache that cannot be written is done without.
    """
    path = cache_folder() / "encoded" / f"{_digest(key_parts)}.npz"
    found = _load(path)
    if found is not None:
        return found
    arrays = dict(build())
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    try:
        write_whole(path, buffer.getvalue())
        _make_room(path.parent)
    except OSError:  # a full or read-only disk costs time, nothing else
        pass
    return arrays


def _digest(key_parts: Iterable[Any]) -> str:
    key = json.dumps(list(key_parts), sort_keys=True)
    return hashlib.sha256(key.encode()).hexdigest()[:40]


def _load(path: Path) -> Arrays | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        path.touch()
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        return None
    return arrays


def _make_room(folder: Path) -> None:
    by_age = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in by_age[_KEPT:]:
        path.unlink(missing_ok=True)
