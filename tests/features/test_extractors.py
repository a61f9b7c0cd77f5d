"""Extractors for pixels and for ready attributes, and how extractors are stored."""

import json

import numpy as np
import pytest

from kibitz.data import generated_words
from kibitz.errors import InputError
from kibitz.features import PAPER, Pixels, Plain, Templates, extractor_from

CORNER = np.array([[1, 1], [0, 1]])


def test_each_pixel_that_is_on_is_an_attribute() -> None:
    assert Pixels(2, 2).extract([CORNER.ravel(), [0, 0, 0, 0]]) == [["bias", "p0", "p1", "p3"], ["bias"]]


def test_pairs_are_touching_pixels_that_are_both_on() -> None:
    [attributes] = Pixels(2, 2, pairs=True).extract([CORNER])
    assert attributes == ["bias", "p0", "p1", "p3", "p0&p1", "p1&p3", "p0&p3"]


def test_every_touching_pair_is_there_once_and_no_other() -> None:
    height, width = 4, 3
    [attributes] = Pixels(height, width, pairs=True).extract([np.ones((height, width))])
    pairs = {tuple(int(p[1:]) for p in a.split("&")) for a in attributes if isinstance(a, str) and "&" in a}
    expected = {
        (i, j)
        for i in range(height * width)
        for j in range(i + 1, height * width)
        if abs(i // width - j // width) <= 1 and abs(i % width - j % width) <= 1
    }
    assert pairs == expected
    assert len(attributes) == 1 + height * width + len(expected)


def test_pixels_read_drawn_words() -> None:
    for pixels, letters in generated_words(seed=1, count=5):
        attributes = Pixels(16, 8).extract(pixels)
        assert len(attributes) == len(letters)
        assert [len(letter) - 1 for letter in attributes] == pixels.sum(axis=1).tolist()


def test_an_empty_word_has_no_letters() -> None:
    assert Pixels(16, 8).extract([]) == []


@pytest.mark.parametrize(
    "raw", [[[0, 1, 1]], [[0, 1, 1, 0], [1]], 3, [[0, 1, 2, 0]], [[0, 1, float("nan"), 0]]]
)
def test_what_is_no_letter_is_refused(raw: object) -> None:
    with pytest.raises(InputError, match="pixel"):
        Pixels(2, 2).extract(raw)  # type: ignore[arg-type]


def test_a_letter_without_pixels_is_refused() -> None:
    with pytest.raises(InputError, match="at least one pixel"):
        Pixels(0, 8)


def test_plain_attributes_pass_with_their_values() -> None:
    assert Plain().extract([["a", ("b", 2)], []]) == [["a", ("b", 2.0)], []]


@pytest.mark.parametrize(
    "wrong", [("b", float("nan")), ("b", float("inf")), ("b", "x"), ("b",), 7, (7, 1.0), None]
)
def test_a_value_that_is_no_finite_number_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match="Position 1"):
        Plain().extract([["a"], [wrong]])  # type: ignore[list-item]


@pytest.mark.parametrize("extractor", [Templates(PAPER), Pixels(16, 8, pairs=True), Plain()])
def test_settings_survive_json(extractor: Templates | Pixels | Plain) -> None:
    settings = json.loads(json.dumps(extractor.settings()))
    restored = extractor_from(settings)
    assert type(restored) is type(extractor)
    assert restored.settings() == extractor.settings()


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [({}, "None"), ({"kind": "magic"}, "magic"), ({"kind": "pixels", "depth": 3}, "depth")],
)
def test_unknown_settings_are_refused(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        extractor_from(settings)
