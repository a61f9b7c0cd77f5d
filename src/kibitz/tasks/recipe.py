"""What builds a task again: its name, its options, the user's files; other processes and models carry it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kibitz.errors import InputError
from kibitz.tasks.choices import choose

TASKS = ("chunking", "handwriting", "sequence", "rerank", "translation")
_REFERENCES = ("references", "dev_references", "test_references")

# Which of the options belong to which task; the others must be left out.
_OPTIONS = {
    "chunking": ("order",),
    "handwriting": ("features",),
    "sequence": ("order", "train", "dev", "test", "loss", "scheme", "templates"),
    "rerank": ("train", "dev", "test", "loss", *_REFERENCES, "weights"),
    "translation": (
        "train", "dev", "test", *_REFERENCES, "system", "grammar", "lm", "sparse", "weights", "pop_limit",
        "best_pop_limit",
    ),
}  # fmt: skip
_LOSSES = {"sequence": ("f1", "hamming", "01"), "rerank": ("bleu", "given")}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A task by name, with the options it takes; None means the task's own default."""

    task: str
    order: int | None = None
    features: str | None = None
    train: str | None = None
    dev: str | None = None
    test: str | None = None
    loss: str | None = None
    scheme: str | None = None
    templates: str | None = None
    references: str | None = None
    dev_references: str | None = None
    test_references: str | None = None
    system: str | None = None
    grammar: Sequence[str] | None = None
    lm: Sequence[str] | None = None
    sparse: bool | None = None
    weights: str | None = None
    pop_limit: int | None = None
    best_pop_limit: int | None = None

    def __post_init__(self) -> None:
        choose("task", self.task, TASKS)
        for name in ("grammar", "lm"):
            if (files := getattr(self, name)) is not None:
                object.__setattr__(self, name, tuple(files))
        for name, value in asdict(self).items():
            if name != "task" and value is not None and name not in _OPTIONS[self.task]:
                owners = " or ".join(task for task in TASKS if name in _OPTIONS[task])
                option = name.replace("_", "-")
                raise InputError(
                    f"--{option} belongs to the task {owners}, not to {self.task}: leave it out."
                )
        if self.order not in (None, 1, 2):
            raise InputError(f"The order of the model is 1 or 2, not {self.order}.")
        if self.features is not None:
            choose("kind of features", self.features, ("pixels", "pairs"))
        if self.loss is not None:
            choose("loss", self.loss, _LOSSES[self.task])
        if self.scheme is not None:
            choose("scheme", self.scheme, ("bio", "iob1", "iob2", "iobes"))

    def to_dict(self) -> dict[str, Any]:
        """The options that were given, for a JSON file."""
        return {name: value for name, value in asdict(self).items() if value is not None}
