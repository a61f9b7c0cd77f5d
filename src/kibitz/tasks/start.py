"""Weights of a file that a run begins with, by the names of their features."""

from __future__ import annotations

from kibitz.errors import InputError
from kibitz.spaces.protocol import Space
from kibitz.tasks.recipe import Recipe
from kibitz.translation.grammar import read_weights


def begins_with(recipe: Recipe, base: Space | None) -> dict[str, float]:
    """The weights that the recipe names, none where it names no file; a saved model `base` has its own."""
    if base is not None and recipe.weights is not None:
        raise InputError("--start and --weights both say where to begin: leave one of the two out.")
    return {} if recipe.weights is None else read_weights(recipe.weights)
