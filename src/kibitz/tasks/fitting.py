"""Whether a saved model and the data it is to go on with fit together."""

from __future__ import annotations

from typing import TypeVar

from kibitz.errors import InputError
from kibitz.spaces.chain import Chain
from kibitz.spaces.protocol import Space
from kibitz.tasks.files import LabelledFile

S = TypeVar("S", bound=Space)


def covers(file: LabelledFile, model: Chain) -> None:
    """Refuse a file whose labels are not those of the model."""
    unknown = [label for label in file.labels if label not in model.labels]
    if unknown:
        raise InputError(
            f"{file.path}:{file.line_of(unknown[0])}: the model has no label {unknown[0]!r}, it knows "
            f"{', '.join(model.labels)}: give a file with its labels, or learn a new model."
        )
    missing = [label for label in model.labels if label not in file.labels]
    if missing:
        raise InputError(
            f"{file.path} has no label {', '.join(missing)}, which the model predicts: give a file that "
            "covers the model's labels, or learn a new model."
        )


def require_kind(model: Space | None, kind: type[S]) -> S | None:
    """Refuse a model of another kind of space."""
    if model is None or isinstance(model, kind):
        return model
    raise InputError(
        "The model was learnt with another kind of space than this task asks for: start from another one."
    )


def require_same(model: Space | None, wanted: Space) -> None:
    """Refuse a model whose space is not the one that the task asks for."""
    if model is None:
        return
    ours, theirs = wanted.settings(), model.settings()
    names = {
        "labels": "labels", "order": "order", "extractor": "features",
        "forbidden": "forbidden steps", "initial": "labels that open", "final": "labels that close",
        "start": "start", "transitions": "transitions",
    }  # fmt: skip
    for key, name in names.items():
        if ours.get(key) != theirs.get(key):
            raise InputError(
                f"The model was learnt with other {name} than this task asks for: start from another one."
            )
