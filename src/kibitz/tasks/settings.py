"""What fixes a run besides its data and its seed: the objective and every meta-parameter, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from kibitz.errors import InputError
from kibitz.feedback.raters import rater_from
from kibitz.learning.learner import ASKS
from kibitz.learning.memory import OF, Replay
from kibitz.learning.optimizers import OPTIMIZERS
from kibitz.learning.plan import ASKS_A_JUDGEMENT
from kibitz.objectives import OBJECTIVES
from kibitz.objectives.baselines import BASELINES
from kibitz.objectives.pairwise import OPPONENTS, PAIR_LOSSES
from kibitz.objectives.variates import VARIATES
from kibitz.spaces.coupling import COUPLINGS
from kibitz.tasks.choices import choose

SCHEDULES = ("constant", "sqrt", "inverse", "linear")
INPUTS = ("random", "epochs")
SELECTIONS = ("dev", "last", "average", "random")

LOOKS = 100  # at the dev set in a run, unless told otherwise


@dataclass(frozen=True, slots=True)
class Settings:
    """One row of the meta-parameter table; the field names are the option names of `kibitz learn`."""

    objective: str = "el"
    rate: float = 1e-4
    iterations: int = 1_000_000
    feedback: int | None = None  # a budget of judgements; None: as many as the iterations ask
    schedule: str = "constant"
    optimizer: str = "sgd"
    momentum: float = 0.0
    l2: float = 0.0
    clip: float = 1e-2
    temperature: float = 0.0
    pair_loss: str = "violation"
    opponent: str = "contrast"
    baseline: str = "none"
    draws: int = 1  # 1: one to rate, or two to compare
    coupling: str = "independent"
    control_variate: str = "none"
    asks: str = "all"
    replay: int = 0  # remembered judgements that are taken again after each new one
    replay_of: str = "judgements"
    replay_age: int | None = None  # None: whatever the memory holds
    replay_size: int = 10_000
    replay_clip: float = 1.0
    replay_normalised: bool = False
    exponent: float = 0.5
    rater: str = "clean"
    late: int = 0
    missing: float = 0.0
    inputs: str = "random"
    select: str = "dev"
    evaluate_every: int | None = None  # None: a hundredth of the iterations

    def __post_init__(self) -> None:
        choose("objective", self.objective, OBJECTIVES)
        choose("schedule", self.schedule, SCHEDULES)
        choose("optimizer", self.optimizer, OPTIMIZERS)
        choose("pair loss", self.pair_loss, PAIR_LOSSES)
        choose("opponent", self.opponent, OPPONENTS)
        choose("baseline", self.baseline, BASELINES)
        choose("coupling of draws", self.coupling, COUPLINGS)
        choose("control variate", self.control_variate, VARIATES)
        choose("kind of asks", self.asks, ASKS)
        choose("kind of replay", self.replay_of, OF)
        _not_negative("replay", self.replay)
        _positive("replay-age", self.replay_age)
        _positive("replay-size", self.replay_size)
        _not_negative("replay-clip", self.replay_clip)
        choose("order of inputs", self.inputs, INPUTS)
        choose("selection", self.select, SELECTIONS)
        rater_from(self.rater)
        _not_negative("late", self.late)
        _not_negative("missing", self.missing)
        _positive("rate", self.rate)
        _positive("number of draws", self.draws)
        _positive("iterations", self.iterations)
        _positive("feedback", self.feedback)
        _positive("evaluate-every", self.evaluate_every)
        _not_negative("l2", self.l2)
        _not_negative("temperature", self.temperature)
        if not 0 < self.clip <= 1:
            raise InputError(
                f"The clip {self.clip:g} bounds a probability: give a number above 0 and at most 1."
            )
        if not 0 <= self.momentum < 1:
            raise InputError(
                f"The momentum {self.momentum:g} is out of range: give a number from 0 to below 1."
            )
        if self.momentum and self.optimizer != "sgd":
            raise InputError("Momentum belongs to --optimizer sgd: leave one of the two out.")

    def with_changes(self, changes: Mapping[str, Any]) -> Settings:
        """These settings with every change that is not None; a budget of judgements says how long to run."""
        known = {name: value for name, value in changes.items() if value is not None}
        if known.get("optimizer", self.optimizer) != self.optimizer:  # a rate chosen for another does not fit
            known = {**OPTIMIZERS[choose("optimizer", known["optimizer"], OPTIMIZERS)].usual, **known}
        if "iterations" in known and "feedback" not in known:
            return replace(self, **known, feedback=None)  # the preset's budget would end the run earlier
        if known.get("feedback", 0) > 0 and "iterations" not in known:
            known["iterations"] = known["feedback"]
            if replace(self, **known).skips:
                known["iterations"] *= ASKS_A_JUDGEMENT
        return replace(self, **known)

    @property
    def skips(self) -> bool:
        """Whether an ask can go without a judgement: where outputs are compared and equal."""
        return self.objective.startswith("pr") or BASELINES[self.baseline].others

    def replaying(self) -> Replay | None:
        """What is replayed; None where nothing is."""
        if not self.replay:
            return None
        return Replay(
            self.replay,
            self.replay_age,
            self.replay_size,
            self.replay_clip,
            self.replay_normalised,
            self.replay_of,
        )

    def segment(self) -> int:
        """How many iterations lie between two looks at the dev set."""
        return self.evaluate_every or max(1, min(self.iterations, self.feedback or self.iterations) // LOOKS)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


FIELDS = tuple(field.name for field in fields(Settings))


def _positive(name: str, value: float | None) -> None:
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise InputError(f"The {name} must be above 0, not {value:g}.")


def _not_negative(name: str, value: float) -> None:
    if not (value >= 0 and math.isfinite(value)):
        raise InputError(f"The {name} must be 0 or above, not {value:g}.")
