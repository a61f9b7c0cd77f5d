"""The chunking and handwriting sets: the readers on data of our own, the splits on the real data."""

import io
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from kibitz.data import Split, generated_chunks, generated_words, parse_columns
from kibitz.data.conll2000 import noun_phrases
from kibitz.data.letters import LABELS, parse_letters, split, unpickle_letters
from kibitz.data.sentences import as_columns
from kibitz.errors import InputError

WORDS = generated_words(seed=3, count=12)


def letter_file() -> list[bytes]:
    """The generated words as lines of the letters file, word i in fold i mod 10."""
    lines: list[bytes] = []
    for i, (pixels, letters) in enumerate(WORDS):
        for j, letter in enumerate(letters):
            following = -1 if j + 1 == len(letters) else len(lines) + 2
            fields = [len(lines) + 1, letter, following, i, j + 1, i % 10, *pixels[j]]
            lines.append("\t".join(map(str, fields)).encode())
    return lines


def test_only_noun_phrases_keep_their_labels() -> None:
    sentences = parse_columns(b"He PRP B-NP\nsaw VBD B-VP\nold JJ B-NP\nmen NNS I-NP\n. . O\n", "f")
    [(raw, gold)] = noun_phrases(sentences)
    assert gold == ("B", "O", "B", "I", "O")
    assert raw[0] == ("He", "PRP")


@pytest.mark.parametrize("tail", [b"\n", b"\t\n", b"\r\n"])
def test_letters_are_read_back_as_they_were_written(tail: bytes) -> None:
    words = list(parse_letters(tail.join([*letter_file(), b""]), "f"))
    assert [fold for _, _, fold in words] == [i % 10 for i in range(len(WORDS))]
    for (pixels, letters, _), (expected_pixels, expected_letters) in zip(words, WORDS, strict=True):
        assert letters == expected_letters
        assert pixels.dtype == np.uint8
        np.testing.assert_array_equal(pixels, expected_pixels)


def test_letters_fall_into_the_folds_split() -> None:
    parts = split(list(parse_letters(b"\n".join(letter_file()), "f")), "sum")
    assert [len(part) for part in (parts.train, parts.dev, parts.test)] == [8, 2, 2]
    assert parts.test[0][1] == WORDS[0][1]
    assert parts.dev[0][1] == WORDS[1][1]


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:-2],
        lambda line: line[:-1] + b"2",
        lambda line: line.replace(b"\t", b" "),
        lambda line: line.replace(b"\t", b"\t?", 1),
        lambda line: line[:-2] + b"00",
        lambda line: b"",
    ],
)
def test_a_broken_letter_is_refused_with_its_line(damage: Callable[[bytes], bytes]) -> None:
    lines = letter_file()
    lines[4] = damage(lines[4])
    with pytest.raises(InputError, match=r"^f:5: "):
        list(parse_letters(b"\n".join(lines), "f"))


@pytest.mark.parametrize("data", [b"", b"\n".join(letter_file()[:-1])])
def test_letters_that_end_within_a_word_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="ends inside a word"):
        list(parse_letters(data, "f"))


def test_pickled_letters_are_the_same_words() -> None:
    content = {
        "data": [pixels for pixels, _ in WORDS],
        "labels": [np.array([LABELS.index(letter) for letter in letters]) for _, letters in WORDS],
        "folds": np.arange(len(WORDS)) % 10,
    }
    words = list(unpickle_letters(pickle.dumps(content, protocol=3), "f"))
    for (pixels, letters, fold), (expected_pixels, expected_letters, expected_fold) in zip(
        words, parse_letters(b"\n".join(letter_file()), "f"), strict=True
    ):
        np.testing.assert_array_equal(pixels, expected_pixels)
        assert (letters, fold) == (expected_letters, expected_fold)


class Harmful:
    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return print, ("this code should not run",)


def test_a_pickle_that_runs_code_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    harmful = io.BytesIO()
    pickle.dump({"data": [Harmful()]}, harmful)
    for data in (harmful.getvalue(), b"no pickle", pickle.dumps({"labels": []})):
        with pytest.raises(InputError, match="not the pickle of letters"):
            list(unpickle_letters(data, "f"))
    assert capsys.readouterr().out == ""


def test_generated_words_are_the_same_for_the_same_seed() -> None:
    again = generated_words(seed=3, count=20)
    for (pixels, letters), (same_pixels, same_letters) in zip(WORDS, again, strict=False):
        assert letters == same_letters
        np.testing.assert_array_equal(pixels, same_pixels)
    assert [letters for _, letters in generated_words(4, 12)] != [letters for _, letters in WORDS]


def test_every_drawn_letter_can_be_told_from_the_others() -> None:
    """The nearest mean of other words' letters reads most; were shapes alike or empty, it could not."""
    means, counts = np.zeros((26, 128)), np.zeros(26)
    for pixels, letters in generated_words(seed=0, count=500):
        for row, letter in zip(pixels, letters, strict=True):
            means[LABELS.index(letter)] += row
            counts[LABELS.index(letter)] += 1
    assert counts.min() > 0
    means /= counts[:, None]
    right = np.zeros(26)
    counts[:] = 0
    for pixels, letters in generated_words(seed=1, count=500):
        guesses = ((pixels[:, None, :] - means[None]) ** 2).sum(axis=2).argmin(axis=1)
        for guess, letter in zip(guesses, letters, strict=True):
            right[LABELS.index(letter)] += LABELS[guess] == letter
            counts[LABELS.index(letter)] += 1
    assert right.sum() / counts.sum() > 0.75
    assert (right / counts).min() > 0.3


def test_generated_sentences_are_well_formed_noun_phrases() -> None:
    sentences = generated_chunks(seed=0, count=200)
    assert generated_chunks(seed=0, count=50) == sentences[:50]
    assert {label for _, gold in sentences for label in gold} == {"B", "I", "O"}
    for raw, gold in sentences:
        assert len(raw) == len(gold)
        assert all(label != "I" or gold[i - 1] in ("B", "I") for i, label in enumerate(gold) if i)
        assert gold[0] != "I"
    # Neither a word alone nor two phrases in a row may give the label away.
    labels_of: dict[str, set[str]] = {}
    for raw, gold in sentences:
        for (word, _), label in zip(raw, gold, strict=True):
            labels_of.setdefault(word, set()).add(label)
    assert labels_of["reports"] >= {"B", "O"}
    assert any(gold[i : i + 2] == ("I", "B") for _, gold in sentences for i in range(len(gold)))


@pytest.mark.parametrize("generate", [generated_chunks, generated_words])
def test_a_negative_number_is_refused(generate: Callable[[int, int], object]) -> None:
    with pytest.raises(InputError, match="negative"):
        generate(0, -1)


def test_generated_sentences_can_be_read_as_a_column_file() -> None:
    examples = generated_chunks(seed=9, count=3)
    assert len(parse_columns(as_columns(examples).encode(), "f", columns=3)) == 3


def test_the_chunking_split_is_the_paper_s(conll: Split) -> None:
    assert [len(part) for part in (conll.train, conll.dev, conll.test)] == [7936, 1000, 2012]
    assert sum(gold.count("B") for _, gold in conll.test) == 12_422
    assert conll.dev[0][0][0] == ("Confidence", "NN")


def test_the_handwriting_split_is_the_folds(letters: Split) -> None:
    assert [len(part) for part in (letters.train, letters.dev, letters.test)] == [5547, 704, 626]
    pixels, gold = letters.train[0]
    assert pixels.shape == (len(gold), 128)
    assert sum(len(gold) for part in (letters.train, letters.dev, letters.test) for _, gold in part) == 52_152
