"""Inputs for a saved model from a file, with or without gold answers, and its outputs as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from kibitz.errors import InputError
from kibitz.spaces.candidates import Candidates
from kibitz.spaces.chain import Chain
from kibitz.tasks.inputs import lists, sentences, sequences
from kibitz.tasks.inputs.input import Input
from kibitz.tasks.models import SavedModel
from kibitz.translation.space import Translation

__all__ = ["Input", "own_inputs", "read_inputs", "written"]


def read_inputs(
    model: SavedModel, path: str | Path, *, gold: bool, references: str | Path | None = None, loss: str = ""
) -> list[Input]:
    """The inputs of a file; with `gold`, each must have the gold answer that the `loss` compares with."""
    if isinstance(model.space, Candidates):
        return lists.read_inputs(path, references, loss if gold else None)
    if isinstance(model.space, Translation):
        return sentences.read_inputs(model, path, references, gold=gold)
    if references is not None:
        raise InputError(f"--references belongs to models of texts, and {model.path} is none: leave it out.")
    if isinstance(model.space, Chain):
        return sequences.read_inputs(model.space, model.columns, path, gold=gold)
    raise InputError(f"The model {model.path} reads no files: ask it in a program of yours.")


def own_inputs(model: SavedModel) -> list[Input]:
    """What the model's task learns from, read again."""
    if model.recipe is None:
        raise InputError(f"The model {model.path} does not know its task: name a FILE with inputs.")
    found: list[Input] = import_module(f"kibitz.tasks.{model.recipe.task}").inputs(model)
    return found


def written(inputs: Sequence[Input], outputs: Sequence[Any]) -> str:
    """Outputs as a file has them: labels each behind the line that it labels, texts a line each."""
    read = [each.read(output) for each, output in zip(inputs, outputs, strict=True)]
    if all(isinstance(output, str) for output in read):
        return "".join(" ".join(output.splitlines()) + "\n" for output in read)
    return "\n".join(
        "".join(f"{line} {label}\n" for line, label in zip(each.lines, labels, strict=True))
        for each, labels in zip(inputs, outputs, strict=True)
    )
