"""Column files as CoNLL has them: tokens are lines, columns are apart by blanks or tabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from sys import intern

from kibitz.data.packed import read_bytes
from kibitz.errors import InputError

Token = tuple[str, ...]
Sentence = list[Token]

_BYTE_ORDER_MARK = "\ufeff"


def read_columns(path: str | Path, *, columns: int | None = None) -> list[Sentence]:
    """The sentences of a file, plain, .gz or .xz; with `columns`, how many every token must have."""
    return parse_columns(read_bytes(path), str(path), columns=columns)


def parse_columns(data: bytes, where: str, *, columns: int | None = None) -> list[Sentence]:
    """The sentences of a file's bytes; `where` is what messages call the file."""
    sentences: list[Sentence] = []
    sentence: Sentence = []
    expected, since = columns, 0
    for number, line in enumerate(_lines(data, where), start=1):
        token = _token(line, where, number)
        if not token:
            if sentence:
                sentences.append(sentence)
                sentence = []
            continue
        if expected is None:
            expected, since = len(token), number
        if len(token) != expected:
            reference = f"as line {since} has" if since else "as expected"
            raise InputError(
                f"{where}:{number}: this line has {_columns(len(token))}, not {expected} {reference}: "
                "give every token the same columns."
            )
        sentence.append(token)
    if sentence:
        sentences.append(sentence)
    if not sentences:
        raise InputError(
            f"{where} is empty: it should have a token a line and a blank line between sentences."
        )
    return sentences


def labelled(sentences: Sequence[Sentence], where: str) -> list[tuple[Sentence, tuple[str, ...]]]:
    """Each sentence as input and gold: the last column is the label, the others are the input."""
    if sentences and len(sentences[0][0]) < 2:
        raise InputError(f"{where} has one column only: it should have at least a word and, last, a label.")
    return [
        ([token[:-1] for token in sentence], tuple([token[-1] for token in sentence]))
        for sentence in sentences
    ]


def _lines(data: bytes, where: str) -> Iterator[str]:
    """The lines, ended by a line feed and nothing else: words may hold the exotic line ends of Unicode."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{where}:{number}: this line is not UTF-8: convert the file to UTF-8.") from error
    return iter(text.removeprefix(_BYTE_ORDER_MARK).split("\n"))


def _token(line: str, where: str, number: int) -> Token:
    """The columns of a line, () for a blank one. Where there are tabs, they alone part the columns."""
    line = line.rstrip("\r")
    if "\t" not in line:
        return tuple([intern(field) for field in line.split(" ") if field])
    fields = line.split("\t")
    if not "".join(fields).strip(" "):
        return ()
    if not all(field.strip(" ") for field in fields):
        raise InputError(
            f"{where}:{number}: column {_first_empty(fields)} of this line is empty: fill it in."
        )
    return tuple([intern(field.strip(" ")) for field in fields])


def _first_empty(fields: Sequence[str]) -> int:
    return next(i for i, field in enumerate(fields, start=1) if not field.strip(" "))


def _columns(count: int) -> str:
    return f"{count} column" if count == 1 else f"{count} columns"
