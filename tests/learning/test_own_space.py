"""A user's own space in pure Python learns with everything: the protocol's own draw and gradient are enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from worlds import (
    OBJECTIVES,
    OPTIMIZERS,
    Shortlist,
    by_hand,
    fingerprint,
    learner_of,
    rank_loss,
    shortlists,
)  # fmt: skip

from kibitz.analysis.exact import exact_gradient
from kibitz.analysis.mean_step import mean_step
from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import AdaGrad
from kibitz.learning.simulation import simulate
from kibitz.testing import Additive, check_space

RAWS, GOLDS = shortlists()
TRAIN = list(zip(RAWS, GOLDS, strict=True))
WEIGHTS = np.random.default_rng(5).normal(size=5)


def test_the_space_of_these_tests_keeps_the_contract() -> None:
    costs = Additive(lambda x: (len(x["rows"]),), lambda x, y, costs: float(costs[y]))
    check_space(Shortlist(5), RAWS[:3], seed=5, additive=costs)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("temperature", [0.0, 0.4])
def test_its_mean_step_is_the_gradient_of_the_objective(objective: str, temperature: float) -> None:
    space, x, gold = Shortlist(5), RAWS[0], GOLDS[0]
    chosen = OBJECTIVES[objective]
    space_x = space.encode(x)

    def loss(y: int) -> float:
        return rank_loss(y, gold)

    mean = mean_step(space, space_x, WEIGHTS, chosen, loss, gold=gold, temperature=temperature, baseline=0.3)
    entropy = temperature if chosen.hears != "gold" else 0.0  # gold outputs are not drawn
    exact = exact_gradient(space, space_x, WEIGHTS, chosen, loss, gold=gold, entropy=entropy)
    assert np.linalg.norm(exact) > 1e-3
    np.testing.assert_allclose(mean, exact, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_it_simulates_asks_and_tells_with_every_objective_and_optimizer(
    objective: str, optimizer: str
) -> None:
    space = Shortlist(5)
    one, other = (learner_of(space, objective, optimizer) for _ in range(2))
    run = simulate(one, TRAIN, rank_loss, iterations=24, dev=TRAIN, inputs="epochs")
    by_hand(other, space.corpus(RAWS, GOLDS), rank_loss, 24, "epochs")
    assert fingerprint(one) == fingerprint(other)
    assert run.iterations == 24
    assert np.isfinite(one.weights).all()
    assert one.weights.any() or one.asks == "unsure"  # few asks are left, and early pairs may all be ties


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_it_is_saved_and_goes_on_with_every_objective(objective: str, tmp_path: Any) -> None:
    whole, part = (learner_of(Shortlist(5), objective, "adagrad", horizon=24) for _ in range(2))
    corpus = whole.space.corpus(RAWS, GOLDS)
    by_hand(whole, corpus, rank_loss, 24, "random")
    by_hand(part, corpus, rank_loss, 10, "random")
    part.save(tmp_path)
    again = load(tmp_path, space=Shortlist)
    by_hand(again, corpus, rank_loss, 14, "random")
    assert fingerprint(again) == fingerprint(whole)


def test_it_learns_what_there_is_to_learn() -> None:
    learner = Learner(Shortlist(5), "pr-bin", optimizer=AdaGrad(0.5), seed=3)
    run = simulate(learner, TRAIN, rank_loss, iterations=600, dev=TRAIN)
    assert run.curve[0].dev > 0.2
    assert run.curve[-1].dev < 0.05
    assert [learner.predict(raw) for raw in RAWS[:3]] == GOLDS[:3]
