"""The tasks by name."""

from __future__ import annotations

from importlib import import_module

from kibitz.spaces.protocol import Space
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.task import Report, Task, unheard


def build(recipe: Recipe, base: Space | None = None, report: Report = unheard) -> Task:
    """The task that a recipe describes, encoded and ready; with `base`, in the space of a saved model.

    The module of a task has its name, and a function `task` with these arguments; `report` hears what takes long.
    """
    made: Task = import_module(f"kibitz.tasks.{recipe.task}").task(recipe, base, report)
    return made
