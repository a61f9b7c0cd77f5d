"""The tasks by name."""

from __future__ import annotations

from kibitz.spaces.chain import Chain
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.task import Task


def build(recipe: Recipe, base: Chain | None = None) -> Task:
    """The task that a recipe describes, encoded and ready; with `base`, in the space of a saved model."""
    if recipe.task == "chunking":
        from kibitz.tasks import chunking

        return chunking.task(recipe, base)
    if recipe.task == "handwriting":
        from kibitz.tasks import handwriting

        return handwriting.task(recipe, base)
    from kibitz.tasks import sequence

    return sequence.task(recipe, base)
