"""What the paper says of its objectives: convexity, bounds on the loss, bounds on the step."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.analysis.exact import exact_objective
from kibitz.analysis.vectors import squared_norm
from kibitz.feedback.loss import loss_from
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.objectives import objective_from
from kibitz.testing.enumerator import enumerate_outputs

UNCLIPPED = objective_from("ce", clip=0.0)
GRID = np.linspace(0.0, 1.0, 21)


def along(case, objective, loss, first, second, l2=0.0):
    """J on the segment between two weight vectors."""
    return np.array(
        [
            exact_objective(case.space, case.x, (1 - t) * first + t * second, objective, loss, l2=l2)
            for t in GRID
        ]
    )


def second_differences(values):
    return (values[2:] - 2 * values[1:-1] + values[:-2]) / (GRID[1] - GRID[0]) ** 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("order", "loss"), [(1, "f1"), (2, "hamming"), (1, "01")])
def test_cross_entropy_is_convex_along_random_segments(small, order, loss, seed):
    case = small(order, "valued")
    first, second = case.elsewhere(2 * seed, scale=2.0), case.elsewhere(2 * seed + 1, scale=2.0)
    curvature = second_differences(along(case, UNCLIPPED, case.loss(loss), first, second))
    assert curvature.min() > -1e-7
    assert curvature.max() > 1e-2  # else the segment was straight and showed nothing


@pytest.mark.parametrize("seed", range(4))
def test_l2_makes_cross_entropy_strongly_convex(small, seed):
    """f((1-t) u + t v) <= (1-t) f(u) + t f(v) - l2/2 t (1-t) |u - v|^2, even where every gain is zero."""
    case, l2 = small(1, "binary"), 0.5
    first, second = case.elsewhere(2 * seed, scale=2.0), case.elsewhere(2 * seed + 1, scale=2.0)
    room = 0.5 * l2 * GRID * (1 - GRID) * squared_norm(first - second)
    for loss in (case.loss("f1"), lambda y: 1.0):
        values = along(case, UNCLIPPED, loss, first, second, l2=l2)
        chord = (1 - GRID) * values[0] + GRID * values[-1]
        assert (values <= chord - room + 1e-9).all()
    flat = along(case, UNCLIPPED, lambda y: 1.0, first, second)
    assert not (flat <= flat - room + 1e-9).all()  # without l2 the same test fails


@pytest.mark.parametrize(
    ("name", "options"), [("el", {}), ("pr-cont", {}), ("pr-bin", {}), ("ce", {"clip": 0.3})]
)
def test_the_other_objectives_are_not_convex(small, name, options):
    case, objective = small(1, "binary"), objective_from(name, **options)
    lowest = min(
        second_differences(
            along(
                case, objective, case.loss("f1"), case.elsewhere(2 * s, 2.0), case.elsewhere(2 * s + 1, 2.0)
            )
        ).min()
        for s in range(6)
    )
    assert lowest < -1e-2


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.1, 4.0), st.sampled_from(["f1", "hamming", "01"]))
def test_normalised_cross_entropy_bounds_expected_loss(small, seed, scale, loss):
    """E_gbar[-log p] >= -log E_gbar[p] (Jensen) >= 1 - E_gbar[p] = E_p[1 - gbar].

    Where the gains sum to one or more, as with one right answer, gbar <= g: EL itself is below as well.
    """
    case = small(1, "valued")
    p = enumerate_outputs(case.space, case.x, case.elsewhere(seed, scale))
    gains = np.array([1.0 - case.loss(loss)(y) for y in p.outputs])
    normalised = gains / gains.sum()
    cross_entropy = -float(normalised @ p.log_probs)
    by_jensen = -float(np.log(normalised @ p.probabilities))
    expected_normalised_loss = p.mean(1.0 - normalised)
    assert cross_entropy >= by_jensen - 1e-12
    assert by_jensen >= expected_normalised_loss - 1e-12
    assert gains.sum() >= 1.0
    assert expected_normalised_loss >= p.mean(1.0 - gains) - 1e-12


def test_without_normalising_the_gain_cross_entropy_bounds_no_expected_loss(small):
    """With gains that sum to less than one, the bound of equation 11 does not carry over to 12."""
    case = small(1, "binary")

    def loss(y):
        return 1.0 - 0.01 * (y == case.gold)

    args = case.space, case.x, case.weights
    assert exact_objective(*args, UNCLIPPED, loss) < exact_objective(*args, "el", loss)


BOUNDS = [
    ("el", {}, 2.0),
    ("ce", {"clip": 0.05}, 2.0 / 0.05),
    *(
        (f"pr-{feedback}", {"pair_loss": pair_loss, "opponent": opponent}, 4.0)
        for feedback, pair_loss, opponent in product(
            ("bin", "cont"), ("violation", "shortfall", "signed"), ("contrast", "self")
        )
    ),
]


@pytest.mark.parametrize(("name", "options", "times"), BOUNDS)
def test_steps_are_bounded_by_the_largest_feature_vector(small, name, options, times):
    """|s| <= 2R for EL, 4R for PR and 2R/k for CE, with |phi| <= R, at weights small and large."""
    case = small(1, "valued")
    outputs = list(case.space.structures(case.x))
    largest = max(np.sqrt(squared_norm(case.space.features(case.x, y))) for y in outputs)
    norms = []
    for scale in (0.0, 0.5, 5.0):
        objective = objective_from(name, **options)
        learner = Learner(case.space, objective, optimizer=SGD(rate=1.0), seed=3, dtype="float64")
        for seed in range(60):
            before = case.elsewhere(seed, scale)
            learner.use(before)
            proposal = learner.ask(case.x)
            losses = [loss_from("hamming")(y, case.gold) for y in proposal.outputs]
            if len(losses) == 1:
                learner.tell(proposal, loss=losses[0])
            elif losses[0] == losses[1]:
                learner.tell(proposal, prefer="tie")
            else:
                learner.tell(proposal, prefer=int(losses[0] > losses[1]), by=abs(losses[0] - losses[1]))
            norms.append(np.sqrt(squared_norm(learner.weights - before)))
    assert max(norms) <= times * largest * (1 + 1e-12)
    assert max(norms) > 0.1 * largest  # the steps were not all nought
