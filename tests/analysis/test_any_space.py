"""Exactness is no property of chains: a list of candidates has it by what the base class gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kibitz.analysis.exact import exact_objective
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

    def outputs(self, x):
        return iter(range(len(x)))

    def features(self, x, y):
        return sparse(range(SIZE), x[y])

    def distribution(self, x, weights, sign=1):
        return Listed(self, x, np.asarray(getattr(weights, "table", weights)), sign)

    settings = arrays = restore = None


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
def test_the_mean_step_is_the_gradient(name, options: dict[str, Any]):
    random = np.random.default_rng(1)
    space, x = Candidates(), random.normal(size=(5, SIZE))
    weights, losses = random.normal(size=SIZE), [0.0, 0.3, 0.3, 1.0, 0.7]
    objective = objective_from(name, **options)
    held = weights if options.get("opponent") == "self" else None

    def value(w):
        return exact_objective(space, x, w, objective, losses.__getitem__, opponent=held)

    slope = finite_differences(value, weights)
    mean = mean_step(space, x, weights, objective, losses.__getitem__)
    assert np.linalg.norm(mean - slope) < 1e-6 * np.linalg.norm(slope)
    assert np.linalg.norm(slope) > 1e-3
