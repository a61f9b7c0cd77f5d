"""N-best lists for a model that reranks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kibitz.data.lines import called
from kibitz.data.nbest import NBest, read_nbest
from kibitz.errors import InputError
from kibitz.tasks.inputs.input import Input


def read_inputs(path: str | Path, references: str | Path | None, loss: str | None) -> list[Input]:
    """The lists of a file; with the name of a loss, each with what that compares with."""
    return [
        Input(nbest.candidates, heading=nbest.source or "", gold=loss and gold_for(loss, nbest, path))
        for nbest in read_nbest(path, references)
    ]


def gold_for(loss: str, nbest: NBest, path: str | Path) -> str | Mapping[str, float]:
    """What the loss compares with: the reference, or the loss of every text."""
    where = f"{called(path)}:{nbest.line}"
    if loss != "given":
        if nbest.reference is None:
            raise InputError(
                f"{where}: the list {nbest.id!r} has no reference, which the loss {loss} needs: give it one, "
                "or name a file with a reference a line."
            )
        return nbest.reference
    if nbest.losses is None:
        raise InputError(
            f'{where}: the candidates of the list {nbest.id!r} have no losses: give each its "loss", or use '
            "--loss bleu with references."
        )
    found: dict[str, float] = {}
    for candidate, value in zip(nbest.candidates, nbest.losses, strict=True):
        if found.setdefault(candidate.text, value) != value:
            raise InputError(
                f"{where}: the text {candidate.text!r} has the losses {found[candidate.text]:g} and {value:g}, "
                "but nobody could tell its candidates apart: give equal texts one loss."
            )
    return found
