"""From candidates with named features to rows of the weight table."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.candidates.candidate import candidate_from
from kibitz.spaces.candidates.corpus import Lists, Texts
from kibitz.spaces.rows import Rows

MOST = 2**31 - 1  # feature values in one corpus: places are numbered in 32 bits


def encode_lists(vocabulary: Vocabulary, raws: Iterable[Sequence[Any]], golds: Iterable[Any] | None) -> Lists:
    """Encode lists into one corpus; features without a number are left out, as are those of value 0."""
    ptr, rows, values = array("i", [0]), array("I"), array("f")
    starts, firsts, group, ends = array("q", [0]), array("q", [0]), array("i"), array("q")
    data = bytearray()
    for number, raw in enumerate(raws, start=1):
        if isinstance(raw, str) or not isinstance(raw, Sequence) or not raw:
            raise InputError(f"input {number} is no list of candidates: give it at least one candidate")
        known: dict[str, int] = {}
        for each in raw:
            candidate = candidate_from(each)
            for place, value in zip(
                vocabulary.numbers(candidate.features), candidate.features.values(), strict=True
            ):
                if place >= 0 and value != 0:
                    rows.append(place)
                    values.append(value)
            if len(rows) > MOST:
                raise InputError(
                    f"the lists have more than {MOST:,} feature values: give fewer lists at a time"
                )
            ptr.append(len(rows))
            if candidate.text not in known:
                known[candidate.text] = len(known)
                data += candidate.text.encode("utf-8", "surrogatepass")
                ends.append(len(data))
            group.append(known[candidate.text])
        starts.append(len(group))
        firsts.append(len(ends))
    known_golds = None if golds is None else tuple(golds)
    if known_golds is not None and len(known_golds) != len(starts) - 1:
        raise InputError(f"there are {len(starts) - 1} inputs but {len(known_golds)} gold answers")
    if not np.isfinite(np.array(values)).all():
        raise InputError("a feature of a candidate has a value that is not a finite number")
    x = Rows(np.array(ptr, np.int32), np.array(rows, np.uint32), np.array(values, np.float32))
    texts = Texts(np.frombuffer(bytes(data), np.uint8), np.array(ends, np.int64))
    return Lists(
        x,
        np.array(starts, np.int64),
        np.array(group, np.int32),
        texts,
        np.array(firsts, np.int64),
        known_golds,
    )
