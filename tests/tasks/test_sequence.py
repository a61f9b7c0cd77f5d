"""Sequences from files of the user's own: schemes, losses, templates, and the cache of encodings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.errors import InputError
from kibitz.feedback import ChunkF1, Hamming
from kibitz.tasks import sequence
from kibitz.tasks.recipe import Recipe

Write = Callable[[str, str], str]

BIO = "a X B-NP\nb X I-NP\nc X O\nd X B-VP\n\ne X O\nf X B-NP\n"
IOB1 = "a X I-NP\nb X I-NP\nc X B-NP\nd X O\n\ne X I-VP\nf X O\n"
IOBES = "a X B-NP\nb X E-NP\nc X O\nd X S-VP\n\ne X B-NP\nf X I-NP\ng X E-NP\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encodings of these tests are kept nowhere else."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return put


@pytest.mark.parametrize(
    ("text", "scheme", "impossible"),
    [(BIO, "bio", ("O", "I-NP")), (IOB1, "iob1", ("O", "B-NP")), (IOBES, "iobes", ("O", "E-NP"))],
)
def test_the_scheme_is_seen_in_the_labels_or_named_and_forbids_its_impossible_steps(
    write: Write, text: str, scheme: str, impossible: tuple[str, str]
) -> None:
    path = write("train.txt", text)
    for named in (None, scheme):
        task = sequence.task(Recipe("sequence", train=path, scheme=named))
        assert task.loss == ChunkF1(scheme)
        assert impossible in task.space.forbidden
        x = task.train[0]
        weights = [0.0] * task.space.size
        drawn = {label for y in task.space.structures(x) for label in y[:1]}
        assert impossible[1] not in drawn
        bad = (*impossible, *["O"] * (x.length - 2))
        assert task.space.distribution(x, weights).log_prob(bad) == float("-inf")


def test_every_gold_sequence_of_training_is_possible(write: Write) -> None:
    for text in (BIO, IOB1, IOBES):
        task = sequence.task(Recipe("sequence", train=write("train.txt", text)))
        for i in range(len(task.train)):
            assert task.train.gold_of(i) in set(task.space.structures(task.train[i]))


def test_a_file_in_another_scheme_than_the_one_named_is_refused_by_line(write: Write) -> None:
    path = write("train.txt", IOB1)
    with pytest.raises(InputError, match=rf"{path}:1: 'I-NP' cannot open .* --scheme"):
        sequence.task(Recipe("sequence", train=path, scheme="iob2"))


def test_labels_that_write_no_spans_are_judged_one_by_one(write: Write) -> None:
    task = sequence.task(Recipe("sequence", train=write("train.txt", "a NN\nb VB\n")))
    assert task.loss == Hamming()
    assert task.space.forbidden == ()


def test_f1_of_labels_that_write_no_spans_is_refused_by_line(write: Write) -> None:
    path = write("train.txt", "a O\nb VB\n")
    with pytest.raises(InputError, match=rf"{path}:2: the label 'VB'"):
        sequence.task(Recipe("sequence", train=path, loss="f1"))


def test_a_template_file_decides_the_attributes(write: Write) -> None:
    train = write("train.txt", BIO)
    templates = write("templates.txt", "# words alone\nw[0]\n")
    task = sequence.task(Recipe("sequence", train=train, templates=templates))
    assert set(task.space.vocabulary.names()) == {f"w[0]={word}" for word in "abcdef"}


def test_attributes_of_dev_alone_get_no_weights(write: Write) -> None:
    train, dev = write("train.txt", BIO), write("dev.txt", "unheard X O\n")
    size = sequence.task(Recipe("sequence", train=train)).space.size
    assert sequence.task(Recipe("sequence", train=train, dev=dev)).space.size == size


def test_an_unseen_dev_label_is_warned_of_with_its_line(write: Write) -> None:
    train, dev = write("train.txt", BIO), write("dev.txt", "a X O\n\nb X B-PP\n")
    (warning,) = sequence.task(Recipe("sequence", train=train, dev=dev)).warnings
    assert warning.startswith(f"{dev}:3: ")
    assert "B-PP" in warning


def test_a_second_look_at_the_same_files_extracts_nothing(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Recipe("sequence", train=write("train.txt", BIO), dev=write("dev.txt", "a X O\n"))
    first = sequence.task(recipe)

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("the files were encoded again")

    monkeypatch.setattr("kibitz.tasks.encoding.encode", refuse)
    second = sequence.task(recipe)
    assert second.space.vocabulary.names() == first.space.vocabulary.names()
    assert (second.train.gold == first.train.gold).all()
    assert second.dev is not None


def test_a_file_that_has_changed_is_encoded_anew(write: Write) -> None:
    recipe = Recipe("sequence", train=write("train.txt", BIO))
    before = len(sequence.task(recipe).train)
    write("train.txt", BIO + "\nz X O\n")
    assert len(sequence.task(recipe).train) == before + 1
