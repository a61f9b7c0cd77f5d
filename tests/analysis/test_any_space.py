"""Exactness is no property of chains: a list of candidates has it by what the base class gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kibitz.analysis.exact import exact_gradient, exact_objective
from kibitz.analysis.mean_step import mean_step
from kibitz.objectives import objective_from
from kibitz.spaces.protocol import Distribution, Space, sparse
from kibitz.testing.enumerator import enumerate_outputs, finite_differences

SIZE = 4


class Listed(Distribution):
    """All from the enumerator."""

    def __init__(self, space, x, weights, sign):
        self.truth = enumerate_outputs(space, x, weights, sign)
        self.log_partition = self.truth.log_partition

    def log_prob(self, y):
        return self.truth.log_prob(y)

    def log_propensity(self, shown):
        return self.truth.log_propensity(shown)

    def sample(self, generator):
        reached = np.cumsum(self.truth.probabilities)
        return self.truth.outputs[
            int(np.searchsorted(reached, generator.uniform() * reached[-1], side="right"))
        ]

    def expected_features(self):
        return sparse(range(SIZE), self.truth.expected_features())

    argmax = top_k = entropy = expected_loss = None


class Candidates(Space):
    """The outputs of an input are the places in its list of feature vectors."""

    kind = "candidates"
    size = SIZE

    def encode(self, raw):
        return raw

    def structures(self, x):
        return iter(range(len(x)))

    def features(self, x, y):
        return sparse(range(SIZE), x[y])

    def distribution(self, x, weights, sign=1):
        return Listed(self, x, np.asarray(getattr(weights, "table", weights)), sign)

    settings = arrays = restore = None


class Synonyms(Candidates):
    """Neighbours in the list look the same."""

    def shown(self, x, y):
        return "abcde"[y // 2]


@pytest.mark.parametrize("world", [Candidates, Synonyms])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("el", {}),
        ("ce", {"clip": 0.2}),
        ("pr-cont", {"pair_loss": "shortfall"}),
        ("pr-bin", {"pair_loss": "violation"}),
        ("pr-bin", {"pair_loss": "signed", "opponent": "self"}),
    ],
)
def test_the_mean_step_is_the_gradient(world, name, options: dict[str, Any]):
    random = np.random.default_rng(1)
    space, x = world(), random.normal(size=(5, SIZE))
    weights = random.normal(size=SIZE)
    losses = dict(zip((*range(5), *"abc"), [0.0, 0.3, 0.3, 1.0, 0.7, 0.0, 0.9, 0.4], strict=True))
    objective = objective_from(name, **options)
    held = weights if options.get("opponent") == "self" else None

    def value(w):
        return exact_objective(space, x, w, objective, losses.__getitem__, opponent=held)

    slope = finite_differences(value, weights)
    exact = exact_gradient(space, x, weights, objective, losses.__getitem__)
    assert np.linalg.norm(exact - slope) < 1e-6 * np.linalg.norm(slope)
    mean = mean_step(space, x, weights, objective, losses.__getitem__)
    assert np.linalg.norm(mean - slope) < 1e-6 * np.linalg.norm(slope)
    assert np.linalg.norm(slope) > 1e-3


@pytest.mark.parametrize("world", [Candidates, Synonyms])
def test_a_temperature_adds_the_gradient_of_the_entropy_of_what_is_shown(world):
    random = np.random.default_rng(2)
    space, x, weights = world(), random.normal(size=(5, SIZE)), random.normal(size=SIZE)

    def value(w):
        return exact_objective(space, x, w, "el", lambda shown: 0.0, entropy=0.4)

    mean = mean_step(space, x, weights, "el", lambda shown: 0.0, temperature=0.4)
    np.testing.assert_allclose(mean, finite_differences(value, weights), rtol=1e-6, atol=1e-8)
    assert np.linalg.norm(mean) > 1e-3
