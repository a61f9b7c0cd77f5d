"""The logistic pair loss: its mean step is the gradient of the likelihood of the preferences, the draws held fixed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kibitz.analysis.mean_step import mean_step
from kibitz.feedback import Hamming
from kibitz.objectives import objective_from
from kibitz.objectives.pairwise import logistic_bin, logistic_cont
from kibitz.spaces.chain import Chain
from kibitz.testing import enumerate_outputs, finite_differences

GOLD = ("A", "C")


@pytest.mark.parametrize("feedback", ["bin", "cont"])
def test_the_mean_step_is_the_gradient_of_minus_the_log_likelihood_of_preferences(feedback: str) -> None:
    """J(u) = E_{i, j ~ p_w} |D|^(0 or 1) -log sigma(u . phi(won) - u . phi(lost)), at u = w."""
    chain = Chain(["A", "B", "C"])
    x = chain.encode([["a", "b"], ["b"]])
    w = np.random.default_rng(3).normal(size=chain.size)
    truth = enumerate_outputs(chain, x, w)
    p, phi = truth.probabilities, truth.features
    losses = np.array([Hamming()(y, GOLD) for y in truth.outputs])
    D = losses[:, None] - losses[None, :]
    amount = np.abs(D) if feedback == "cont" else (D != 0.0).astype(float)

    def value(u: Any) -> float:
        margin = (phi @ u)[:, None] - (phi @ u)[None, :]  # of i over j
        return float((p[:, None] * p[None, :] * amount * np.logaddexp(0.0, np.sign(D) * margin)).sum())

    objective = objective_from(f"pr-{feedback}", pair_loss="logistic", opponent="self")
    step = mean_step(chain, x, w, objective, lambda y: Hamming()(y, GOLD))
    np.testing.assert_allclose(step, finite_differences(value, w), atol=1e-8)


def test_what_the_model_knows_already_moves_it_no_further() -> None:
    assert logistic_bin(0.3, -900.0, None) == pytest.approx(0.0, abs=1e-300)
    assert logistic_bin(0.3, 900.0, None) == 1.0
    assert logistic_bin(-0.3, 0.0, None) == -0.5
    assert logistic_bin(0.0, 3.0, None) == 0.0
    assert logistic_cont(-0.3, 0.0, None) == -0.15
