"""Judgements of pairs, and simulators of noisy and late answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kibitz.errors import InputError
from kibitz.feedback import (
    Additive,
    Delay,
    Flipped,
    FunctionLoss,
    Granular,
    Hamming,
    LossDifference,
    Preferred,
    difference,
    preference,
)

GOLD = ("a", "a", "a", "a")
GOOD, BAD = ("a", "a", "a", "b"), ("b", "b", "b", "a")


class Listed:
    """A generator that gives the listed numbers, so that a test knows what is drawn."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = list(numbers)

    def uniform(self) -> float:
        return self.numbers.pop(0)


def test_the_difference_of_losses_is_negative_where_the_first_is_better() -> None:
    judge = LossDifference(Hamming())
    assert judge(GOOD, BAD, GOLD) == -0.5
    assert judge(BAD, GOOD, GOLD) == 0.5
    assert judge(BAD, BAD, GOLD) == 0.0


def test_a_users_judge_answers_first_second_or_tie() -> None:
    def prefer(first: Any, second: Any, gold: Any) -> Any:
        ours, theirs = first.count("a"), second.count("a")
        return "tie" if ours == theirs else int(theirs > ours)

    judge = Preferred(prefer)
    assert [judge(GOOD, BAD, GOLD), judge(BAD, GOOD, GOLD), judge(BAD, BAD, GOLD)] == [-1.0, 1.0, 0.0]


@pytest.mark.parametrize("answer", [2, "first", None, True, 0.5])
def test_an_answer_that_is_no_preference_is_refused(answer: Any) -> None:
    with pytest.raises(InputError, match="is no preference"):
        Preferred(lambda first, second, gold: answer)(GOOD, BAD, GOLD)


@pytest.mark.parametrize("by", [-0.1, 1.1, float("nan")])
def test_a_preference_by_more_than_one_is_refused(by: float) -> None:
    with pytest.raises(InputError, match="from 0 to 1"):
        difference(0, by)


@pytest.mark.parametrize(
    ("prefer", "by", "expected"), [(0, 0.3, -0.3), (1, 0.3, 0.3), (1, 1.0, 1.0), ("tie", 0.3, 0.0)]
)
def test_a_graded_preference_becomes_a_difference_and_its_bit_comes_back(
    prefer: Any, by: float, expected: float
) -> None:
    assert difference(prefer, by) == expected
    assert preference(expected) == prefer


def test_flipped_turns_the_answer_round_as_often_as_said() -> None:
    judge = LossDifference(Hamming())
    assert Flipped(judge, 0.3, Listed(0.299))(GOOD, BAD, GOLD) == 0.5
    assert Flipped(judge, 0.3, Listed(0.3))(GOOD, BAD, GOLD) == -0.5
    noisy = Flipped(judge, 0.3, np.random.default_rng(1))
    flips = sum(noisy(GOOD, BAD, GOLD) > 0 for _ in range(4000))
    assert 0.27 < flips / 4000 < 0.33
    with pytest.raises(InputError, match="probability of a flip"):
        Flipped(judge, 1.5, Listed())


def test_additive_noise_has_the_mean_and_deviation_said_and_stays_in_range() -> None:
    half = FunctionLoss(lambda output, gold: 0.5)
    draws = [
        Additive(half, 0.1, generator)(GOOD, GOLD)
        for generator in [np.random.default_rng(2)]
        for _ in range(4000)
    ]
    assert np.mean(draws) == pytest.approx(0.5, abs=0.01)
    assert np.std(draws) == pytest.approx(0.1, abs=0.01)
    wild = Additive(half, 50.0, np.random.default_rng(2))
    assert {wild(GOOD, GOLD) for _ in range(50)} >= {0.0, 1.0}
    assert all(0.0 <= wild(GOOD, GOLD) <= 1.0 for _ in range(50))
    with pytest.raises(InputError, match="deviation"):
        Additive(half, -1.0, Listed())


def test_granular_ratings_take_the_nearest_level() -> None:
    def rated(value: float, levels: int) -> float:
        return Granular(FunctionLoss(lambda output, gold: value), levels)(GOOD, GOLD)

    assert [rated(v, 5) for v in (0.0, 0.12, 0.13, 0.6, 0.9, 1.0)] == [0.0, 0.0, 0.25, 0.5, 1.0, 1.0]
    assert [rated(v, 2) for v in (0.49, 0.5)] == [0.0, 1.0]
    with pytest.raises(InputError, match="levels"):
        Granular(Hamming(), 1)


@pytest.mark.parametrize("noisy", [Additive(Hamming(), 9.0, Listed()), Granular(Hamming(), 2)])
def test_noise_is_in_the_feedback_and_not_in_the_metric(noisy: Additive | Granular) -> None:
    assert noisy.corpus([GOOD], [GOLD]) == 0.25
    assert (noisy.name, noisy.metric, noisy.higher_is_better) == ("hamming", "Hamming loss", False)
    assert not hasattr(noisy, "tally")  # a noisy judge is never compiled away


@pytest.mark.parametrize("asks", [0, 1, 3])
def test_an_answer_comes_exactly_so_many_questions_late_and_none_is_lost(asks: int) -> None:
    late: Delay[int] = Delay(asks)
    told: list[tuple[int, int, float]] = []
    for question in range(6):
        late.put(question, loss=question / 10)
        told += [(question, proposal, answer["loss"]) for proposal, answer in late.due()]
    assert told == [(i + asks, i, i / 10) for i in range(6 - asks)]
    assert len(late) == asks
    assert [proposal for proposal, _ in late.rest()] == list(range(6 - asks, 6))
    assert len(late) == 0


def test_a_question_without_an_answer_lets_time_pass_and_is_never_told() -> None:
    late: Delay[str] = Delay(1)
    late.put("asked", prefer=0)
    late.put("equal outputs")
    assert list(late.due()) == [("asked", {"prefer": 0})]
    assert len(late) == 0
    assert list(late.rest()) == []


def test_answers_cannot_come_before_their_question() -> None:
    with pytest.raises(InputError, match="-1 questions late"):
        Delay(-1)
