"""Work in stages, each done once: what a stage made is kept as long as nothing that decides it has changed."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz.data.checksum import checksum_of
from kibitz.data.folders import write_whole
from kibitz.errors import InputError

RECORD = "stages.json"
_MAKING = ".making"

Figures = dict[str, Any]
Work = Callable[[Path], Figures]


@dataclass(frozen=True, slots=True)
class Done:
    """What is known of a stage that ended: its files with their checksums, and what it cost."""

    key: str
    files: dict[str, str]
    bytes: dict[str, int]
    seconds: float
    figures: Figures


class Stages:
    """The stages of one folder.

    A stage writes its files into a folder of its own; only when all are there do they take their places and enter the
    record. So whatever interrupts it, the folder has the files of whole stages, and the same work goes on from there.
    """

    def __init__(self, folder: Path) -> None:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file: name a folder, or a place for a new one.")
        self.folder = folder
        self.done: dict[str, Done] = {name: Done(**each) for name, each in _record(folder / RECORD).items()}

    def checksums(self, name: str) -> dict[str, str]:
        """The files of a stage that has ended, for the keys of stages that read them."""
        return self.done[name].files

    def run(self, name: str, decides: Any, work: Work) -> Done:
        """Do the stage, unless it was done from the same; ``decides`` is all that decides its files, as JSON."""
        key = hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()
        if name in self.done and self.done[name].key == key and self._whole(self.done[name]):
            return self.done[name]
        began = time.perf_counter()
        making = self.folder / _MAKING / name
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        figures = work(making)
        made = sorted(path for path in making.rglob("*") if path.is_file())
        names = [path.relative_to(making).as_posix() for path in made]
        sums = dict(zip(names, map(checksum_of, made), strict=True))
        sizes = {name: path.stat().st_size for name, path in zip(names, made, strict=True)}
        self._forget(name)
        for path in made:
            place = self.folder / path.relative_to(making)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
        self.done[name] = Done(key, sums, sizes, round(time.perf_counter() - began, 3), figures)
        self._keep()
        shutil.rmtree(self.folder / _MAKING, ignore_errors=True)
        return self.done[name]

    def _forget(self, name: str) -> None:
        """Remove what an earlier run of the stage made."""
        if name in self.done:
            old = self.done.pop(name)
            self._keep()
            for file in old.files:
                (self.folder / file).unlink(missing_ok=True)

    def _keep(self) -> None:
        record = {name: asdict(done) for name, done in self.done.items()}
        write_whole(self.folder / RECORD, json.dumps(record, indent=1).encode() + b"\n")

    def _whole(self, done: Done) -> bool:
        paths = [(self.folder / file, checksum) for file, checksum in done.files.items()]
        return all(path.is_file() and checksum_of(path) == checksum for path, checksum in paths)


def _record(path: Path) -> dict[str, Any]:
    """What is on record; without one, or with a damaged one, every stage is done again."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError, json.JSONDecodeError):
        return {}
    wanted = set(Done.__dataclass_fields__)
    if not isinstance(record, dict) or any(set(each) != wanted for each in record.values()):
        return {}
    return record
