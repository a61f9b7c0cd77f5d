"""Raters as they are: noisy, late, silent. What they do, and that compiled runs hear the same of them."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from worlds import HAMMING, OPTIMIZERS, chain, fingerprint, learner_of, sentences

from kibitz.errors import InputError
from kibitz.feedback import raters
from kibitz.feedback.raters import Rater, rater_from
from kibitz.learning.simulation import simulate
from kibitz.spaces.generator import Generator

RAWS, GOLDS = sentences()
TRAIN = list(zip(RAWS, GOLDS, strict=True))
EVERY = [
    "constant:0.5", "careless:0.3", "adversarial:0.2", "variable:0.3", "granular:5", "skewed:2", "tying:0.3"
]  # fmt: skip


def heard(rater: Rater, value: float, lowest: float = 0.0, times: int = 1) -> list[float]:
    random, params = Generator(5).state, np.array(rater.params)
    return [rater.hear(value, lowest, random, params) for _ in range(times)]


def test_what_each_rater_makes_of_a_judgement() -> None:
    assert heard(raters.constant(0.4), 0.9) == [0.4]
    assert heard(raters.granular(5), 0.3) == [0.25]
    assert heard(raters.granular(5), -0.4, -1.0) == [-0.5]
    assert heard(raters.skewed(2.0), -0.5, -1.0) == [-0.25]
    assert heard(raters.adversarial(1.0), 0.2) == pytest.approx([0.8])
    assert heard(raters.adversarial(1.0), 0.2, -1.0) == pytest.approx([-0.2])
    assert heard(raters.careless(0.0), 0.2, times=5) == [0.2] * 5


def test_comparisons_within_the_margin_are_ties_or_skipped_and_ratings_are_clean() -> None:
    for rater, within in ((raters.tying(0.25), 0.0), (raters.skipping(0.25), np.nan)):
        assert heard(rater, 0.2) == [0.2]
        assert heard(rater, -0.3, -1.0) == [-0.3]
        np.testing.assert_equal(heard(rater, -0.25, -1.0), [within])


@pytest.mark.parametrize("objective", ["pr-bin signed self", "pr-bin of 4", "pr-cont shortfall contrast"])
def test_a_tie_is_a_judgement_and_a_skip_is_none(objective: str) -> None:
    """Of outputs that are all alike to the rater; asks go on until the run has had its iterations."""
    space = chain()
    tied, skipped = (learner_of(space, objective) for _ in range(2))
    ties = simulate(tied, TRAIN, HAMMING, iterations=30, rater="tying:1")
    skips = simulate(skipped, TRAIN, HAMMING, iterations=30, rater="skipping:1")
    assert ties.iterations == skips.iterations == 30
    assert ties.feedback > 0
    assert skips.feedback == 0
    assert tied.weights.any() == objective.startswith("pr-cont")  # a tie falls short of a win


def test_skips_leave_the_learner_as_if_it_had_not_asked() -> None:
    space = chain()
    learner = learner_of(space, "pr-cont signed self", "adagrad")
    run = simulate(learner, TRAIN, HAMMING, iterations=60, rater="skipping:0.3")
    assert 0 < run.feedback < 60
    assert learner.updates < 60
    assert not learner.pending


def test_a_share_of_careless_answers_is_even_over_the_range() -> None:
    answers = np.array(heard(raters.careless(0.3), 0.5, -1.0, times=4000))
    others = answers[answers != 0.5]
    assert len(others) / 4000 == pytest.approx(0.3, abs=0.03)
    assert others.mean() == pytest.approx(0.0, abs=0.06)
    assert others.min() < -0.95
    assert others.max() > 0.95


def test_a_variable_rater_stays_within_the_range() -> None:
    answers = np.array(heard(raters.variable(0.5), 0.5, times=2000))
    assert answers.min() == 0.0
    assert answers.max() == 1.0
    assert answers.mean() == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize("rater", EVERY)
@pytest.mark.parametrize(
    "objective",
    [
        "el linear", "el leave-one-out of 3", "pr-cont signed self", "el without replacement",
        "pr-cont of 3, optimal", "pr-bin without replacement",
    ],
)  # fmt: skip
def test_compiled_runs_hear_the_same_bits(objective: str, rater: str) -> None:
    space = chain()
    fast, slow = (learner_of(space, objective, "adagrad 3/8") for _ in range(2))
    compiled = simulate(fast, TRAIN, HAMMING, iterations=40, rater=rater)
    python = simulate(slow, TRAIN, lambda y, gold: HAMMING(y, gold), iterations=40, rater=rater)
    assert fingerprint(fast) == fingerprint(slow)
    assert [p.heard for p in compiled.curve[1:]] == pytest.approx([p.heard for p in python.curve[1:]])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_late_and_missing_answers_are_those_of_ask_and_tell(optimizer: str) -> None:
    """With answers three asks late, the first three steps come when the fourth question was asked."""
    learner = learner_of(chain(), "el mean", optimizer)
    run = simulate(learner, TRAIN, HAMMING, iterations=30, late=3, missing=0.5)
    assert not learner.pending
    assert 5 <= run.feedback <= 25
    assert learner.updates == run.feedback


@pytest.mark.parametrize("objective", ["el mean", "pr-bin signed self"])
def test_a_budget_is_kept_where_answers_come_late(objective: str) -> None:
    run = simulate(learner_of(chain(), objective, "sgd"), TRAIN, HAMMING, feedback=12, late=5)
    assert run.feedback == 12


def test_a_run_with_late_answers_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "iterations": 40,
        "late": 4,
        "missing": 0.2,
        "rater": "careless:0.4",
        "every": 10,
    }
    whole, part, again = (learner_of(chain(), "el linear", "adagrad 3/8") for _ in range(3))
    simulate(whole, TRAIN, HAMMING, **settings)

    def stop(point: Any) -> None:
        if point.iteration == 20:
            signal.raise_signal(signal.SIGINT)

    assert simulate(part, TRAIN, HAMMING, **settings, progress=stop, checkpoint=tmp_path).interrupted
    assert part.pending
    simulate(again, TRAIN, HAMMING, **settings, checkpoint=tmp_path)
    assert fingerprint(again) == fingerprint(whole)


@pytest.mark.parametrize(
    "text", ["careles:0.3", "careless", "careless:x", "careless:1.5", "granular:1", "clean:2"]
)
def test_what_is_no_rater_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="rater"):
        rater_from(text)


def test_senseless_delays_are_refused() -> None:
    for wrong in ({"late": -1}, {"late": 0.5}, {"missing": 1.0}, {"missing": -0.1}):
        with pytest.raises(InputError, match="late"):
            simulate(learner_of(chain()), TRAIN, HAMMING, iterations=3, **wrong)  # type: ignore[arg-type]
