"""Runs that wait for judgements in vain end, and what nobody could hear is not told as a number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from worlds import HAMMING, Shortlist, Softmax, chain, learner_of, rank_loss, sentences, shortlists

from kibitz.learning.learner import Learner
from kibitz.learning.plan import ASKS_A_JUDGEMENT, Plan, Point
from kibitz.learning.simulation import simulate
from kibitz.objectives import objective_from

WINDOW = 100 * ASKS_A_JUDGEMENT


def plan(feedback: int | None) -> Plan:
    return Plan(feedback=feedback, iterations=10**6, every=10, keep=None, inputs="random")


def points(*places: tuple[int, int]) -> list[Point]:
    return [Point(asks, judged, None, None, 0.0) for asks, judged in places]


@pytest.mark.parametrize(
    ("places", "examples", "idle"),
    [
        (((0, 0),), 5, False),
        (((0, 0), (WINDOW - 1, 0)), 5, False),
        (((0, 0), (WINDOW, 99)), 5, True),
        (((0, 0), (WINDOW, 100)), 5, False),
        (((0, 0), (WINDOW, 5_000), (2 * WINDOW, 5_099)), 5, True),
        (((0, 0), (WINDOW, 0)), 2 * WINDOW, False),
    ],
)
def test_a_budget_is_given_up_where_not_one_ask_in_a_hundred_needs_a_judge(
    places: Any, examples: int, idle: bool
) -> None:
    *before, (done, judged) = places
    assert plan(10**5).idle(points(*before), done, judged, examples) == idle
    assert not plan(None).idle(points(*before), done, judged, examples)


def test_a_model_that_is_sure_of_all_does_not_go_on_asking_for_minutes() -> None:
    space = chain()
    train = space.corpus(*sentences())
    learner = learner_of(space, "pr-bin signed self")
    learner.use(1e4 * np.random.default_rng(0).normal(size=space.size).astype(np.float32))
    run = simulate(learner, train, HAMMING, feedback=100_000, every=WINDOW // 2)
    assert run.idle
    assert run.iterations == WINDOW
    assert not run.interrupted
    assert not simulate(learner, train, HAMMING, iterations=2 * WINDOW).idle  # as long as was asked for


def test_late_answers_reach_a_run_that_ends_because_it_waits_in_vain() -> None:
    train = list(zip(*shortlists(), strict=True))
    learner = Learner(Shortlist(5), objective_from("pr-bin", pair_loss="signed", opponent="self"))
    learner.use(1e4 * np.ones(5, np.float32))
    run = simulate(learner, train, rank_loss, feedback=100_000, every=WINDOW, late=7)
    assert run.idle
    assert run.iterations == WINDOW
    assert not learner.pending


class Pruned(Shortlist):
    """A space in which the output to be told has no probability."""

    def distribution(self, x: Any, weights: Any, sign: int = 1) -> Softmax:
        return Unreachable(*super().distribution(x, weights, sign).__dict__.values())


class Unreachable(Softmax):
    def log_propensity(self, shown: Any) -> float:
        return -math.inf


def test_the_mean_of_what_cannot_be_heard_is_null_and_not_infinity() -> None:
    train = list(zip(*shortlists(), strict=True))
    for kind, heard in ((Shortlist, True), (Pruned, False)):
        run = simulate(Learner(kind(5), "likelihood"), train, rank_loss, iterations=20, every=10)
        assert [point.heard is not None for point in run.curve] == [False, heard, heard]
