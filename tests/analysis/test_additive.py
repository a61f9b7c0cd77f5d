"""Additive losses through the space agree with enumeration, and reach where enumeration cannot."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kibitz.analysis.additive import additive_objective
from kibitz.analysis.exact import exact_gradient, exact_objective
from kibitz.errors import InputError
from kibitz.objectives import objective_from
from kibitz.spaces.chain import Chain
from kibitz.testing.enumerator import finite_differences

ADDITIVE = [
    ("el", {}),
    ("pr-cont", {"pair_loss": "signed", "opponent": "contrast"}),
    *(("pr-cont", {"pair_loss": loss, "opponent": "self"}) for loss in ("violation", "shortfall", "signed")),
]


def hamming_costs(gold, labels="BIO"):
    return np.array([[float(label != right) / len(gold) for label in labels] for right in gold])


@pytest.mark.parametrize(("order", "kind"), list(product((1, 2), ("binary", "valued"))))
@pytest.mark.parametrize(("name", "options"), ADDITIVE)
def test_the_space_gives_what_enumeration_gives(small, name, options, order, kind):
    case, objective = small(order, kind), objective_from(name, **options)
    value, gradient = additive_objective(
        case.space, case.x, case.weights, objective, hamming_costs(case.gold)
    )
    given = case.space, case.x, case.weights, objective, case.loss("hamming")
    assert value == pytest.approx(exact_objective(*given), rel=1e-12)
    assert gradient == pytest.approx(exact_gradient(*given), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("order", [1, 2])
def test_cross_entropy_is_that_of_the_normalised_gain(small, order):
    case, objective = small(order, "valued"), objective_from("ce", clip=0.0)
    value, gradient = additive_objective(
        case.space, case.x, case.weights, objective, hamming_costs(case.gold)
    )
    given = case.space, case.x, case.weights, objective, case.loss("hamming")
    alpha = sum(1.0 - case.loss("hamming")(y) for y in case.space.structures(case.x))
    assert value == pytest.approx(exact_objective(*given) / alpha, rel=1e-12)
    assert gradient == pytest.approx(exact_gradient(*given) / alpha, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("name", "options"), [*ADDITIVE[:2], ("ce", {"clip": 0.0})])
def test_gradients_hold_on_an_input_with_more_outputs_than_atoms(name, options):
    space = Chain("BIO", forbidden=[("O", "I")], start="O")
    x = space.encode([[f"w{n % 3}"] for n in range(300)])
    gold = ["BIO"[n % 3] for n in range(300)]
    weights = 0.3 * np.random.default_rng(0).normal(size=space.size)
    objective, costs = objective_from(name, **options), hamming_costs(gold)
    _, gradient = additive_objective(space, x, weights, objective, costs)
    slope = finite_differences(lambda w: additive_objective(space, x, w, objective, costs)[0], weights)
    assert np.linalg.norm(gradient - slope) < 1e-6 * np.linalg.norm(slope)


@pytest.mark.parametrize(
    ("name", "options"), [("pr-bin", {}), ("pr-cont", {}), ("ce", {}), ("likelihood", {})]
)
def test_what_does_not_add_over_parts_is_refused(small, name, options):
    case = small()
    with pytest.raises(InputError, match="no sum over parts"):
        additive_objective(
            case.space, case.x, case.weights, objective_from(name, **options), hamming_costs(case.gold)
        )
