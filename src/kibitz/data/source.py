"""Finds the files of a data set: in the folder KIBITZ_DATA names, else in the cache, else at their source."""

from __future__ import annotations

import hashlib
from pathlib import Path

from kibitz.data.catalogue import DataFile, DataSet
from kibitz.data.folders import VARIABLE, cache_folder, data_folder, write_whole
from kibitz.data.packed import ENDINGS, read_bytes
from kibitz.errors import DataUnavailable, InputError


def locate(file: DataFile) -> Path | None:
    """Where the file lies on this machine, packed or not; None when it would have to be fetched."""
    folder = data_folder() or cache_folder()
    candidates = (folder / f"{file.path}{ending}" for ending in ENDINGS)
    return next((path for path in candidates if path.is_file()), None)


def read(*alternatives: DataFile, download: bool = True) -> tuple[DataFile, bytes]:
    """The first of the alternatives that can be had, and its bytes, unpacked and checked."""
    folder = data_folder()
    for file in alternatives:
        path = locate(file)
        if path is None:
            continue
        try:
            return file, _checked(file, read_bytes(path), str(path))
        except InputError:
            if folder is not None or not download:
                raise
            # Damaged in our own cache: fetch it again.
    wanted = alternatives[0]
    if folder is not None:
        raise DataUnavailable(
            f"{VARIABLE} names {folder}, which has no {wanted.path} (nor .xz, nor .gz): put it there, "
            f"or unset {VARIABLE} to download it."
        )
    if not download:
        raise DataUnavailable(
            f"{wanted.path} is not on this machine: run `kibitz data fetch`, or set {VARIABLE}."
        )
    return _fetched(alternatives)


def fetch(data_set: DataSet) -> list[Path]:
    """Makes sure that every part of the set is on this machine, whole; returns where."""
    paths = []
    for alternatives in data_set.parts:
        file, _ = read(*alternatives)
        path = locate(file)
        assert path is not None
        paths.append(path)
    return paths


def present(data_set: DataSet) -> bool:
    """Whether the whole set can be read without any network."""
    return all(any(locate(file) for file in alternatives) for alternatives in data_set.parts)


def _fetched(alternatives: tuple[DataFile, ...]) -> tuple[DataFile, bytes]:
    from kibitz.data.download import download

    failures = []
    for file in alternatives:
        try:
            data = _checked(file, download(file), file.source)
        except InputError as error:
            failures.append(str(error).rstrip("."))
            continue
        target = cache_folder() / file.path
        try:
            write_whole(target, data)
        except OSError as error:
            raise InputError(
                f"{target} cannot be written ({error.strerror}): make room there, "
                f"or set {VARIABLE} to a folder that has the data."
            ) from error
        return file, data
    raise DataUnavailable(
        f"{alternatives[0].path} cannot be had ({'; '.join(failures)}): connect to the network, "
        f"or set {VARIABLE} to a folder that has it."
    )


def _checked(file: DataFile, data: bytes, where: str) -> bytes:
    digest = hashlib.sha256(data).hexdigest()
    if digest != file.sha256:
        raise InputError(
            f"{where} is not {file.path} as it should be, its SHA-256 being {digest[:12]} and not "
            f"{file.sha256[:12]}: remove it and get it again."
        )
    return data
