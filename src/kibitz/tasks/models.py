"""Saved models and what they know of their task: which files they read, and which loss judges them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kibitz.errors import InputError
from kibitz.feedback import Loss, loss_from
from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.spaces.chain import Chain
from kibitz.spaces.protocol import Space
from kibitz.spaces.schemes import Scheme
from kibitz.tasks.recipe import Recipe


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A learner, where it lies, and its task where that is known."""

    path: Path
    learner: Learner
    recipe: Recipe | None = None
    loss_name: str | None = None
    scheme: str | None = None
    columns: int | None = None

    @property
    def space(self) -> Space:
        return self.learner.space

    def loss(self, name: str | None = None) -> Loss:
        """The loss of that name, or the task's own, or the one that suits the outputs."""
        wanted = name or self.loss_name or suited(self.space)
        return loss_from(wanted, scheme=self.scheme or ("iobes" if wanted == "f1" else "bio"))

    def save(self) -> None:
        """Write the model back to where it came from."""
        self.learner.save(self.path)


def suited(space: Space) -> str:
    """The loss for outputs of which nothing else is known."""
    if not isinstance(space, Chain):
        return "bleu"
    prefixes = Scheme("iobes").prefixes
    spans = all(label[:1] in prefixes and label[1:2] in ("", "-") for label in space.labels)
    return "f1" if spans else "hamming"


def open_model(path: str | Path) -> SavedModel:
    """A saved model, or the one in the --out folder of a run."""
    folder = Path(path)
    if not folder.exists():
        raise InputError(f"There is no model {path}: name a saved model, or the --out folder of a run.")
    if (folder / "model").is_dir():
        folder = folder / "model"
    learner = load(folder)
    about = learner.about.get("task")
    if about is None:
        return SavedModel(folder, learner)
    try:
        recipe = Recipe(**about["recipe"])
        return SavedModel(folder, learner, recipe, about["loss"], about["scheme"], about["columns"])
    except (KeyError, TypeError):
        raise InputError(f"The model {path} is damaged: what it says of its task cannot be read.") from None
