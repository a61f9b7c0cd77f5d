"""The estimates of the paper's Table 2 for translation: every algorithm at one small rate, from the same start.

At a rate of 1e-6 a step is near the smallest that weights of single precision can take: these runs have double.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.analysis.trajectory import observe
from kibitz.data.checksum import checksum_of
from kibitz.learning.simulation import Point
from kibitz.tasks.adaptation.settings import ALGORITHMS, Choices, observed
from kibitz.tasks.adaptation.texts import spread
from kibitz.tasks.catalogue import build
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.record import Piece
from kibitz.tasks.reproduce_convergence import EQUAL, Row, told_of
from kibitz.tasks.run import Run, begin_with, new_learner
from kibitz.tasks.task import Report

STEPS_AN_INPUT = 10  # of each batch that the squared gradient is estimated from


@dataclass(frozen=True, slots=True)
class Job:
    """A run to observe for so many epochs of so many of its inputs."""

    run: Run
    epochs: int
    inputs: int | None


def rows() -> list[Row]:
    """The four algorithms by the paper's text."""
    return [Row(name, EQUAL, observed(objective)) for name, objective in ALGORITHMS.items()]


def pieces(
    recipe: Recipe, start: Path, ground: str, choices: Choices, seeds: Sequence[int]
) -> Mapping[str, list[Piece]]:
    """The runs of every row, by its name."""
    shared = {
        "ground": ground,
        "start": checksum_of(start),
        "inputs": choices.observed_inputs,
        "epochs": choices.observed_epochs,
    }
    found: dict[str, list[Piece]] = {}
    for row in rows():
        found[row.name] = []
        for seed in seeds:
            run = Run(recipe, row.settings, seed)
            key = {**shared, "recipe": recipe.to_dict(), "settings": row.settings.to_dict(), "seed": seed}
            job = Job(run, choices.observed_epochs, choices.observed_inputs)
            found[row.name].append(Piece(f"convergence-{row.settings.objective}-seed-{seed}", key, job))
    return found


def work(job: Job, report: Report) -> dict[str, Any]:
    """Learn while watching."""
    run = job.run
    task = build(run.recipe, report=report)
    train = task.train.subset(spread(range(len(task.train)), job.inputs))
    total = job.epochs * len(train)
    learner = new_learner(task.space, run.settings, run.seed, epoch=len(train), dtype="float64")
    assert task.start is not None
    begin_with(learner, task.start)

    def progress(point: Point) -> None:
        report({"done": point.iteration, "total": total, "unit": "iterations", "loss": point.heard})

    batch = STEPS_AN_INPUT * len(train)
    seen = observe(
        learner, train, task.loss, epochs=job.epochs, batch=batch, seed=run.seed, progress=progress
    )
    return {**told_of(seen), "T": total, "D": len(train)}
