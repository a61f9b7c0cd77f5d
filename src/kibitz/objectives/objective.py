"""What every objective is: which draws it wants, and how feedback becomes a coefficient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from kibitz.errors import InputError
from kibitz.objectives.baselines import baseline_from

Rule = Callable[[float, float, Any], float]

MOST_DRAWS = 64


@dataclass(frozen=True, slots=True)
class Objective:
    """An instance of Algorithm 1: the step is sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi]).

    ``rule(feedback, log_prob, params)`` gives ``c`` from what was heard (a loss; or, of a pair, the loss of the
    first less that of the second) and the log-probability of the draw (of a pair, that of the first less that of the
    second). It is a plain function of floats, so that it can be compiled. A pair has c_1 = c, c_2 = -c; where each of
    k draws is rated, each has its own c, divided by k. ``options`` are the keywords that make this objective again.
    """

    name: str
    hears: Literal["loss", "pair", "gold"]
    signs: tuple[int, ...]
    rule: Rule
    params: tuple[float, ...] = (0.0,)
    baseline: str = "none"
    options: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if baseline_from(self.baseline).others and (self.hears != "loss" or len(self.signs) < 2):
            raise InputError(
                "the baseline leave-one-out needs several rated draws of an input: give draws=2 or more"
            )

    @property
    def compares(self) -> bool:
        """Whether outputs are only held against one another: then equal ones need no judge."""
        return self.hears == "pair" or baseline_from(self.baseline).others

    @property
    def judgements(self) -> int:
        """How many judgements an ask takes: one of a pair, one of each output that is rated."""
        return len(self.signs) if self.hears == "loss" else 1

    def settings(self) -> dict[str, Any]:
        """The objective as JSON."""
        return {"name": self.name, "baseline": self.baseline, **dict(self.options)}


def several(draws: int) -> tuple[int, ...]:
    """The signs of so many draws from p_w."""
    if isinstance(draws, bool) or not isinstance(draws, int) or not 1 <= draws <= MOST_DRAWS:
        raise InputError(f"an ask draws from 1 to {MOST_DRAWS} outputs, not {draws!r}")
    return (1,) * draws
