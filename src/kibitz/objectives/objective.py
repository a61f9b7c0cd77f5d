"""What every objective is: which draws it wants, and how feedback becomes a coefficient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from kibitz.errors import InputError
from kibitz.objectives.baselines import baseline_from
from kibitz.objectives.variates import variate_from
from kibitz.spaces.coupling import COUPLINGS
from kibitz.spaces.sharing import HEARS, values_of

Rule = Callable[[float, float, Any], float]

MOST_DRAWS = 64


@dataclass(frozen=True, slots=True)
class Objective:
    """An instance of Algorithm 1: the step is sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi]).

    ``rule(feedback, log_prob, params)`` gives ``c`` from what was heard (a loss; or, of a pair, the loss of the
    first less that of the second) and the log-probability of the draw (of a pair, that of the first less that of the
    second). It is a plain function of floats, so that it can be compiled. A pair has c_1 = c, c_2 = -c; where each of
    k draws is rated, or each pair of them compared, the step is the mean of those (`kibitz.spaces.sharing`).
    ``coupling`` says how the draws of an ask hang together, ``control_variate`` what is taken from the step besides the
    baseline. ``options`` are the keywords that make this objective
    again.
    """

    name: str
    hears: Literal["loss", "pair", "gold"]
    signs: tuple[int, ...]
    rule: Rule
    params: tuple[float, ...] = (0.0,)
    baseline: str = "none"
    options: tuple[tuple[str, Any], ...] = ()
    coupling: str = "independent"
    control_variate: str = "none"

    def __post_init__(self) -> None:
        draws, others = len(self.signs), baseline_from(self.baseline).others
        if others and (self.hears != "loss" or draws < 2):
            raise InputError(
                "the baseline leave-one-out needs several rated draws of an input: give draws=2 or more"
            )
        if self.coupling not in COUPLINGS:
            raise InputError(
                f"no coupling of draws is called {self.coupling!r}: choose one of {', '.join(COUPLINGS)}"
            )
        variate_from(self.control_variate)
        if self.coupling == "antithetic":
            if self.hears != "loss":
                raise InputError(
                    "antithetic draws cannot be compared: a pair's step is unbiased only if its draws are independent"
                )
            if draws % 2 or (others and draws < 4):
                raise InputError(
                    "antithetic draws come in pairs, and leave-one-out leaves out both of a pair: give draws=2, "
                    "or 4 with leave-one-out, or more in twos"
                )
        if self.coupling == "without-replacement":
            if draws != 2 or self.signs[-1] < 0:
                raise InputError(
                    "draws without replacement are two from one model: give draws=2, or the opponent self"
                )
            if self.compares and self.control_variate == "parts":
                raise InputError(
                    "the control variate parts tells structures apart that show the same, and comparing draws without "
                    "replacement never meets them: leave one of the two out"
                )

    @property
    def compares(self) -> bool:
        """Whether outputs are only held against one another: then equal ones need no judge."""
        return self.hears == "pair" or baseline_from(self.baseline).others

    @property
    def compiles(self) -> bool:
        """Whether compiled loops can run it: a control variate runs by ask and tell alone."""
        return self.control_variate == "none"

    @property
    def judgements(self) -> int:
        """How many judgements an ask takes at most: one of each output that is rated, or of each pair compared."""
        return 1 if self.hears == "gold" else int(values_of(HEARS[self.hears], len(self.signs)))

    def settings(self) -> dict[str, Any]:
        """The objective as JSON."""
        return {
            "name": self.name, "baseline": self.baseline, "coupling": self.coupling,
            "control_variate": self.control_variate, **dict(self.options),
        }  # fmt: skip


def several(draws: int) -> tuple[int, ...]:
    """The signs of so many draws from p_w."""
    if isinstance(draws, bool) or not isinstance(draws, int) or not 1 <= draws <= MOST_DRAWS:
        raise InputError(f"an ask draws from 1 to {MOST_DRAWS} outputs, not {draws!r}")
    return (1,) * draws
