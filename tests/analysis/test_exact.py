"""Exactness: the mean of the step over all draws is the gradient that the design names for it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kibitz.analysis.exact import exact_gradient, exact_objective
from kibitz.analysis.mean_step import mean_step
from kibitz.errors import InputError
from kibitz.objectives import objective_from
from kibitz.testing.enumerator import enumerate_outputs, finite_differences

PAIRS = [
    (f"pr-{feedback}", {"pair_loss": pair_loss, "opponent": opponent})
    for feedback, pair_loss, opponent in product(
        ("bin", "cont"), ("violation", "shortfall", "signed"), ("contrast", "self")
    )
]
EVERY = [
    ("el", {}),
    ("likelihood", {}),
    *(("ce", {"clip": clip}) for clip in (0.0, 1e-2, 0.1)),
    *PAIRS,
]
NAMES = ["-".join([name, *map(str, options.values())]) for name, options in EVERY]
SPACES = [(1, "binary"), (2, "valued")]


def relative_error(found, expected):
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


@pytest.mark.parametrize("loss", ["f1", "hamming"])
@pytest.mark.parametrize(("order", "kind"), SPACES)
@pytest.mark.parametrize(("name", "options"), EVERY, ids=NAMES)
def test_the_mean_step_is_the_gradient_by_finite_differences(small, name, options, order, kind, loss):
    case = small(order, kind)
    objective, judge = objective_from(name, **options), case.loss(loss)
    held = case.weights if options.get("opponent") == "self" else None

    def value(weights):
        return exact_objective(case.space, case.x, weights, objective, judge, opponent=held, gold=case.gold)

    slope = finite_differences(value, case.weights)
    mean = mean_step(case.space, case.x, case.weights, objective, judge, gold=case.gold)
    assert np.linalg.norm(slope) > 1e-3
    assert relative_error(mean, slope) < 1e-6
    exact = exact_gradient(case.space, case.x, case.weights, objective, judge, gold=case.gold)
    assert relative_error(mean, exact) < 1e-9


@pytest.mark.parametrize(("pair_loss", "times"), [("violation", 1), ("shortfall", 1), ("signed", 2)])
def test_continuous_feedback_on_two_draws_from_the_model_is_expected_loss(small, pair_loss, times):
    case = small(2, "binary")
    objective, judge = objective_from("pr-cont", pair_loss=pair_loss, opponent="self"), case.loss("f1")
    expected = times * exact_gradient(case.space, case.x, case.weights, "el", judge)
    assert relative_error(mean_step(case.space, case.x, case.weights, objective, judge), expected) < 1e-9

    def value(weights):
        return exact_objective(case.space, case.x, weights, objective, judge)

    assert relative_error(finite_differences(value, case.weights), expected) < 1e-6


def test_binary_feedback_on_two_draws_from_the_model_is_no_gradient_at_all(small):
    """Its Jacobian is not symmetric, so no objective has it as its gradient."""
    case = small(1, "binary")
    objective, judge = objective_from("pr-bin", pair_loss="signed", opponent="self"), case.loss("f1")

    def asymmetry(which):
        def step(weights):
            return exact_gradient(case.space, case.x, weights, which, judge)

        rows = [finite_differences(lambda w, i=i: step(w)[i], case.weights) for i in range(case.space.size)]
        jacobian = np.array(rows)
        return np.abs(jacobian - jacobian.T).max() / np.abs(jacobian).max()

    assert asymmetry(objective) > 1e-2
    assert asymmetry("el") < 1e-6
    with pytest.raises(InputError, match="opponent="):
        exact_objective(case.space, case.x, case.weights, objective, judge)


@pytest.mark.parametrize(
    ("name", "options"), [("el", {}), ("ce", {}), PAIRS[0], PAIRS[-1]], ids=["el", "ce", "contrast", "self"]
)
def test_a_baseline_that_does_not_know_the_draw_leaves_the_mean_as_it_is(small, name, options):
    case = small(1, "valued")
    judge = case.loss("f1")
    plain = mean_step(case.space, case.x, case.weights, objective_from(name, **options), judge)
    centred = objective_from(name, baseline="mean", **options)
    mean = mean_step(case.space, case.x, case.weights, centred, judge, baseline=0.37)
    assert relative_error(mean, plain) < 1e-9


@pytest.mark.parametrize(("name", "options"), [("el", {}), *PAIRS], ids=["el", *NAMES[-12:]])
def test_a_temperature_adds_the_gradient_of_the_entropy_a_token(small, name, options):
    case = small(1, "binary")
    objective, judge = objective_from(name, **options), case.loss("hamming")
    mean = mean_step(case.space, case.x, case.weights, objective, judge, temperature=0.4)
    exact = exact_gradient(case.space, case.x, case.weights, objective, judge, entropy=0.4 / len(case.gold))
    assert relative_error(mean, exact) < 1e-9


def test_the_gradients_of_entropy_and_l2_are_those_of_their_values(small):
    case = small(1, "binary")

    def value(weights):
        return exact_objective(case.space, case.x, weights, "el", case.loss("f1"), l2=0.3, entropy=0.2)

    exact = exact_gradient(case.space, case.x, case.weights, "el", case.loss("f1"), l2=0.3, entropy=0.2)
    assert relative_error(finite_differences(value, case.weights), exact) < 1e-6


def test_forbidden_outputs_count_nowhere(small):
    """The contrast model must not put what is forbidden first, however the signs turn."""
    case = small(2, "binary")
    assert all(("O", "I") not in zip(("O", *y), y, strict=False) for y in case.space.structures(case.x))
    q = enumerate_outputs(case.space, case.x, case.weights, sign=-1)
    assert q.probabilities.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("clip", [0.0, 1e-2, 0.3])
def test_clipping_keeps_the_objective_smooth_where_it_sets_in(small, clip):
    """H_k and its slope are continuous at p = k: 1 and 1 / k from both sides."""
    case = small(1, "binary")
    along = case.elsewhere(3)
    objective, judge = objective_from("ce", clip=clip), case.loss("f1")

    def value(t):
        return exact_objective(case.space, case.x, case.weights + t * along, objective, judge)

    slopes = np.diff([value(t) for t in np.linspace(0, 1, 501)]) * 500
    assert np.abs(np.diff(slopes)).max() < 0.2


def test_without_clipping_the_objective_is_the_papers_cross_entropy(small):
    case = small(2, "valued")
    judge = case.loss("f1")
    p = enumerate_outputs(case.space, case.x, case.weights)
    gains = np.array([1.0 - judge(y) for y in p.outputs])
    alpha = gains.sum()
    by_equation_12 = -gains @ p.features @ case.weights + alpha * p.log_partition
    objective = objective_from("ce", clip=0.0)
    found = exact_objective(case.space, case.x, case.weights, objective, judge)
    assert found == pytest.approx(by_equation_12)
