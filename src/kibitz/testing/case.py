"""One input of a space under given weights and sign, beside the truth about it by enumeration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.spaces.protocol import Distribution, Space, Structure
from kibitz.spaces.weights import Array
from kibitz.testing.enumerator import Enumeration, enumerate_outputs


@dataclass(frozen=True, slots=True)
class Additive:
    """What `expected_loss` of a space takes, and which loss of a whole structure that stands for.

    `shape(x)` is the shape of the array of costs, `loss(x, y, costs)` the sum of the costs of y's parts.
    """

    shape: Callable[[Any], tuple[int, ...]]
    loss: Callable[[Any, Structure, npt.NDArray[np.float64]], float]


def label_costs(space: Space, labels: Sequence[str]) -> Additive:
    """The part costs of outputs that are tuples of labels: a number for each position and label."""
    column = {label: k for k, label in enumerate(labels)}

    def loss(x: Any, y: Structure, costs: npt.NDArray[np.float64]) -> float:
        return float(sum(costs[n, column[label]] for n, label in enumerate(y)))

    return Additive(lambda x: (len(next(space.structures(x))), len(labels)), loss)


@dataclass(frozen=True, slots=True)
class Case:
    """What a check looks at. `Case.of(space, raw, weights, sign)` makes one."""

    space: Space
    x: Any
    weights: Array
    sign: int
    truth: Enumeration
    name: str
    tolerance: float = field(init=False)

    def __post_init__(self) -> None:
        """How far rounding may take a score: more for larger scores, and for weights of single precision."""
        unit = 2e-6 if self.weights.dtype == np.float32 else 1e-11
        size = np.abs(self.truth.features) @ np.abs(np.asarray(self.weights[: self.space.size], np.float64))
        object.__setattr__(self, "tolerance", float(unit * (1.0 + size.max())))

    @classmethod
    def of(cls, space: Space, raw: Any, weights: Array, sign: int = 1, name: str = "input") -> Case:
        """Encodes the input and enumerates its structures."""
        x = space.encode(raw)
        return cls(space, x, weights, sign, enumerate_outputs(space, x, weights, sign), name)

    def under(self, weights: Array, sign: int, name: str) -> Case:
        """The same input under other weights or the other sign."""
        return Case(self.space, self.x, weights, sign, self.truth.under(weights, sign), name)

    @property
    def where(self) -> str:
        """What a failure says of its place."""
        return f"{self.name} under {self.sign:+d} w of {self.weights.dtype}"

    def distribution(self) -> Distribution:
        """The space's own answer."""
        return self.space.distribution(self.x, self.weights, self.sign)

    @property
    def largest_feature(self) -> float:
        """The scale of sums of features."""
        return 1.0 + float(np.abs(self.truth.features).max(initial=0.0))

    def same(self, what: str, found: Any, true: Any, scale: float = 1.0) -> None:
        """Fails, and says what differs and where, unless the numbers agree."""
        a, b = np.asarray(found, dtype=np.float64), np.asarray(true, dtype=np.float64)
        if a.shape != b.shape:
            raise AssertionError(f"{what} has the shape {a.shape} and should have {b.shape} ({self.where})")
        wrong = ~((a == b) | (np.abs(a - b) <= self.tolerance * scale * (1.0 + np.abs(b))))
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            at = f" at {place[0] if len(place) == 1 else place}" if place else ""
            raise AssertionError(
                f"{what}{at} is {float(a[place])!r} and should be {float(b[place])!r} ({self.where})"
            )

    def holds(self, condition: bool, message: str) -> None:
        """Fails with the message unless the condition holds."""
        if not condition:
            raise AssertionError(f"{message} ({self.where})")
