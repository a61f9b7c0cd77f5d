"""What every optimizer is: a rate with a schedule, the arrays it starts from, and an update to be compiled."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from kibitz.errors import InputError
from kibitz.spaces.weights import Weights

SCHEDULES = {"constant": 0.0, "sqrt": 0.5, "inverse": 1.0, "linear": 0.0}


@dataclass(frozen=True, slots=True)
class Optimizer:
    """rate_t = rate (1 + t / decay_from)^-power, with power 0 (constant), 1/2 (sqrt) or 1 (inverse).

    A linear schedule goes down to 0 at the learner's horizon T: rate_t = rate (1 - t / T).
    """

    rate: float
    schedule: str = "constant"
    decay_from: float = 1.0

    name: ClassVar[str]
    usual: ClassVar[Mapping[str, Any]] = {}  # settings that come with the name, where no others are given

    def check(self) -> None:
        """Refuse settings that make no sense."""
        if not (math.isfinite(self.rate) and self.rate > 0.0):
            raise InputError(f"a rate is a number above 0, not {self.rate}")
        if self.schedule not in SCHEDULES:
            raise InputError(f"no schedule is called {self.schedule!r}: choose one of {', '.join(SCHEDULES)}")
        if not self.decay_from > 0.0:
            raise InputError(f"decay_from is above 0, not {self.decay_from}")

    @property
    def power(self) -> float:
        """The exponent of the decay."""
        return SCHEDULES[self.schedule]

    @property
    def update(self) -> Any:
        """update(weights, x, lo, hi, columns, gradient, rate): a plain function that can be compiled."""
        raise NotImplementedError

    def start(self, size: int, columns: int, dtype: Any) -> Weights:
        """Weights of zero, with what this optimizer keeps beside them."""
        raise NotImplementedError

    def settings(self) -> dict[str, Any]:
        """The optimizer as JSON."""
        return {"name": self.name, **asdict(self)}
