"""What the experiment runs with; the rates and the number of iterations were chosen on dev."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.errors import InputError
from kibitz.tasks.presets import preset
from kibitz.tasks.settings import Settings
from kibitz.tasks.tuning import TUNING

OUT, IN = "out-of-domain", "in-domain"
ALGORITHMS = {"EL": "el", "PR(bin)": "pr-bin", "PR(cont)": "pr-cont", "CE": "ce"}
POST_EDITS = "post-edits"
ROWS = (OUT, IN, *ALGORITHMS, POST_EDITS)

PAPERS_EPOCHS = 20
LOOKS, TUNING_LOOKS = 6, 2  # at dev in a run: each is a decoding of the whole set

_ADAGRAD: dict[str, Any] = {"optimizer": "adagrad", "iterations": 7_500, "inputs": "random"}
_PAIRS: dict[str, Any] = {**_ADAGRAD, "pair_loss": "signed", "opponent": "self"}
# Sentences differ in their scores far more than translations of one do: two are rated, each held against the other.
_RATINGS: dict[str, Any] = {**_ADAGRAD, "rate": 0.1, "draws": 2, "baseline": "leave-one-out"}

LEARNING: dict[str, Settings] = {
    "EL": Settings("el", **_RATINGS),
    "PR(bin)": Settings("pr-bin", rate=0.2, **_PAIRS),
    "PR(cont)": Settings("pr-cont", rate=0.1, **_PAIRS),
    "CE": Settings("ce", clip=0.5, **_RATINGS),
    POST_EDITS: Settings("el", **_RATINGS),
}


@dataclass(frozen=True, slots=True)
class Choices:
    """The system, and the settings of tuning with full information, of every row, and of the estimates."""

    tuning: Settings = TUNING
    rows: Mapping[str, Settings] = field(default_factory=LEARNING.copy)
    rules: int = 5  # of each source side
    span: int = 10  # words of an input that a rule may cover
    sparse: bool = True
    pop_limit: int = 30  # of what is drawn, and of looks at dev
    best_pop_limit: int = 200  # of what is tested
    observed_inputs: int | None = 100  # None: all of them
    observed_epochs: int = 20

    def lasting(self, iterations: int | None) -> Choices:
        """The same for so many iterations, where that is not None."""
        if iterations is None:
            return self
        if iterations < 1:
            raise InputError(f"--iterations must be 1 or more, not {iterations}.")
        most = max(2, iterations // self.observed_epochs)
        return replace(
            self,
            tuning=replace(self.tuning, iterations=min(iterations, self.tuning.iterations)),
            rows={row: replace(settings, iterations=iterations) for row, settings in self.rows.items()},
            observed_inputs=most if self.observed_inputs is None else min(most, self.observed_inputs),
        )

    def full(self, inputs: int) -> Choices:
        """The paper's twenty passes over all inputs, and its estimates over all of them."""
        rows = {
            row: replace(settings, iterations=PAPERS_EPOCHS * inputs) for row, settings in self.rows.items()
        }
        return replace(self, rows=rows, observed_inputs=None, observed_epochs=PAPERS_EPOCHS)


def looking(settings: Settings, looks: int) -> Settings:
    """With so many looks at dev, unless it is said how many."""
    return replace(settings, evaluate_every=settings.evaluate_every or max(1, settings.iterations // looks))


def observed(objective: str) -> Settings:
    """The paper's settings of Table 2: one rate for all, lambda and k as in Table 1."""
    return replace(preset("translation", objective, "paper"), rate=1e-6)
