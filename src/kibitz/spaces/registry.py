"""Spaces by the name that a saved model gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.candidates.candidates import Candidates
from kibitz.spaces.chain.chain import Chain
from kibitz.spaces.hypergraph.hypergraph import Hypergraph
from kibitz.spaces.protocol import Space

SPACES: dict[str, type[Space]] = {each.kind: each for each in (Chain, Hypergraph, Candidates)}


def space_from(
    settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], kind: type[Space] | None = None
) -> Space:
    """The space that was saved; ``kind`` is the class of a space of one's own."""
    name = settings["kind"]
    if kind is None and name not in SPACES:
        raise InputError(
            f"the model predicts in a space of its own, {name!r}: load it with space=<its class>"
        )
    return (kind or SPACES[name]).restore(settings, arrays)
