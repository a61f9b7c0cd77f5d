"""What `kibitz translation tune` does once its options are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.analysis.numbers import duration
from kibitz.cli.learning import task_options
from kibitz.cli.output import say
from kibitz.cli.progress import progress
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.tuning import TUNING, tune


def tuned(
    file: Path,
    references: Path,
    out: Path,
    of_task: Mapping[str, Any],
    settings: Mapping[str, Any],
    seed: int,
) -> dict[str, Any]:
    """Tune, say how it went, return the figures."""
    options = {**of_task, "train": file, "references": references}
    recipe = Recipe("translation", **task_options(options))
    select = "last" if recipe.dev is None else "dev"
    chosen = TUNING.with_changes({**settings, "select": select})
    with progress("dev BLEU") as bars:
        figures = tune(recipe, chosen, seed, out, lambda told: bars.update("tuning", told))
    first, last = figures["heard"][0], figures["heard"][-1]
    scored = "" if figures["dev"] is None else f" Dev BLEU {figures['dev']:.4f}."
    say(
        f"{figures['active']:,} of {figures['features']:,} weights are not 0; the mean loss of draws went from "
        f"{first:.4f} to {last:.4f} in {duration(figures['seconds'])}.{scored} They are in {out}."
    )
    return figures
