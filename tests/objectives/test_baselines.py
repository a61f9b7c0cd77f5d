"""Baselines: what they expect, and that what they subtract leaves the mean of the step as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.analysis.mean_step import mean_step
from kibitz.errors import InputError
from kibitz.feedback import Hamming
from kibitz.learning.learner import Learner
from kibitz.objectives import objective_from
from kibitz.objectives.baselines import BASELINES
from kibitz.objectives.baselines.linear import KEEP, RIDGE, linear
from kibitz.spaces import step
from kibitz.spaces.chain import Chain

RAWS = [[["a", "b"], ["b"]], [["c"]], [["a"], ["c", "d"]]]
GOLDS = [("A", "B"), ("C",), ("B", "A")]
LOSS = Hamming()


def space() -> Chain:
    chain = Chain(["A", "B", "C"], forbidden=[("A", "B")])
    for raw in RAWS:
        chain.encode(raw)
    return chain


def weights(chain: Chain) -> np.ndarray[Any, Any]:
    return np.random.default_rng(2).normal(size=chain.size)


def experienced(chain: Chain, objective: Any) -> Any:
    """The state of a baseline after some steps, so that it has something to subtract."""
    learner = Learner(chain, objective, seed=1)
    for i in range(30):
        proposal = learner.ask(RAWS[i % 3])
        losses = [LOSS(output, GOLDS[i % 3]) for output in proposal.outputs]
        if proposal.decided:
            learner.tell(proposal)
        elif objective.hears == "loss":
            learner.tell(proposal, loss=losses if len(losses) > 1 else losses[0])
        else:
            learner.tell(proposal, prefer="tie" if losses[0] == losses[1] else int(losses[0] > losses[1]))
    return learner.baseline


KINDS = [
    ("el", {}), ("ce", {"clip": 0.2}), ("el", {"draws": 2}),
    ("pr-bin", {"pair_loss": "shortfall", "opponent": "contrast"}),
    ("pr-cont", {"pair_loss": "signed", "opponent": "self"}),
]  # fmt: skip


@pytest.mark.parametrize("baseline", [name for name in BASELINES if name not in ("none", "leave-one-out")])
@pytest.mark.parametrize(("name", "options"), KINDS, ids=lambda part: str(part))
def test_every_baseline_leaves_the_mean_of_the_step_as_it_is(baseline: str, name: str, options: Any) -> None:
    chain = space()
    w, x = weights(chain), chain.encode(RAWS[0])
    centred = objective_from(name, baseline=baseline, **options)
    state = experienced(chain, centred)
    plain = mean_step(chain, x, w, objective_from(name, **options), lambda y: LOSS(y, GOLDS[0]))
    mean = mean_step(chain, x, w, centred, lambda y: LOSS(y, GOLDS[0]), baseline=state)
    assert np.abs(state).sum() > 0.0
    np.testing.assert_allclose(mean, plain, atol=1e-10)


@pytest.mark.parametrize("draws", [2, 3])
@pytest.mark.parametrize(("name", "options"), KINDS[:2], ids=["el", "ce"])
def test_leaving_one_out_leaves_the_mean_and_cancels_the_expectation(
    name: str, options: Any, draws: int
) -> None:
    chain = space()
    w, x = weights(chain), chain.encode(RAWS[2])

    def loss(y: Any) -> float:
        return LOSS(y, GOLDS[2])

    plain = mean_step(chain, x, w, objective_from(name, **options), loss)
    several = objective_from(name, baseline="leave-one-out", draws=draws, **options)
    np.testing.assert_allclose(mean_step(chain, x, w, several, loss), plain, atol=1e-10)


def test_a_signed_pair_is_twice_leaving_one_out_of_two() -> None:
    chain = space()
    w, x = weights(chain), chain.encode(RAWS[0])
    signed = objective_from("pr-cont", pair_loss="signed", opponent="self")
    pair = mean_step(chain, x, w, signed, lambda y: LOSS(y, GOLDS[0]))
    two = objective_from("el", baseline="leave-one-out", draws=2)
    np.testing.assert_allclose(
        pair, 2.0 * mean_step(chain, x, w, two, lambda y: LOSS(y, GOLDS[0])), atol=1e-10
    )


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 40), st.floats(-1, 1)), min_size=1, max_size=30))
def test_the_linear_baseline_is_ridge_regression_on_what_the_model_does_not_know(told: Any) -> None:
    state, rows = np.zeros(48), []
    for entropy, length, c in told:
        share = entropy / length
        f = np.array([1.0, share, np.sqrt(share), np.log(length)])
        ages = KEEP ** np.arange(len(rows))[::-1]
        past = np.array([row for row, _ in rows]).reshape(-1, 4)
        A = (past * ages[:, None]).T @ past + RIDGE * np.eye(4)
        theta = np.linalg.solve(A, (past * ages[:, None]).T @ np.array([c for _, c in rows]))
        assert c - linear(c, [entropy, length, 0.0, 0.0], state) == pytest.approx(f @ theta, abs=1e-6)
        rows.append((f, c))


def test_an_input_is_known_again_by_its_own_baseline() -> None:
    by_input, state = BASELINES["input"].centre, np.zeros(BASELINES["input"].size)
    first, second = np.array([0.0, 1.0, 5.0, 0.0]), np.array([0.0, 1.0, 9.0, 0.0])
    assert by_input(0.8, first, state) == pytest.approx(0.8)
    assert by_input(0.8, first, state) == pytest.approx(0.0)  # half the mean of all, half its own: both 0.8
    assert by_input(0.2, second, state) == pytest.approx(0.2 - 0.8)  # new: the mean of all
    assert by_input(0.2, second, state) == pytest.approx(0.2 - (0.6 + 0.2) / 2)


def test_the_optimal_baseline_has_the_least_variance_of_all_constants() -> None:
    random = np.random.default_rng(4)
    norms = random.uniform(0.1, 3.0, 500)
    c = 0.3 * norms + random.normal(size=500)
    state = np.zeros(2)
    for value, norm in zip(c, norms, strict=True):
        BASELINES["optimal"].centre(value, [0.0, 1.0, 0.0, norm], state)
    best = state[0] / state[1]
    around = best + np.array([-0.1, 0.0, 0.1])
    assert np.argmin([np.sum((c - b) ** 2 * norms) for b in around]) == 1


def test_leaving_one_out_needs_several_rated_draws() -> None:
    for name, options in (("el", {}), ("pr-cont", {})):
        with pytest.raises(InputError, match="draws=2"):
            objective_from(name, baseline="leave-one-out", **options)
    for draws in (0, 65):
        with pytest.raises(InputError, match="from 1 to 64"):
            objective_from("el", draws=draws)


def test_what_needs_a_fact_says_so() -> None:
    needs = {name: baseline.needs for name, baseline in BASELINES.items()}
    assert needs["linear"] == step.MODEL
    assert needs["input"] == step.INPUT
    assert needs["optimal"] == step.STEP
