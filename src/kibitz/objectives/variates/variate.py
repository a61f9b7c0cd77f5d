"""What every control variate is: foresight at the ask, learning at the tell, and a corrected step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from kibitz.spaces.protocol import Draw, Floats, Gradient, Signs, Space
from kibitz.spaces.weights import Weights


class Foreseen(NamedTuple):
    """What was expected at the ask: kept until the tell, for the weights and the variate's own will be others then."""

    rows: Floats  # of each value that will be heard: what it was foreseen from
    values: Floats  # and what was foreseen
    index: Any  # the gradient of what is foreseen in the mean, a sparse vector
    slope: Floats


class Variate:
    """No control variate: nothing is foreseen, and the step stays what it is. ``state`` is all that it learns."""

    def __init__(self) -> None:
        self.state: Floats = np.zeros(0)

    def foresee(
        self, space: Space, x: Any, weights: Weights, draw: Draw, pair: bool, signs: Signs
    ) -> Foreseen | None:
        """What is to be expected of each value of a draw, and the gradient of that in the mean."""
        return None

    def learn(self, foreseen: Foreseen, n: int, value: float) -> None:
        """Value ``n`` of what was foreseen turned out to be this."""

    def corrected(self, step: Gradient, unit: Callable[[], Gradient], foreseen: Foreseen | None) -> Gradient:
        """The step less the variate, plus its mean; ``unit`` is the step if every value were 1."""
        return step
