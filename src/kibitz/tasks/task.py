"""What a task is: a space, the examples that feedback is simulated on, and the loss that judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.feedback import Loss
from kibitz.spaces.chain import Chain, Corpus
from kibitz.tasks.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Task:
    """Everything a run needs but its settings and its seed."""

    recipe: Recipe
    space: Chain
    train: Corpus
    dev: Corpus | None
    test: Corpus | None
    loss: Loss
    columns: int | None = None  # of a column file, without the label; None: the inputs are no such files
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.recipe.task

    def about(self) -> dict[str, Any]:
        """What a saved model must know of its task, for `predict`, `evaluate` and `judge`: JSON only."""
        return {
            "recipe": self.recipe.to_dict(),
            "loss": self.loss.name,
            "scheme": getattr(self.loss, "scheme", None),
            "columns": self.columns,
        }
