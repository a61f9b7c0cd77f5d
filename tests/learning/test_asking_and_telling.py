"""What asks and tells promise: late, repeated, missing and senseless answers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import (
    HAMMING,
    OBJECTIVES,
    OPTIMIZERS,
    Shortlist,
    allowed,
    answer,
    chain,
    fingerprint,
    learner_of,
    sentences,
    shortlists,
)  # fmt: skip

from kibitz.errors import InputError
from kibitz.features import Vocabulary
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.learning.proposal import Proposal
from kibitz.objectives import objective_from
from kibitz.objectives.baselines.plain import mean
from kibitz.spaces.chain import Chain

RATE = 0.3
RAWS, GOLDS = sentences()
LONG = max(RAWS, key=len)  # two draws for it are hardly ever equal


def learner(objective: str = "el", **settings: Any) -> Learner:
    return Learner(chain(), OBJECTIVES[objective], optimizer=SGD(RATE), seed=3, dtype="float64", **settings)


def undecided(learner: Learner, raw: Any = LONG) -> Proposal:
    """An ask whose two outputs differ."""
    while (proposal := learner.ask(raw)).decided:
        learner.tell(proposal, skip=True)
    return proposal


def rough(learner: Learner, seed: int = 0) -> None:
    """Weights that are not zero."""
    learner.space.corpus(RAWS)
    learner.use(np.random.default_rng(seed).normal(size=learner.space.size))


def move(learner: Learner, raw: Any, y: tuple[str, ...], weights: Any, sign: int = 1) -> Any:
    """phi(x, y) - E_{sign weights}[phi], by the space's own words."""
    space = learner.space
    mean = space.distribution(space.encode(raw), weights, sign).expected_features()
    return space.features(raw, y).dense(space.size) - mean.dense(space.size)


# ---- what a step is


def test_a_late_tell_steps_by_the_weights_of_its_ask() -> None:
    one = learner()
    rough(one)
    asked = one.weights
    late = one.ask(RAWS[0])
    for raw in RAWS[:6]:
        one.tell(one.ask(raw), loss=0.8)
    before = one.weights
    assert late.model_version == 0
    assert one.ask(RAWS[0]).model_version == 6
    one.tell(late, loss=0.25)
    expected = before - RATE * 0.25 * move(one, RAWS[0], late.outputs[0], asked)
    np.testing.assert_allclose(one.weights, expected, rtol=1e-10, atol=1e-12)
    wrong = before - RATE * 0.25 * move(one, RAWS[0], late.outputs[0], before)
    assert np.abs(one.weights - wrong).max() > 1e-3  # else the test could not tell the two apart


@pytest.mark.parametrize("opponent", ["contrast", "self"])
def test_a_late_preference_steps_by_the_weights_of_its_ask(opponent: str) -> None:
    one = learner(f"pr-cont shortfall {opponent}")
    rough(one)
    asked = one.weights
    late = undecided(one)
    for raw in RAWS[:6]:
        one.tell(one.ask(raw), prefer="tie")
    before = one.weights
    one.tell(late, prefer=0, by=0.4)  # the shortfall is 1 - 0.4
    second = -1 if opponent == "contrast" else 1
    steps = move(one, LONG, late.outputs[0], asked) - move(one, LONG, late.outputs[1], asked, second)
    np.testing.assert_allclose(one.weights, before - RATE * 0.6 * steps, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_gold_output_is_a_step_of_likelihood_under_every_objective(objective: str) -> None:
    one = learner(objective)
    rough(one)
    before, baseline = one.weights, one.baseline.copy()
    gold = allowed(GOLDS)[RAWS.index(LONG)]
    one.tell(undecided(one), output=list(gold))  # a list will do
    expected = before + RATE * move(one, LONG, gold, before)
    np.testing.assert_allclose(one.weights, expected, rtol=1e-10, atol=1e-12)
    assert one.judgements == 1
    np.testing.assert_array_equal(one.baseline, baseline)


@pytest.mark.parametrize(
    ("told", "amount"),
    [
        ({"prefer": 0}, -1.0), ({"prefer": 1}, 1.0), ({"prefer": "tie"}, 0.0),
        ({"prefer": 0, "by": 0.3}, -0.3), ({"prefer": 1, "by": 0.3}, 0.3), ({"prefer": 1, "by": 0}, 0.0),
        ({"prefer": np.int64(1), "by": np.float32(0.5)}, 0.5),
    ],
)  # fmt: skip
def test_what_is_preferred_and_by_how_much_weighs_the_step(told: dict[str, Any], amount: float) -> None:
    one = learner("pr-cont signed self")
    proposal = undecided(one)
    one.tell(proposal, **told)
    first, second = (move(one, LONG, y, np.zeros(one.space.size)) for y in proposal.outputs)
    np.testing.assert_allclose(one.weights, -RATE * amount * (first - second), rtol=1e-10, atol=1e-12)
    assert one.judgements == 1


def test_one_bit_feedback_does_not_hear_the_degree() -> None:
    found = []
    for by in (0.1, 0.9):
        one = learner("pr-bin violation self")
        one.tell(undecided(one), prefer=1, by=by)
        found.append(one.weights.tobytes())
    assert found[0] == found[1]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_the_mean_baseline_is_that_of_earlier_coefficients_alone(losses: list[float]) -> None:
    state, seen = np.zeros(2), []
    for loss in losses:
        expected = sum(seen) / len(seen) if seen else 0.0
        for other in (loss, 1.0 - loss):  # the current draw does not change what is subtracted
            assert other - mean(other, None, state.copy()) == pytest.approx(expected, abs=1e-12)
        mean(loss, None, state)
        seen.append(loss)


def test_a_learner_subtracts_the_mean_of_what_it_heard_before() -> None:
    one = learner("el mean")
    for i, (loss, centred) in enumerate([(0.5, 0.5), (0.25, -0.25), (1.0, 0.625)]):
        before = one.weights
        proposal = one.ask(RAWS[i])
        one.tell(proposal, loss=loss)
        if len(before) < len(one.weights):
            before = np.concatenate([before, np.zeros(len(one.weights) - len(before))])
        expected = before - RATE * centred * move(one, RAWS[i], proposal.outputs[0], before)
        np.testing.assert_allclose(one.weights, expected, rtol=1e-10, atol=1e-12)


# ---- what counts


def test_equal_outputs_are_decided_need_no_judgement_and_are_not_counted() -> None:
    one = learner("pr-cont shortfall contrast")
    rough(one)
    before = one.weights
    while not (proposal := one.ask([["a0"]])).decided:
        one.tell(proposal, skip=True)
    updates = one.updates
    one.tell(proposal)
    assert proposal.outputs[0] == proposal.outputs[1]
    assert one.judgements == 0
    assert one.updates == updates + 1
    mean = move(one, [["a0"]], proposal.outputs[0], before, -1) - move(
        one, [["a0"]], proposal.outputs[0], before
    )
    np.testing.assert_allclose(one.weights, before + RATE * mean, atol=1e-12)  # the shortfall of a tie is 1
    assert np.abs(mean).max() > 1e-3
    one.tell(proposal)  # the same again
    one.tell(proposal, prefer="tie")
    assert one.updates == updates + 1


def test_skipping_changes_nothing_but_ends_the_question() -> None:
    one = learner()
    before = fingerprint(one)
    proposal = one.ask(RAWS[0])
    one.tell(proposal, skip=True)
    after = fingerprint(one)
    for name in ("scalars", "counters", "baseline", "order"):
        assert after[name] == before[name]
    assert not one.weights.any()
    one.tell(proposal, skip=True)
    with pytest.raises(InputError, match="differently"):
        one.tell(proposal, loss=0.5)
    assert not one.pending


def test_asking_and_predicting_never_change_the_weights() -> None:
    for optimizer in OPTIMIZERS:
        one = learner_of(chain(), "pr-cont shortfall contrast", optimizer, horizon=1000)
        for raw in RAWS[:8]:
            answer(one, one.ask(raw).id, HAMMING, GOLDS[RAWS.index(raw)])
        before, updates = one.weights, one.updates
        for raw in [*RAWS, [["new"], ["newer", "a0"]]]:
            one.ask(raw)
            one.predict(raw)
        assert one.weights[: len(before)].tobytes() == before.tobytes()
        assert not one.weights[len(before) :].any()
        assert len(one.weights) > len(before)
        assert one.updates == updates


def test_a_prediction_is_the_most_probable_output_and_draws_nothing() -> None:
    one = learner()
    rough(one)
    before = one.random.state.tobytes()
    model = one.space.distribution(one.space.encode(LONG), one.weights)
    assert one.predict(LONG) == model.argmax()
    assert one.random.state.tobytes() == before


def test_log_probabilities_are_those_of_the_model_that_drew() -> None:
    one = learner("pr-cont violation contrast")
    rough(one)
    proposal = one.ask(LONG)
    x, weights = one.space.encode(LONG), one.weights
    for sign, y, log_prob in zip((1, -1), proposal.outputs, proposal.log_probs, strict=True):
        assert log_prob == pytest.approx(one.space.distribution(x, weights, sign).log_prob(y), abs=1e-10)


# ---- ids


def test_the_same_tell_again_is_ignored_and_a_different_one_is_an_error() -> None:
    one = learner()
    proposal = one.ask(RAWS[0])
    one.tell(proposal, loss=0.5)
    before = fingerprint(one)
    one.tell(proposal.id, loss=0.5)
    assert fingerprint(one) == before
    for other in ({"loss": 0.75}, {"output": GOLDS[0]}, {"skip": True}):
        with pytest.raises(InputError, match="answered before"):
            one.tell(proposal, **other)
    assert fingerprint(one) == before


@pytest.mark.parametrize("key", [0, 7, -1, "0", None])
def test_feedback_for_an_unknown_id_is_an_error(key: Any) -> None:
    one = learner()
    with pytest.raises(InputError, match="id"):
        one.tell(key, loss=0.5)


def test_the_oldest_question_expires_first() -> None:
    one = learner(max_pending=3)
    asked = [one.ask(raw) for raw in RAWS[:5]]
    for expired in asked[:2]:
        with pytest.raises(InputError, match="expired"):
            one.tell(expired, loss=0.5)
    for waiting in asked[2:]:
        one.tell(waiting, loss=0.5)
    assert one.judgements == 3


# ---- answers that make no sense


@pytest.mark.parametrize(
    ("objective", "told"),
    [
        *(("el", {"loss": loss}) for loss in (-0.1, 1.0001, math.nan, math.inf)),
        *(("el", {"loss": loss}) for loss in (True, "0.5", 1j, np.bool_(True), [0.5])),
        ("el", {}),
        ("el", {"prefer": 0}),
        ("el", {"loss": 0.5, "skip": True}),
        ("el", {"loss": 0.5, "output": ("A",)}),
        ("el", {"loss": 0.5, "by": 0.5}),
        ("el", {"output": ("A", "C", "Z", "A", "A")}),
        ("el", {"output": ("A", "B", "A", "A", "A")}),
        ("el", {"output": ("A",)}),
        ("likelihood", {"loss": 0.5}),
        ("likelihood", {}),
        ("pr-bin signed self", {}),
        ("pr-bin signed self", {"loss": 0.5}),
        *(("pr-bin signed self", {"prefer": prefer}) for prefer in (2, -1, "first", True, 0.5)),
        *(("pr-bin signed self", {"prefer": 1, "by": by}) for by in (-0.1, 1.1, math.nan, "0.5", True)),
        ("pr-bin signed self", {"prefer": "tie", "by": 0.5}),
        ("pr-bin signed self", {"by": 0.5}),
    ],
)  # fmt: skip
def test_a_senseless_answer_is_refused_and_leaves_everything_as_it_was(
    objective: str, told: dict[str, Any]
) -> None:
    one = learner(objective)
    proposal = undecided(one)
    before = fingerprint(one)
    with pytest.raises(InputError):
        one.tell(proposal, **told)
    assert fingerprint(one) == before
    assert proposal.id in one.pending


@pytest.mark.parametrize(
    "settings",
    [
        {"l2": -1.0}, {"l2": math.nan}, {"temperature": -0.1}, {"temperature": math.inf}, {"dtype": "float16"},
        {"max_pending": 0}, {"horizon": 0}, {"horizon": -5}, {"epoch": 0}, {"objective": "elf"},
    ],
)  # fmt: skip
def test_a_learner_with_senseless_settings_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Learner(chain(), **settings)


@pytest.mark.parametrize("weights", [np.zeros(3), np.full(5, np.nan), np.zeros((5, 1)), [math.inf] * 5])
def test_weights_that_do_not_fit_are_refused(weights: Any) -> None:
    one = Learner(Shortlist(5))
    with pytest.raises(InputError, match="5 finite numbers"):
        one.use(weights)


# ---- vocabularies that grow


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_new_attributes_find_room_and_the_bits_are_those_of_room_made_beforehand(optimizer: str) -> None:
    small, roomy = (Chain("ABC", vocabulary=Vocabulary(f"a{i}" for i in range(count))) for count in (0, 300))
    raws = [[[f"a{3 * t + i}" for i in range(3)] for _ in range(3)] for t in range(60)]
    one, other = (learner_of(space, "el mean", optimizer, horizon=100) for space in (small, roomy))
    for t, raw in enumerate(raws):
        for each in (one, other):
            each.tell(each.ask(raw), loss=t % 5 / 4)
    shared = len(one.weights)
    assert shared == small.size == 3 * (3 + 180)
    assert one.weights.tobytes() == other.weights[:shared].tobytes()
    assert one.weights.any()


def test_a_temperature_alone_pulls_towards_more_entropy() -> None:
    raws, _ = shortlists()
    one = Learner(Shortlist(5), objective_from("el"), optimizer=SGD(0.05), temperature=1.0, dtype="float64")
    one.use(np.array([2.0, 0.0, 0.0, 0.0, 0.0]))

    def entropy() -> float:
        return sum(one.space.distribution(raw, one.weights).entropy() for raw in raws)

    before = entropy()
    for _ in range(20):
        for raw in raws:
            one.tell(one.ask(raw), loss=0.0)
    assert entropy() > before + 1.0
