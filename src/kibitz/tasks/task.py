"""What a task is: a space, the examples that feedback is simulated on, and the loss that judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kibitz.feedback import Loss
from kibitz.spaces.protocol import Space
from kibitz.spaces.weights import Array
from kibitz.tasks.recipe import Recipe

Report = Callable[[dict[str, Any]], None]  # hears `done` of `total` of a `unit`; `what`, where it is no run


def unheard(told: dict[str, Any]) -> None:
    """Nobody listens."""


class Corpus(Protocol):
    """Encoded inputs with their gold answers."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def gold_of(self, i: int) -> Any: ...
    def subset(self, indices: Sequence[int]) -> Any: ...


@dataclass(frozen=True, slots=True)
class Task:
    """Everything a run needs but its settings and its seed."""

    recipe: Recipe
    space: Space
    train: Corpus
    dev: Corpus | None
    test: Corpus | None
    loss: Loss
    columns: int | None = None  # of a column file, without the label; None: the inputs are no such files
    warnings: tuple[str, ...] = ()
    tellable: bool = True  # every gold answer can be told, which full information needs
    start: Array | None = None  # the weights to begin with; None: all 0

    @property
    def name(self) -> str:
        return self.recipe.task

    @property
    def labels(self) -> list[str]:
        """The labels of its outputs, where they are made of labels: a run goes on only with the same."""
        return list(getattr(self.space, "labels", ()))

    def about(self) -> dict[str, Any]:
        """What a saved model must know of its task, for `predict`, `evaluate` and `judge`: JSON only."""
        return {
            "recipe": self.recipe.to_dict(),
            "loss": self.loss.name,
            "scheme": getattr(self.loss, "scheme", None),
            "columns": self.columns,
        }
