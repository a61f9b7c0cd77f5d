"""A run observed for Table 2 is the run that it would have been, its estimates those of its iterates."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.analysis import convergence
from kibitz.analysis.exact import exact_gradient
from kibitz.analysis.gradient_norm import squared_gradient_norm
from kibitz.analysis.trajectory import observe
from kibitz.errors import InputError
from kibitz.feedback.loss import loss_from
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD, AdaGrad
from kibitz.learning.simulation import simulate
from kibitz.objectives import objective_from
from kibitz.spaces.chain import Chain

SENTENCES = [
    ([["the"], ["dog"], ["bites"]], "BIO"),
    ([["a"], ["dog"]], "BI"),
    ([["bites"], ["the"], ["a"]], "OBB"),
    ([["the"]], "B"),
]


@pytest.fixture
def corpus():
    space = Chain("BIO", forbidden=[("O", "I")], start="O")
    return space, space.corpus([raw for raw, _ in SENTENCES], [gold for _, gold in SENTENCES])


def learner(space, objective="el", optimizer=None):
    return Learner(space, objective, optimizer=optimizer or SGD(rate=0.1), seed=4, dtype="float64")


def test_observing_changes_nothing_and_the_epochs_are_those_of_the_run(corpus):
    space, train = corpus
    loss = loss_from("f1")
    watched, free = learner(space), learner(space)
    observed = observe(watched, train, loss, epochs=6, batch=16)
    iterates = [free.weights]
    run = simulate(free, train, loss, iterations=24, every=4, keep=6)
    iterates += [weights for _, weights in run.iterates]
    assert len(iterates) == 7
    assert (watched.weights == free.weights).all()
    expected = convergence.epoch_differences(iterates)
    assert observed.epoch_differences.squared_norm == pytest.approx(expected.squared_norm)
    assert observed.epoch_differences.lipschitz == pytest.approx(expected.lipschitz)
    assert observed.epoch_differences.variance == pytest.approx(expected.variance)
    assert observed.epoch_differences.variance > 0.0
    assert observed.single_steps.variance > 0.0


def test_single_steps_carry_the_rate(corpus):
    """Where the weights hardly move, variance and norm go with the square of the rate."""
    space, train = corpus
    slow = (learner(space, optimizer=SGD(rate=rate)) for rate in (1e-7, 1e-8))
    small, smaller = (observe(each, train, loss_from("f1"), epochs=5, batch=16) for each in slow)
    assert small.single_steps.variance == pytest.approx(100 * smaller.single_steps.variance, rel=1e-3)
    assert small.single_steps.squared_norm == pytest.approx(100 * smaller.single_steps.squared_norm, rel=1e-3)
    # L takes the step with the rate in it, over a way that shrinks with the rate as well
    assert small.single_steps.lipschitz == pytest.approx(smaller.single_steps.lipschitz, rel=1e-3)
    assert small.smoothness == pytest.approx(10 * smaller.smoothness, rel=1e-3)


@pytest.mark.parametrize(
    "optimizer", [AdaGrad(rate=0.1), SGD(rate=0.1, schedule="sqrt"), SGD(rate=0.1, momentum=0.5)]
)
def test_estimates_at_a_changing_rate_are_refused(corpus, optimizer):
    space, train = corpus
    with pytest.raises(InputError, match="constant rate"):
        observe(learner(space, optimizer=optimizer), train, loss_from("f1"), epochs=1)


@pytest.mark.parametrize(
    ("name", "options"),
    [("el", {}), ("ce", {"clip": 0.05}), ("pr-cont", {"pair_loss": "shortfall"}), ("likelihood", {})],
)
def test_the_squared_norm_of_the_gradient_is_the_exact_one(corpus, name, options):
    space, train = corpus
    weights = 0.5 * np.random.default_rng(0).normal(size=space.size)
    objective, loss = objective_from(name, **options), loss_from("f1")
    gradients = [
        exact_gradient(
            space,
            train[i],
            weights,
            objective,
            lambda y, i=i: loss(y, train.gold_of(i)),
            gold=train.gold_of(i),
        )
        for i in range(len(train))
    ]
    mean = np.mean(gradients, axis=0)
    found = squared_gradient_norm(space, train, weights, objective, loss, batch=40_000)
    assert found.error < 0.1 * (mean @ mean)
    assert found.value == pytest.approx(mean @ mean, abs=4 * found.error)
    assert found.mean_square > mean @ mean
