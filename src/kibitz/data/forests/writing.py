"""Forests written to files of any format, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kibitz.data.folders import whole_file
from kibitz.data.forests.cdec import CDEC
from kibitz.data.forests.format import Named
from kibitz.data.forests.jsonl import JSONL
from kibitz.data.forests.reading import FORMATS, format_of
from kibitz.data.packed import packing
from kibitz.errors import InputError

ENDINGS = {".jsonl": JSONL.name, ".cfg": CDEC.name}


def format_for(path: str | Path) -> str:
    """The name of the format that a file's name ends in, .gz or .xz apart."""
    ending = Path(str(path).removesuffix(".gz").removesuffix(".xz")).suffix
    if ending not in ENDINGS:
        raise InputError(
            f"the name {path} does not say in which format to write: choose from {', '.join(FORMATS)}, "
            f"or let it end in {' or '.join(ENDINGS)}"
        )
    return ENDINGS[ending]


def write_forests(path: str | Path, forests: Iterable[Named], form: str) -> int:
    """Write all of them, or leave the file as it was; packed if the name ends in .gz or .xz. Returns how many."""
    written = 0

    def counted() -> Iterable[Named]:
        nonlocal written
        for named in forests:
            yield named
            written += 1

    texts = format_of(form).text(counted())
    with whole_file(Path(path)) as file, packing(file, str(path)) as packed:
        for text in texts:
            packed.write(text.encode("utf-8"))
    return written
