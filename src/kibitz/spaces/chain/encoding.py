"""From raw inputs to rows of the weight table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.features.extractor import Extractor
from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.chain.corpus import Corpus
from kibitz.spaces.rows import Rows


def encode_all(
    extractor: Extractor,
    vocabulary: Vocabulary,
    contexts: int,
    labels: Sequence[str],
    raws: Iterable[Any],
    golds: Iterable[Sequence[str]] | None,
) -> Corpus:
    """Encode inputs into one corpus. Rows 0 .. contexts - 1 are transitions; attribute ``a`` has row contexts + a."""
    ptr, rows, values, starts = [0], [], [], [0]
    real = False
    lengths: list[int] = []
    for raw in raws:
        tokens = extractor.extract(raw)
        if len(tokens) == 0:
            raise InputError(f"input {len(lengths) + 1} is empty: an input needs at least one token")
        for attributes in tokens:
            names = [attribute for attribute in attributes if isinstance(attribute, str)]
            if len(names) == len(attributes):
                known = [place + contexts for place in vocabulary.numbers(names) if place >= 0]
                values += [1.0] * len(known)
                rows += known
            else:
                real = True
                for attribute in attributes:
                    name, value = (attribute, 1.0) if isinstance(attribute, str) else attribute
                    place = vocabulary.number(name)
                    if place >= 0:
                        rows.append(place + contexts)
                        values.append(float(value))
            ptr.append(len(rows))
        for context in range(contexts):
            rows.append(context)
            values.append(1.0)
            ptr.append(len(rows))
        lengths.append(len(tokens))
        starts.append(len(ptr) - 1)
    if real and not np.isfinite(values).all():
        raise InputError("an attribute has a value that is not a finite number")
    x = Rows(
        np.array(ptr, np.int32),
        np.array(rows, np.uint32),
        np.array(values if real else [], np.float32),
    )
    numbers = {label: i for i, label in enumerate(labels)}
    gold = np.full(starts[-1], -1, np.int32)
    if golds is not None:
        number_golds(gold, numbers, starts, lengths, golds)
    return Corpus(x, np.array(starts, np.int64), contexts, gold, tuple(numbers), golds is not None)


def number_golds(
    gold: Any,
    numbers: dict[str, int],
    starts: Sequence[int],
    lengths: Sequence[int],
    golds: Iterable[Sequence[str]],
) -> None:
    """Write gold labels by number at their positions; labels not yet in ``numbers`` get the next ones."""
    count = 0
    for i, labels in enumerate(golds):
        count += 1
        if i >= len(lengths) or len(labels) != lengths[i]:
            have = lengths[i] if i < len(lengths) else 0
            raise InputError(f"input {i + 1} has {have} tokens but {len(labels)} gold labels")
        gold[starts[i] : starts[i] + len(labels)] = [
            numbers.setdefault(label, len(numbers)) for label in labels
        ]
    if count != len(lengths):
        raise InputError(f"there are {len(lengths)} inputs but {count} gold labellings")
