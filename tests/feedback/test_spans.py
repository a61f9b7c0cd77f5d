"""Spans and corpus F1 are those of conlleval, whose later version seqeval follows in its default mode."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics import f1_score
from seqeval.metrics.sequence_labeling import get_entities

from kibitz.feedback.chunk_f1 import ChunkF1
from kibitz.feedback.spans import Span, spans
from kibitz.spaces.schemes import scheme_from

TYPES = ("NP", "VP", "PER-X")
ALPHABETS = {
    "bio": ["O"] + [f"{p}-{t}" for p in "BI" for t in TYPES],
    "iob1": ["O"] + [f"{p}-{t}" for p in "BI" for t in TYPES],
    "iobes": ["O"] + [f"{p}-{t}" for p in "BIES" for t in TYPES],
}
UNTYPED = ["O", "B", "I"]
MIXED = ["O", "B", "I", "E", "S", "B-NP", "I-NP", "E-NP", "S-NP", "I-VP"]


def seqeval_spans(labels: list[str]) -> list[Span]:
    """seqeval gives the last token, not the one after it, and writes the missing type of ``B`` as ``_``."""
    return [Span("" if kind == "_" else kind, start, stop + 1) for kind, start, stop in get_entities(labels)]


@st.composite
def written(draw: st.DrawFn, scheme: str) -> list[str]:
    """A sentence that follows the scheme's rules."""
    rules, alphabet = scheme_from(scheme), ALPHABETS[scheme]
    labels: list[str] = []
    for _ in range(draw(st.integers(0, 12))):
        before = labels[-1] if labels else "O"
        labels.append(draw(st.sampled_from([a for a in alphabet if rules.allows(before, a)])))
    while labels and labels[-1] not in rules.final(alphabet):
        labels.pop()
    return labels


def any_of(alphabet: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(alphabet), max_size=12)


SENTENCES = st.one_of(
    written("bio"),
    written("iob1"),
    written("iobes"),
    any_of(ALPHABETS["iobes"]),
    any_of(UNTYPED),
    any_of(MIXED),
)


@given(SENTENCES)
def test_spans_are_those_of_seqeval_on_possible_and_impossible_sequences(labels: list[str]) -> None:
    assert spans(labels) == seqeval_spans(labels)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]]]:
    alphabet = draw(st.sampled_from([*ALPHABETS.values(), UNTYPED, MIXED]))
    sizes = draw(st.lists(st.integers(1, 8), min_size=1, max_size=5))
    side = st.tuples(*[st.lists(st.sampled_from(alphabet), min_size=n, max_size=n) for n in sizes])
    return list(draw(side)), list(draw(side))


@given(corpora())
def test_corpus_f1_is_that_of_seqeval(pair: tuple[list[list[str]], list[list[str]]]) -> None:
    outputs, golds = pair
    ours = ChunkF1("iobes").corpus(outputs, golds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # seqeval warns where no span is right
        assert ours == pytest.approx(f1_score(golds, outputs), abs=1e-12)


@given(corpora())
def test_tally_over_numbers_counts_what_spans_count(pair: tuple[list[list[str]], list[list[str]]]) -> None:
    outputs, golds = pair
    loss = ChunkF1("iobes")
    labels = sorted({label for sentence in outputs + golds for label in sentence})
    number = {label: k for k, label in enumerate(labels)}
    table = loss.table(labels)
    flat = np.array([number[label] for gold in golds for label in gold], dtype=np.int32)
    total, offset = np.zeros(4), 0
    for output, gold in zip(outputs, golds, strict=True):
        ids = np.array([number[label] for label in output] + [0, 0], dtype=np.int32)  # a longer buffer
        counts = np.zeros(4)
        loss.tally(ids, flat, offset, len(gold), table, counts)
        found, true = set(spans(output)), set(spans(gold))
        assert counts.tolist() == [len(found & true), len(found), len(true), 0]
        assert loss.ratio(counts) == loss(output, gold)
        total += counts
        offset += len(gold)
    assert loss.score(total) == pytest.approx(loss.corpus(outputs, golds), abs=0)


def test_a_corpus_without_a_span_scores_as_conlleval_prints_it_and_loses_nothing() -> None:
    assert ChunkF1().corpus([["O"]], [["O"]]) == 0.0
    assert ChunkF1()(["O"], ["O"]) == 0.0


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["B", "I", "O", "I"], [("", 0, 2), ("", 3, 4)]),
        (["B-NP", "I-NP", "I-VP"], [("NP", 0, 2), ("VP", 2, 3)]),
        (["I-NP", "B-NP"], [("NP", 0, 1), ("NP", 1, 2)]),
        (["B-PER-X", "I-PER-X", "I-PER-Y"], [("PER-X", 0, 2), ("PER-Y", 2, 3)]),
        (["B-A", "E-A", "B-A", "S-A", "I-A"], [("A", 0, 2), ("A", 2, 3), ("A", 3, 4), ("A", 4, 5)]),
        ([], []),
    ],
)
def test_spans_by_hand(labels: list[str], expected: list[tuple[str, int, int]]) -> None:
    assert spans(labels) == expected


def test_where_seqeval_and_we_read_labels_differently() -> None:
    # seqeval takes the first letter as the prefix and reads a label without a hyphen as typed ("BNP": B of
    # type NP); we refuse such a label by name (tests/spaces/test_schemes.py). Its type "_" is our empty type.
    with pytest.warns(UserWarning, match="seems not to be NE tag"):
        assert get_entities(["BNP", "INP"]) == [("NP", 0, 1)]
    assert get_entities(["B", "I"]) == [("_", 0, 1)]
    assert spans(["B", "I"]) == [("", 0, 2)]
