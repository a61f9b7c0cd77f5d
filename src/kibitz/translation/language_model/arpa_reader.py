r"""Reads ARPA files into n-grams.

    \data\
    ngram 1=3

    \1-grams:
    -1.2    word    -0.3        log10 p, the words, log10 of what backing off costs

    \end\
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

import numpy as np

from kibitz.data.packed import read_bytes
from kibitz.errors import InputError
from kibitz.translation.language_model import arpa_lines as lines
from kibitz.translation.language_model.ngrams import SPECIAL, Ints, NGrams, Order

_COUNT = re.compile(rb"ngram\s+(\d+)\s*=\s*(\d+)\s*")
_CAPITALS = {"<UNK>": "<unk>"}
MISSING = -100.0  # log10 p of <unk> in a model without it


def read_arpa(path: str | Path) -> tuple[NGrams, tuple[int, ...]]:
    """The n-grams of a file, plain, .gz or .xz, and for each length the number of the line of its first."""
    return parse_arpa(read_bytes(path), str(path))


def parse_arpa(data: bytes, where: str) -> tuple[NGrams, tuple[int, ...]]:
    """The same of a file's bytes; ``where`` is what messages call the file."""
    reader = _Reader(data, where)
    counts = reader.head()
    starts = [reader.title(1)]
    words, table, unigrams = reader.unigrams(counts[0], highest=len(counts) == 1)
    orders = [unigrams]
    for n, count in enumerate(counts[1:], start=2):
        starts.append(reader.title(n))
        orders.append(reader.ngrams(n, count, table, highest=n == len(counts)))
    reader.end()
    return NGrams(words, tuple(orders)), tuple(starts)


class _Reader:
    """Goes through the bytes once, section by section."""

    def __init__(self, data: bytes, where: str) -> None:
        self._data, self._where = data, where
        self._bytes = np.frombuffer(data, np.uint8)
        self._at = 0  # where the next line begins
        self._token = np.zeros(2, np.int64)  # the part of the last line that is wrong, if it is

    def head(self) -> list[int]:
        """How many n-grams of each length there are."""
        begin, line = self._line()
        if line != b"\\data\\":
            self._fail(begin, rf"an ARPA file begins with \data\, not with {_shown(line)}")
        counts: list[int] = []
        while self._data[self._at : self._at + 1] not in (b"", b"\\"):
            begin, line = self._line()
            match = _COUNT.fullmatch(line)
            if line.startswith(b"\\"):
                self._at = begin
                break
            if match is None or int(match[1]) != len(counts) + 1:
                self._fail(
                    begin, f"this line should be like 'ngram {len(counts) + 1}=1000', not {_shown(line)}"
                )
            counts.append(int(match[2]))
            if counts[-1] > len(self._data):
                self._fail(
                    begin, f"the file is too short for {counts[-1]:,} n-grams: it is cut off or damaged"
                )
        if not counts:
            self._fail(
                self._at, r"after \data\ a line like 'ngram 1=1000' should come for each length of n-grams"
            )
        return counts

    def title(self, n: int) -> int:
        """Pass the title of a section; returns the number of the line after it."""
        begin, line = self._line()
        expected = f"\\{n}-grams:"
        if line != expected.encode():
            more = n > 1 and line and not line.startswith(b"\\")
            also = f", or more {n - 1}-grams are listed than the head says" if more else ""
            self._fail(begin, f"{expected} should stand here, not {_shown(line)}{also}")
        return self._number_of(self._at)

    def end(self) -> None:
        """Make sure that nothing is missing."""
        begin, line = self._line()
        if line != b"\\end\\":
            self._fail(begin, rf"\end\ should stand here, not {_shown(line)}: the file is cut off or damaged")

    def unigrams(self, count: int, *, highest: bool) -> tuple[tuple[str, ...], lines.Words, Order]:
        """The words, numbered with the special ones first, and their hash table."""
        first, end = np.zeros(count, np.int64), np.zeros(count, np.int64)
        logprob, backoff = np.zeros(count, np.float32), np.zeros(count, np.float32)
        begin = self._at
        self._at, done, fault = lines.read_unigrams(
            self._bytes, begin, first, end, logprob, backoff, self._token
        )
        self._check(fault, 1, count, done)
        names = [self._decoded(a, b) for a, b in zip(first.tolist(), end.tolist(), strict=True)]
        number = {name: i for i, name in enumerate(SPECIAL)}
        numbers = [number.setdefault(name, len(number)) for name in names]
        if len(set(numbers)) < count:
            seen: set[int] = set()
            twice = next(i for i, w in enumerate(numbers) if w in seen or seen.add(w))  # type: ignore[func-returns-value]
            self._fail(int(first[twice]), f"the word {names[twice]!r} is listed twice")
        for name in ("<s>", "</s>"):
            if number[name] not in numbers:
                self._fail(
                    begin,
                    f"the 1-grams have no {name}: the model does not know where sentences begin and end",
                )
        slots = np.full(1 << (2 * count + 1).bit_length(), -1, np.int32)
        table = lines.Words(first, end, np.array(numbers, np.int32), slots)
        lines.enter_words(self._bytes, table)
        if highest:
            backoff[:] = 0.0
        if number["<unk>"] not in numbers:
            numbers.append(number["<unk>"])
            logprob, backoff = np.append(logprob, np.float32(MISSING)), np.append(backoff, np.float32(0.0))
        return tuple(number), table, Order(np.array(numbers, np.int32)[:, None], logprob, backoff)

    def ngrams(self, n: int, count: int, table: lines.Words, *, highest: bool) -> Order:
        """The n-grams of one length."""
        grams: Ints = np.zeros((count, n), np.int32)
        logprob, backoff = np.zeros(count, np.float32), np.zeros(count, np.float32)
        self._at, done, fault = lines.read_ngrams(
            self._bytes, self._at, table, grams, logprob, backoff, self._token
        )
        self._check(fault, n, count, done)
        if highest:
            backoff[:] = 0.0
        return Order(grams, logprob, backoff)

    def _line(self) -> tuple[int, bytes]:
        """The next line that is not blank, and where it begins; b"" at the end of the file."""
        while self._at < len(self._data):
            begin = self._at
            end = self._data.find(b"\n", begin)
            self._at = len(self._data) if end < 0 else end + 1
            line = self._data[begin : self._at].strip()
            if line:
                return begin, line
        return self._at, b""

    def _decoded(self, begin: int, end: int) -> str:
        try:
            word = self._data[begin:end].decode("utf-8")
        except UnicodeDecodeError:
            self._fail(begin, "this word is not UTF-8: convert the file to UTF-8")
        return _CAPITALS.get(word, word)

    def _check(self, fault: int, n: int, count: int, done: int) -> None:
        """Say what is wrong with the line at which the compiled part stopped."""
        part = _shown(self._data[self._token[0] : self._token[1]])
        words = "one word" if n == 1 else f"{n} words"
        sentences = {
            lines.ENDED: f"the {n}-grams end here after {done:,}, where the head says {count:,}",
            lines.NO_NUMBER: f"log10 of a probability should stand here, not {part}",
            lines.PROBABLE: f"log10 of a probability should be 0 at most, not {part}",
            lines.TOO_FEW: f"a {n}-gram should have {words}, and this line has fewer",
            lines.TOO_MANY: f"a {n}-gram should have {words} and at most a number after them, and this line has more",
            lines.NO_WORD: f"the word {part} is none of the 1-grams",
            lines.NO_BACKOFF: f"the number for backing off should stand here, after {words}, not {part}",
        }
        if fault != lines.FINE:
            self._fail(self._at, sentences[fault])

    def _number_of(self, at: int) -> int:
        return self._data.count(b"\n", 0, at) + 1

    def _fail(self, at: int, what: str) -> NoReturn:
        raise InputError(f"{self._where}:{self._number_of(at)}: {what}.")


def _shown(text: bytes) -> str:
    """A part of the file, short enough for a sentence."""
    if not text:
        return "the end of the file"
    decoded = text.decode("utf-8", "replace")
    return repr(decoded if len(decoded) <= 40 else decoded[:37] + "...")
