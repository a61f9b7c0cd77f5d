"""CoNLL-2000 as the paper uses it: noun phrases only, the first 1,000 training sentences held out."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.data.catalogue import CONLL2000_TEST, CONLL2000_TRAIN
from kibitz.data.columns import Sentence, labelled, parse_columns
from kibitz.data.source import read
from kibitz.data.split import Example, Split

LABELS = ("B", "I", "O")
DEV_SENTENCES = 1000


def load(*, download: bool = True) -> Split:
    """Inputs are lists of (word, tag), gold labels are B, I, O of noun phrases."""
    train_file, train_bytes = read(CONLL2000_TRAIN, download=download)
    test_file, test_bytes = read(CONLL2000_TEST, download=download)
    train = noun_phrases(parse_columns(train_bytes, train_file.path, columns=3))
    test = noun_phrases(parse_columns(test_bytes, test_file.path, columns=3))
    return Split(
        train=train[DEV_SENTENCES:],
        dev=train[:DEV_SENTENCES],
        test=test,
        checksum=f"{train_file.sha256} {test_file.sha256}",
    )


def noun_phrases(sentences: Iterable[Sentence]) -> list[Example]:
    """Chunk tags with everything but noun phrases outside: B-NP is B, I-NP is I, the rest is O."""
    labels = {"B-NP": "B", "I-NP": "I"}
    return [
        (raw, tuple([labels.get(chunk, "O") for chunk in chunks]))
        for raw, chunks in labelled(list(sentences), "the chunking data")
    ]
