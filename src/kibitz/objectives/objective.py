"""What every objective is: which draws it wants, and how feedback becomes a coefficient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Rule = Callable[[float, float, Any], float]


@dataclass(frozen=True, slots=True)
class Objective:
    """An instance of Algorithm 1: the step is sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi]), c_1 = c, c_2 = -c.

    ``rule(feedback, log_prob, params)`` gives ``c`` from what was heard (a loss; or, of a pair, the loss of
    the first less that of the second) and the log-probability of the first draw. It is a plain function of
    floats, so that it can be compiled. ``options`` are the keywords that make this objective again.
    """

    name: str
    hears: Literal["loss", "pair", "gold"]
    signs: tuple[int, ...]
    rule: Rule
    params: tuple[float, ...] = (0.0,)
    baseline: str = "none"
    options: tuple[tuple[str, Any], ...] = ()

    def settings(self) -> dict[str, Any]:
        """The objective as JSON."""
        return {"name": self.name, "baseline": self.baseline, **dict(self.options)}
