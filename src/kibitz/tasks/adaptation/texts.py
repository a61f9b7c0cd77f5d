"""The texts of the experiment by the part they play, from the data sets or from files of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.data.catalogue import EUROPARL, NEWS, NEWS_SAMPLES, POST_EDITS, DataFile
from kibitz.data.checksum import checksum_of
from kibitz.data.parallel import read_parallel
from kibitz.data.source import read
from kibitz.errors import InputError
from kibitz.translation.building.plan import Plan

OUT_OF_DOMAIN, HELD_OUT, IN_DOMAIN = "out-of-domain", "held-out", "in-domain"
TUNE, DEV, TEST, POST_EDITED = "tune", "dev", "test", "post-edits"
PARTS = (OUT_OF_DOMAIN, HELD_OUT, IN_DOMAIN, TUNE, DEV, TEST, POST_EDITED)
SCORED = (DEV, TEST)  # of which no sentence may be left out
TUNED_ON = (HELD_OUT, TUNE)

PAIRS, HELD_OUT_PAIRS = 100_000, 1_500
LONGEST = 60  # words of a sentence that is learned from, as in the paper
UNSEEN = slice(4128, 10881)  # the post-edited sentences that are in none of the sets of 2007
SAMPLE = next(file for file in NEWS_SAMPLES if file.path.endswith("corpus.fr-en"))
LANGUAGES = ("fr", "en")

Pair = tuple[list[str], list[str]]


@dataclass(frozen=True, slots=True)
class Texts:
    """Where each part comes from: two files of the user's own, or else the data sets; and how much of it is used."""

    files: Mapping[str, tuple[Path, Path]] = field(default_factory=dict)
    pairs: int = PAIRS
    sentences: int | None = None

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise InputError(f"--pairs must be 1 or more, not {self.pairs}.")
        if self.sentences is not None and self.sentences < 2:
            raise InputError(f"--sentences must be 2 or more, not {self.sentences}.")

    @property
    def languages(self) -> tuple[str, str]:
        """Those of the source and of the target."""
        own = self.files.get(OUT_OF_DOMAIN)
        return LANGUAGES if own is None else Plan(*own, Path()).languages

    def decides(self) -> list[Any]:
        """All that decides what is read, as JSON."""
        sums = {
            part: [*map(checksum_of, own)] if (own := self.files.get(part)) else "data sets" for part in PARTS
        }
        return [sums, self.pairs, self.sentences]

    def pair(self, part: str) -> Pair:
        """The lines of a part: of out-of-domain text the first ones, of others as many as wanted, evenly spread."""
        own = self.files.get(part)
        sources, targets = read_parallel(*own) if own else _of_data_sets(part)
        kept = [k for k in range(len(sources)) if sources[k].strip() and targets[k].strip()]
        if part in SCORED and len(kept) < len(sources):
            k = next(k for k in range(len(sources)) if k >= len(kept) or kept[k] != k)
            where = own[0 if not sources[k].strip() else 1] if own else part
            raise InputError(f"{where}:{k + 1}: this line is empty: it should have a sentence.")
        if part in TUNED_ON:
            kept = [k for k in kept if len(sources[k].split()) <= LONGEST]
        if part == OUT_OF_DOMAIN:
            kept = kept[: self.pairs]
        else:
            kept = spread(kept, HELD_OUT_PAIRS if part == HELD_OUT and not own else None)
            kept = spread(kept, self.sentences)
        return [sources[k] for k in kept], [targets[k] for k in kept]


def spread(lines: Sequence[int], most: int | None) -> list[int]:
    """At most so many of them, evenly spread."""
    if most is None or len(lines) <= most:
        return list(lines)
    return [lines[i * len(lines) // most] for i in range(most)]


def write_texts(texts: Texts, folder: Path, seen: Callable[[int, int], None]) -> dict[str, Any]:
    """Write every part as `PART.source` and `PART.target`; how many sentences and words each has."""
    figures = {}
    for number, part in enumerate(PARTS, start=1):
        sources, targets = texts.pair(part)
        for side, lines in (("source", sources), ("target", targets)):
            write_lines(folder / f"{part}.{side}", lines)
        figures[part] = {
            "sentences": len(sources),
            "source_words": sum(len(line.split()) for line in sources),
            "target_words": sum(len(line.split()) for line in targets),
        }
        seen(number, len(PARTS))
    return figures


def write_lines(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _of_data_sets(part: str) -> Pair:
    if part == IN_DOMAIN:
        pairs = [line.split(" ||| ") for line in _lines(SAMPLE)]
        sources, targets = _lines(POST_EDITS[0])[UNSEEN], _lines(POST_EDITS[3])[UNSEEN]
        return [*sources, *(source for source, _ in pairs)], [*targets, *(target for _, target in pairs)]
    if part == POST_EDITED:
        return _lines(POST_EDITS[0])[UNSEEN], _lines(POST_EDITS[2])[UNSEEN]
    files = {
        OUT_OF_DOMAIN: EUROPARL[0:2],
        HELD_OUT: EUROPARL[2:4],
        TUNE: NEWS[0:2],
        DEV: NEWS[2:4],
        TEST: NEWS[4:6],
    }
    source, target = files[part]
    return _lines(source), _lines(target)


def _lines(file: DataFile) -> list[str]:
    return read(file)[1].decode("utf-8").split("\n")[:-1]
