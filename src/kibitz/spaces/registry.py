"""Spaces by the name that a saved model gives; some stand in rooms that are built on this one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.protocol import Space

SPACES = {
    "chain": ("kibitz.spaces.chain", "Chain"),
    "hypergraph": ("kibitz.spaces.hypergraph", "Hypergraph"),
    "candidates": ("kibitz.spaces.candidates", "Candidates"),
    "translation": ("kibitz.translation.space", "Translation"),
}


def space_from(
    settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], kind: type[Space] | None = None
) -> Space:
    """The space that was saved; ``kind`` is the class of a space of one's own."""
    name = settings["kind"]
    if kind is None and name not in SPACES:
        raise InputError(
            f"the model predicts in a space of its own, {name!r}: load it with space=<its class>"
        )
    return (kind or space_called(name)).restore(settings, arrays)


def space_called(name: str) -> type[Space]:
    """The class of a space by its name, imported when it is asked for."""
    module, called = SPACES[name]
    found: type[Space] = getattr(import_module(module), called)
    return found
