"""Numbers of attributes: with names, and hashed."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.features import HashedVocabulary, Vocabulary

names = st.lists(st.text().filter(lambda name: "\n" not in name))


@given(names)
def test_numbers_follow_first_sight(given_names: list[str]) -> None:
    vocabulary = Vocabulary()
    numbers = [vocabulary.number(name) for name in given_names]
    assert vocabulary.names() == list(dict.fromkeys(given_names))
    assert [vocabulary.names()[number] for number in numbers] == given_names


@given(names, names)
def test_many_at_once_equals_one_by_one(first: list[str], second: list[str]) -> None:
    one, many = Vocabulary(), Vocabulary()
    assert many.numbers(first) == [one.number(name) for name in first]
    one.freeze()
    many.freeze()
    assert many.numbers(second) == [one.number(name) for name in second]


@given(names, names)
def test_frozen_learns_no_name(known: list[str], asked: list[str]) -> None:
    vocabulary = Vocabulary(known)
    vocabulary.freeze()
    for name in asked:
        number = vocabulary.number(name)
        assert (vocabulary.names()[number] == name) if name in known else number == -1
    assert len(vocabulary) == len(set(known))


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=()))))
def test_bytes_give_the_same_vocabulary_back(given_names: list[str]) -> None:
    vocabulary = Vocabulary(given_names)
    restored = Vocabulary.from_bytes(vocabulary.to_bytes())
    assert restored.names() == vocabulary.names()
    assert restored.frozen


@pytest.mark.parametrize(
    ("damaged", "complaint"),
    [(b"a\nb", "cut short"), (b"a\nb\na\n", "twice"), (b"a\n\xff\n", "byte 2")],
)
def test_damaged_bytes_are_refused(damaged: bytes, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Vocabulary.from_bytes(damaged)


def test_a_name_with_a_line_break_is_refused_and_not_counted() -> None:
    vocabulary = Vocabulary(["a"])
    with pytest.raises(InputError, match="line break"):
        vocabulary.number("b\nc")
    assert vocabulary.names() == ["a"]


@given(names, st.integers(1, 50))
def test_slots_are_within_range_and_the_same_each_time(given_names: list[str], slots: int) -> None:
    vocabulary = HashedVocabulary(slots)
    numbers = vocabulary.numbers(given_names)
    assert numbers == [HashedVocabulary(slots).number(name) for name in given_names]
    assert all(0 <= number < len(vocabulary) == slots for number in numbers)
    assert len(vocabulary.names()) == slots
    assert vocabulary.frozen


def test_slots_are_the_same_in_another_process() -> None:
    program = "from kibitz.features import HashedVocabulary as H; print(H(2**20).numbers(['w[0]=the', 'é']))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert outputs == {f"{HashedVocabulary(2**20).numbers(['w[0]=the', 'é'])}\n"}


def test_slots_are_evenly_used() -> None:
    counts = [0] * 64
    for number in HashedVocabulary(64).numbers(f"w[0]=word{i}" for i in range(6400)):
        counts[number] += 1
    assert min(counts) > 50
    assert max(counts) < 150


@pytest.mark.parametrize("slots", [0, -1, 2**31])
def test_an_impossible_number_of_slots_is_refused(slots: int) -> None:
    with pytest.raises(InputError, match=str(slots)):
        HashedVocabulary(slots)


def test_hashed_bytes_give_the_same_slots_back() -> None:
    assert len(HashedVocabulary.from_bytes(HashedVocabulary(77).to_bytes())) == 77
    with pytest.raises(InputError, match="damaged"):
        HashedVocabulary.from_bytes(b"7 7")
