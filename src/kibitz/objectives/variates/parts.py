"""Credit to parts: what was heard of whole structures, laid upon their parts by regression.

The model says how probable each part j of a structure is: a label at a position, an edge, a candidate. Parts that it
doubts are where outputs go wrong, by how much is learned. Each part has a cost,

    cost_j = theta_1 (1 - p_j) / n + theta_2 min(-log p_j, 9) / n,

n the length of the output, and b(y) is the sum of the costs of y's parts less its mean. theta solves the ridge
regression of earlier values on the two sums, the older ones counting less, as for the baseline ``linear``. Then

    s = (c - b(y)) (phi(y) - E[phi]) + grad E[b],

where the last term, the costs held fixed, is exact: the space's ``expected_loss``. What b explains has no noise left.
Of a pair, b is the difference of the two, and the gradient that of both: twice the same, or that under +w less that
under -w.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.objectives.variates.variate import Foreseen, Variate
from kibitz.spaces.protocol import Distribution, Draw, Floats, Signs, Space
from kibitz.spaces.sharing import PAIR, pair_of, values_of
from kibitz.spaces.vectors import Gradient, SparseVector, aligned, sparse
from kibitz.spaces.weights import Weights

KEEP = 1.0 - 1e-4
RIDGE = 1e-2
RAREST = 9.0
WIDTH = 3  # of a row: 1, and the two sums


class Parts(Variate):
    """``state`` has the moments of the regression, [A | b] row by row."""

    def __init__(self) -> None:
        self.state = np.zeros(WIDTH * (WIDTH + 1))

    @property
    def theta(self) -> Floats:
        """What a value is expected to be, from a row."""
        moments = self.state.reshape(WIDTH, WIDTH + 1)
        solved = np.linalg.solve(moments[:, :WIDTH] + RIDGE * np.eye(WIDTH), moments[:, WIDTH])
        return solved.astype(np.float64, copy=False)

    def foresee(
        self, space: Space, x: Any, weights: Weights, draw: Draw, pair: bool, signs: Signs
    ) -> Foreseen:
        models = {sign: space.distribution(x, weights, sign) for sign in dict.fromkeys((1, *signs.tolist()))}
        p = models[1].expected_parts()
        surprise = np.minimum(-np.log(np.maximum(p, 1e-300)), RAREST)
        doubts = np.stack([1.0 - p, surprise]).astype(np.float64) / draw.length
        means = {sign: _sums(doubts, model.expected_parts()) for sign, model in models.items()}
        of_draws = [
            _sums(doubts, space.parts(x, y)) - means[sign]
            for y, sign in zip(draw.structures, signs.tolist(), strict=True)
        ]
        rows = _rows(np.array(of_draws), pair)
        theta = self.theta
        theta[0] = 0.0  # that is for a baseline to expect
        costs = np.tensordot(theta[1:], doubts, 1)
        index, slope = _slopes(models, costs, signs, pair)
        return Foreseen(rows, rows @ theta, index, slope)

    def learn(self, foreseen: Foreseen, n: int, value: float) -> None:
        row, moments = foreseen.rows[n], self.state.reshape(WIDTH, WIDTH + 1)
        moments[:, :WIDTH] = KEEP * moments[:, :WIDTH] + np.outer(row, row)
        moments[:, WIDTH] = KEEP * moments[:, WIDTH] + value * row

    def corrected(self, step: Gradient, unit: Callable[[], Gradient], foreseen: Foreseen | None) -> Gradient:
        assert foreseen is not None
        found = step.vector()
        index, one, other = aligned(found, SparseVector(foreseen.index, foreseen.slope))
        return Gradient.of(SparseVector(index, one + other))


def _sums(doubts: Floats, counts: Floats) -> Floats:
    """The doubts of the parts that are used so often, summed."""
    return np.array([float((doubt * counts).sum()) for doubt in doubts])


def _rows(of_draws: Floats, pair: bool) -> Floats:
    """A row for each value: of each draw, or of each pair the difference."""
    k = len(of_draws)
    if pair:
        places = np.array([pair_of(n, k) for n in range(values_of(PAIR, k))])
        of_draws = of_draws[places[:, 0]] - of_draws[places[:, 1]]
    return np.column_stack([np.ones(len(of_draws)), of_draws])


def _slopes(models: dict[int, Distribution], costs: Floats, signs: Signs, pair: bool) -> tuple[Any, Floats]:
    """The gradient of what is foreseen in the mean of the step."""
    amounts = {1: 1.0}
    if pair:
        amounts = {1: 2.0} if signs[-1] > 0 else {1: 1.0, -1: -1.0}
    slopes = [(amount, models[sign].expected_loss(costs)[1]) for sign, amount in amounts.items()]
    found = sparse(
        np.concatenate([slope.index for _, slope in slopes]),
        np.concatenate([amount * slope.value for amount, slope in slopes]),
    )
    return found.index, found.value
