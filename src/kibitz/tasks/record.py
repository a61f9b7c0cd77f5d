"""Results of long jobs, a JSON file each: a job begun again does only what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.data.folders import write_whole
from kibitz.errors import InputError
from kibitz.tasks.side_by_side import Heard, Worker, run_side_by_side


@dataclass(frozen=True, slots=True)
class Piece:
    """A job by name, and the JSON of all that decides its result: where that differs, it is made again."""

    name: str
    key: Mapping[str, Any]
    job: Any


@dataclass(frozen=True, slots=True)
class Record:
    """A folder of results."""

    folder: Path

    def all(
        self, pieces: Sequence[Piece], worker: Worker, *, at_once: int | None = None,
        heard: Callable[[str, dict[str, Any]], None] = lambda name, told: None,
    ) -> dict[str, dict[str, Any]]:  # fmt: skip
        """The result of every piece by name, from the folder or made now."""
        found = {piece.name: result for piece in pieces if (result := self.get(piece)) is not None}
        missing = [piece for piece in pieces if piece.name not in found]

        def tell(number: int, told: dict[str, Any]) -> None:
            heard(missing[number].name, told)

        listen: Heard = tell
        jobs = [piece.job for piece in missing]
        for number, result in run_side_by_side(worker, jobs, at_once=at_once, heard=listen):
            if result.get("interrupted"):
                continue
            piece = missing[number]
            self._put(piece, result)
            found[piece.name] = result
        return found

    def get(self, piece: Piece) -> dict[str, Any] | None:
        """The result of a piece, if it was made from the same key."""
        path = self._path(piece)
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError:
            raise InputError(f"{path} is damaged: remove it, and the run is done again.") from None
        same = json.dumps(kept["key"], sort_keys=True) == json.dumps(piece.key, sort_keys=True)
        result: dict[str, Any] = kept["result"]
        return result if same else None

    def _put(self, piece: Piece, result: Mapping[str, Any]) -> None:
        text = json.dumps({"key": piece.key, "result": result})
        write_whole(self._path(piece), text.encode())

    def _path(self, piece: Piece) -> Path:
        return self.folder / f"{piece.name}.json"
