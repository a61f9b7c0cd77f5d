"""Parses of many sentences, made once for the same sentences, files and settings, and kept between runs.

They lie in the cache, some hundred sentences a file, each file under a name that tells all that decides what is in it.
So what was made is found again by any run over the same sentences, and making goes on where it was interrupted.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random

from kibitz.data.checksum import checksum_of
from kibitz.data.folders import cache_folder
from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.translation.decoder.decoder import Decoder
from kibitz.translation.decoder.sentence import Sentence
from kibitz.translation.grammar import Segment, Symbols
from kibitz.translation.parses.file import Damaged, ParsesFile, write_parses
from kibitz.translation.parses.packed import Known, Names, Packed, pack, unpack
from kibitz.translation.system import System

VERSION = 2  # of the parses and of their form; a change of either makes the kept ones useless
A_FILE = 250  # sentences
ROOM = 24 << 30  # bytes; the files that were not used for longest make room
Report = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Say nothing."""


class KeptParses:
    """The sentences of a system, made and kept where that has not been done before."""

    def __init__(
        self, system: System, decoder: Decoder, segments: Sequence[Segment], where: str, report: Report
    ) -> None:
        self._decoder, self._segments = decoder, list(segments)
        decoder.symbols.features.numbers(decoder.models)
        groups = [self._segments[i : i + A_FILE] for i in range(0, len(self._segments), A_FILE)]
        paths = _paths(system, groups)
        maker = _Maker(system, decoder, len(self._segments), where, report)
        # Each process begins somewhere else, so that those that need the same parses share the work.
        order = list(range(len(groups)))
        Random(os.getpid()).shuffle(order)
        files = {f: maker.file(paths[f], groups[f], f * A_FILE) for f in order}
        self._files = [files[f] for f in range(len(groups))]
        self._known = [Known.of(file.names, decoder.symbols) for file in self._files]
        _make_room(set(paths))

    def __len__(self) -> int:
        return len(self._segments)

    def __getitem__(self, i: int) -> Sentence:
        segment, (f, place) = self._segments[i], divmod(i, A_FILE)
        try:
            packed = self._files[f][place]
        except Damaged:
            return self._decoder.ready(segment)
        models = self._decoder.models_for(segment)
        return unpack(packed, self._known[f], models, segment._replace(text=""))


class _Maker:
    """Makes the files that there are not; reads the system's grammar only for that."""

    def __init__(self, system: System, decoder: Decoder, total: int, where: str, report: Report) -> None:
        self._system, self._models, self._where, self._report = system, decoder.models, where, report
        self._decoder: Decoder | None = None
        self._done, self._total = 0, total

    def file(self, path: Path, group: Sequence[Segment], first: int) -> ParsesFile:
        """The file of a group, whose first sentence has the number ``first``."""
        try:
            found = ParsesFile(path)
            path.touch()
            self._done += len(group)
            return found
        except Damaged:
            names = Names(Vocabulary(), Vocabulary(), Vocabulary())
            write_parses(path, self._packed(group, first, names), names)
            return ParsesFile(path)

    def _packed(self, group: Sequence[Segment], first: int, names: Names) -> Iterator[Packed]:
        # A decoder of its own, that the numbers of features are the same whether files are made now or were before.
        self._decoder = self._decoder or self._system.decoder(Symbols(), self._models)
        for number, segment in enumerate(group, start=first + 1):
            try:
                ready = self._decoder.ready(segment)
            except InputError as error:
                raise InputError(f"{self._where}:{number}: {error}") from error
            yield pack(ready, names)
            self._done += 1
            self._report(self._done, self._total)


def _paths(system: System, groups: Sequence[Sequence[Segment]]) -> list[Path]:
    """Where the parses of each group are, or will be."""
    checksum = cache(checksum_of)
    options = {
        **asdict(system),
        "pop_limit": None,
        "best_pop_limit": None,
        "beam": None,
    }  # parses know no limits
    of_system = [
        VERSION,
        {
            **options,
            "grammars": [checksum(path) for path in system.grammars],
            "models": [(name, checksum(path)) for name, path in system.models.items()],
        },
    ]
    folder, found = cache_folder() / "parses", []
    for group in groups:
        of_group = [
            (
                x.text, [checksum(path) for path in x.grammars],
                [(name, checksum(path)) for name, path in x.models], x.alone,
            )
            for x in group
        ]  # fmt: skip
        key = hashlib.sha256(json.dumps([of_system, of_group]).encode()).hexdigest()[:40]
        found.append(folder / f"{key}.parses")
    return found


def _make_room(used: set[Path]) -> None:
    """Delete the files that were not used for longest, where there are more than there is room for."""
    if not used:
        return
    folder, total = next(iter(used)).parent, 0
    by_age = sorted(folder.glob("*.parses"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in by_age:
        total += path.stat().st_size
        if total > ROOM and path not in used:
            path.unlink(missing_ok=True)
