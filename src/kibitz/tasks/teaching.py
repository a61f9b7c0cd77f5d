"""A saved model made ready for a person's answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kibitz.errors import InputError
from kibitz.tasks.choices import choose
from kibitz.tasks.models import SavedModel
from kibitz.tasks.run import new_learner
from kibitz.tasks.settings import Settings

# Plain steps, all of one size: AdaGrad without a memory would begin with the largest.
TEACHING: dict[str, dict[str, Any]] = {
    "el": {"rate": 0.05, "baseline": "mean"},
    "pr-bin": {"rate": 0.05, "pair_loss": "signed", "opponent": "self"},
    "ce": {"rate": 1e-4},
}
ASKABLE = tuple(TEACHING)


def teachable(model: SavedModel, objective: str | None = None, rate: float | None = None) -> SavedModel:
    """The model as it is, or a new learner from its weights where another objective or rate is wanted.

    A person can rate an output or compare two of them. Graded comparisons and gold outputs take more than one
    key, so a model that learnt from those is asked with `pr-bin`.
    """
    name = model.learner.objective.name
    wanted = choose("objective that a person can answer", objective, ASKABLE) if objective else name
    if wanted == name and rate is None and wanted in ASKABLE:
        return model
    if wanted not in ASKABLE:
        wanted = "pr-bin"
    settings = Settings(wanted, **TEACHING[wanted]).with_changes({"rate": rate})
    learner = new_learner(model.space, settings, model.learner.seed, epoch=1)
    weights = model.learner.weights
    if len(weights) != model.space.size:
        raise InputError(
            f"The model {model.path} is damaged: it has {len(weights)} weights, not {model.space.size}."
        )
    learner.use(weights)
    return replace(model, learner=learner)
