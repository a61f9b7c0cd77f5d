"""The methods that the bench compares, each by what it adds to plain expected loss with AdaGrad."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.tasks.presets import preset
from kibitz.tasks.settings import Settings

PLAIN: Mapping[str, Any] = {
    "objective": "el", "optimizer": "adagrad", "rate": 0.1, "exponent": 0.5, "temperature": 0.0, "baseline": "none",
    "asks": "all",
}  # fmt: skip
PAIRS: Mapping[str, Any] = {
    "objective": "pr-bin", "optimizer": "adagrad", "rate": 0.1, "pair_loss": "signed", "opponent": "self",
}  # fmt: skip
COMPARING: Mapping[str, Any] = {"objective": "pr-bin"}
REPLAY: Mapping[str, Any] = {"replay": 1, "replay_age": 1_000}
BEST: Mapping[str, Any] = {"replay": 1, "replay_of": "best"}

# name: (what one judgement is, what is added)
METHODS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "EL": ("rating", PLAIN),
    "EL, mean baseline": ("rating", {**PLAIN, "baseline": "mean"}),
    "EL, baseline by input": ("rating", {**PLAIN, "baseline": "input"}),
    "EL, optimal baseline": ("rating", {**PLAIN, "baseline": "optimal"}),
    "EL, linear baseline": ("rating", {**PLAIN, "baseline": "linear"}),
    "+ entropy annealing": ("rating", {**PLAIN, "baseline": "linear", "temperature": 0.2}),
    "+ asks where unsure": ("rating", {**PLAIN, "baseline": "linear", "temperature": 0.2, "asks": "unsure"}),
    "+ asks by gradient": ("rating", {**PLAIN, "baseline": "linear", "temperature": 0.2, "asks": "gradient"}),
    "recommended rating": ("rating", {}),
    "EL, mean baseline, replay": ("rating", {**PLAIN, "baseline": "mean", **REPLAY}),
    "EL, mean baseline, replay of the best": ("rating", {**PLAIN, "baseline": "mean", **BEST}),
    "recommended rating, replay": ("rating", REPLAY),
    "recommended rating, replay of the best": ("rating", BEST),
    "EL, leave one out of 2": ("rating", {**PLAIN, "baseline": "leave-one-out", "draws": 2}),
    "EL, leave one out of 4": ("rating", {**PLAIN, "baseline": "leave-one-out", "draws": 4}),
    "EL, antithetic 2": ("rating", {**PLAIN, "baseline": "mean", "draws": 2, "coupling": "antithetic"}),
    "EL, antithetic 4, leave out": (
        "rating",
        {**PLAIN, "baseline": "leave-one-out", "draws": 4, "coupling": "antithetic"},
    ),
    "EL, without replacement": (
        "rating",
        {**PLAIN, "baseline": "leave-one-out", "draws": 2, "coupling": "without-replacement"},
    ),
    "EL, score as control variate": ("rating", {**PLAIN, "control_variate": "score"}),
    "EL, linear, credit to parts": ("rating", {**PLAIN, "baseline": "linear", "control_variate": "parts"}),
    "recommended comparing": ("bit", COMPARING),
    "recommended comparing, asks by gradient": ("bit", {**COMPARING, "asks": "gradient"}),
    "recommended comparing, replay": ("bit", {**COMPARING, **REPLAY}),
    "recommended comparing, replay of the best": ("bit", {**COMPARING, **BEST}),
    "PR, without replacement": ("bit", {**PAIRS, "coupling": "without-replacement"}),
    "PR, every pair of 4": ("bit", {**PAIRS, "draws": 4}),
    "PR, logistic": ("bit", {**PAIRS, "pair_loss": "logistic"}),
    "PR, contrast, shortfall": ("bit", {**PAIRS, "pair_loss": "shortfall", "opponent": "contrast"}),
    "PR, contrast, violation": ("bit", {**PAIRS, "pair_loss": "violation", "opponent": "contrast"}),
    "PR, graded": ("degree", {**PAIRS, "objective": "pr-cont"}),
}
QUICK = (
    "EL",
    "EL, mean baseline",
    "recommended rating",
    "EL, leave one out of 2",
    "recommended comparing",
    "PR, logistic",
)
CHECKED = ("recommended rating", "recommended comparing")  # those that controls and noise are tried on
RATERS = {"careless": "careless:0.3", "constant": "constant:0.5", "random": "careless:1"}


def settings_of(task: str, method: str, feedback: int, rater: str = "clean") -> Settings:
    """The settings of a method for a task, on a budget of judgements; what it does not name is as recommended."""
    changes = METHODS[method][1]
    base = preset("sequence" if task == "generated" else task, changes.get("objective", "el"))
    return base.with_changes({**changes, "feedback": feedback, "rater": rater})
