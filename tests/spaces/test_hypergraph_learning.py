"""Learners in forests: the mean step is the gradient over yields, and nothing is lost between ask and tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_forests import ambiguous, slots, unary
from worlds import OBJECTIVES, OPTIMIZERS, answer, by_hand, fingerprint, learner_of

from kibitz.analysis.exact import exact_gradient, exact_objective
from kibitz.analysis.mean_step import mean_step
from kibitz.errors import InputError
from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.learning.simulation import simulate
from kibitz.objectives import objective_from
from kibitz.spaces.hypergraph import Hypergraph
from kibitz.testing.enumerator import finite_differences

GOLD = ("a", "b")
RAWS = [ambiguous(), unary(3), unary(5)]
GOLDS = [GOLD, ("step", "step", "end"), ("step", "end")]
TRAIN = list(zip(RAWS, GOLDS, strict=True))


def word_loss(output: Any, gold: Any) -> float:
    """The share of words that are wrong, place by place from the end."""
    n = max(len(output), len(gold), 1)
    return 1.0 - sum(a == b for a, b in zip(output[::-1], gold[::-1], strict=False)) / n


def of_gold(output: Any) -> float:
    return word_loss(output, GOLD)


@pytest.mark.parametrize("temperature", [0.0, 0.4])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_mean_step_is_the_gradient_over_yields(name: str, temperature: float) -> None:
    space, objective = Hypergraph(), OBJECTIVES[name]
    x = space.encode(ambiguous())
    weights = np.array([0.4, -0.8, 0.3, 0.5])
    entropy = temperature if objective.hears != "gold" else 0.0
    mean = mean_step(space, x, weights, objective, of_gold, gold=GOLD, temperature=temperature, baseline=0.3)
    exact = exact_gradient(space, x, weights, objective, of_gold, gold=GOLD, entropy=entropy)
    assert np.linalg.norm(exact) > 1e-3
    np.testing.assert_allclose(mean, exact, rtol=1e-9, atol=1e-12)
    held = weights if len(objective.signs) > 1 and objective.signs[-1] > 0 else None

    def value(w: Any) -> float:
        return exact_objective(space, x, w, objective, of_gold, gold=GOLD, entropy=entropy, opponent=held)

    np.testing.assert_allclose(exact, finite_differences(value, weights), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("clip", [0.0, 0.05])
def test_cross_entropy_divides_by_the_propensity_of_the_yield(clip: float) -> None:
    """With that of the derivation in its place, the mean step is another one."""
    space, objective = Hypergraph(), objective_from("ce", clip=clip)
    x = space.encode(ambiguous())
    weights = np.array([0.4, -0.8, 0.3, 0.5])
    exact = exact_gradient(space, x, weights, objective, of_gold)
    np.testing.assert_allclose(mean_step(space, x, weights, objective, of_gold), exact, rtol=1e-9)
    model = space.distribution(x, weights)
    by_derivation = np.zeros(space.size)
    for y in space.structures(x):
        p, mean = np.exp(model.log_prob(y)), model.expected_features().dense(space.size)
        gain = 1.0 - of_gold(space.shown(x, y))
        by_derivation -= p * gain / max(p, clip) * (space.features(x, y).dense(space.size) - mean)
    assert np.linalg.norm(by_derivation - exact) > 1e-2


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("objective", ["el mean", "ce", "likelihood", "pr-bin signed self", "pr-cont mean"])
def test_simulation_is_ask_and_tell(objective: str, optimizer: str) -> None:
    one, other = (learner_of(Hypergraph(), objective, optimizer) for _ in range(2))
    simulate(one, TRAIN, word_loss, iterations=20, dev=TRAIN, inputs="epochs")
    by_hand(other, other.space.corpus(RAWS, GOLDS), word_loss, 20, "epochs")
    assert fingerprint(one) == fingerprint(other)
    assert np.isfinite(one.weights).all()
    assert one.weights.any()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_saved_with_answers_pending_it_goes_on_bit_for_bit(objective: str, tmp_path: Path) -> None:
    def converse(learner: Learner, start: int, stop: int) -> None:
        for t in range(start, stop):
            learner.ask(RAWS[t % 3])
            if t >= 4:
                answer(learner, t - 4, word_loss, GOLDS[(t - 4) % 3])

    whole, part = (learner_of(Hypergraph(), objective, "adagrad") for _ in range(2))
    converse(whole, 0, 20)
    converse(part, 0, 9)
    part.save(tmp_path)
    again = load(tmp_path)
    for pending in part.pending.values():
        assert again.pending[pending.proposal.id].proposal == pending.proposal
    converse(again, 9, 20)
    assert fingerprint(again) == fingerprint(whole)
    assert again.predict(RAWS[0]) == whole.predict(RAWS[0])


@pytest.mark.parametrize("objective", ["el", "pr-bin signed contrast", "pr-cont signed self", "likelihood"])
def test_a_late_gold_output_pulls_by_the_weights_of_its_ask(objective: str) -> None:
    space = Hypergraph()
    learner = Learner(space, OBJECTIVES[objective], optimizer=SGD(0.5), seed=1, dtype="float64")
    x = space.encode(RAWS[0])
    learner.use([0.4, -0.8, 0.3, 0.5])
    model = space.distribution(x, learner.weights)
    pull = model.expected_features(GOLD).dense(4) - model.expected_features().dense(4)
    late = learner.ask(x)
    learner.tell(learner.ask(x), output=("b", "a", "b"))
    before = learner.weights
    assert np.abs(before - [0.4, -0.8, 0.3, 0.5]).max() > 0.05
    learner.tell(late, output=["a", "b"])
    np.testing.assert_allclose(learner.weights, before + 0.5 * pull, rtol=1e-9)


def test_an_output_that_cannot_be_said_is_refused_and_the_ask_goes_on_waiting() -> None:
    learner = learner_of(Hypergraph(), "el")
    proposal = learner.ask(RAWS[0])
    with pytest.raises(InputError, match="cannot say 'no such words'"):
        learner.tell(proposal, output=("no", "such", "words"))
    assert not learner.weights.any()
    learner.tell(proposal, output=GOLD)
    assert learner.weights.any()
    with pytest.raises(InputError, match="training input 2 cannot be learned from: the forest cannot say"):
        simulate(
            learner_of(Hypergraph(), "likelihood"), [TRAIN[0], (RAWS[1], ("no",))], word_loss, iterations=5
        )


def test_two_derivations_of_one_yield_are_nothing_to_compare() -> None:
    learner = learner_of(Hypergraph(), "pr-bin signed self")
    for _ in range(300):
        proposal = learner.ask(RAWS[0])
        first, second = learner.pending[proposal.id].draw.structures
        if proposal.decided and first != second:
            break
    assert proposal.decided
    learner.tell(proposal)
    assert learner.judgements == 0


@pytest.mark.parametrize("objective", ["el mean", "ce mean", "likelihood", "pr-bin signed self"])
def test_it_learns_what_there_is_to_learn(objective: str) -> None:
    learner = Learner(Hypergraph(), OBJECTIVES[objective], optimizer=SGD(0.03), seed=3)
    pairs = [(slots(2), ("b", "a")), (slots(3), ("c", "b", "a"))]
    run = simulate(learner, pairs, word_loss, iterations=1500, dev=pairs)
    assert run.curve[0].dev > 0.4
    assert run.curve[-1].dev == 0.0
