"""Table 2 of the paper for chunking: how far from a stationary point, how smooth, how noisy each run is.

Every algorithm at the same rate, as in the table, and at its own rate of Table 1; PR by the loss of the
paper's text and by the shortfall of its authors' program; each estimate by single steps (the paper's text)
and by epoch differences (its authors' scripts), with the noise relative to the squared gradient beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from kibitz.analysis.trajectory import Observed, observe
from kibitz.errors import InputError
from kibitz.learning.simulation import Point
from kibitz.tasks.catalogue import build
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.record import Piece, Record
from kibitz.tasks.run import Run, new_learner
from kibitz.tasks.settings import Settings
from kibitz.tasks.task import Report as Heard

RECIPE = Recipe("chunking")
EPOCHS = 400  # of 7,936 inputs: the paper's T = 3,174,400
EQUAL_RATE = 1e-6
EQUAL, OWN = "equal rates", "own rates"  # as in Table 2, and those of Table 1
SHORTFALL = "shortfall"
SINGLE, EPOCH = "single_steps", "epoch_differences"
ByRow = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Row:
    """An algorithm at one kind of rates; `algorithm` is its name in the paper's table."""

    algorithm: str
    rates: str
    settings: Settings
    variant: str = ""

    @property
    def name(self) -> str:
        words = (self.settings.objective, self.variant, self.rates)
        return "-".join(word.replace(" ", "-") for word in words if word)

    @property
    def title(self) -> str:
        return f"{self.algorithm}, {self.variant}" if self.variant else self.algorithm


@dataclass(frozen=True, slots=True)
class Job:
    """A run to observe for so many epochs."""

    run: Run
    epochs: int


def rows() -> list[Row]:
    """Four algorithms, PR's two also by the shortfall, at equal rates and at their own."""
    names = {"CE": "ce", "EL": "el", "PR(bin)": "pr-bin", "PR(cont)": "pr-cont"}
    table = []
    for rates in (EQUAL, OWN):
        for algorithm, objective in names.items():
            settings = preset("chunking", objective, "paper")
            if rates == EQUAL:
                settings = replace(settings, rate=EQUAL_RATE, l2=1e-5 if objective == "ce" else 0.0)
            table.append(Row(algorithm, rates, settings))
            if algorithm.startswith("PR"):
                table.append(Row(algorithm, rates, replace(settings, pair_loss=SHORTFALL), SHORTFALL))
    return table


def reproduce(
    out: Path, seeds: Sequence[int], fraction: float, *, at_once: int | None = None,
    heard: Callable[[str, dict[str, Any]], None] = lambda name, told: None,
) -> tuple[list[Row], ByRow]:  # fmt: skip
    """Observe what is missing in `out`; the estimates of every row, one a seed."""
    if not 0 < fraction <= 1:
        raise InputError(f"The fraction {fraction:g} is out of range: give a number above 0 and at most 1.")
    build(RECIPE)  # what is wrong with the data is said now, and the encoding is kept for the runs
    epochs = max(2, round(EPOCHS * fraction))
    table = rows()
    pieces = {row.name: [_piece(row, seed, epochs) for seed in seeds] for row in table}
    everything = [piece for of_row in pieces.values() for piece in of_row]
    results = Record(out / "runs").all(everything, work, at_once=at_once, heard=heard)
    return table, {name: [results[piece.name] for piece in of_row] for name, of_row in pieces.items()}


def _piece(row: Row, seed: int, epochs: int) -> Piece:
    run = Run(RECIPE, row.settings, seed)
    key = {"settings": row.settings.to_dict(), "seed": seed, "epochs": epochs}
    return Piece(f"{row.name}-seed-{seed}", key, Job(run, epochs))


def work(job: Job, report: Heard) -> dict[str, Any]:
    """Learn while watching."""
    run = job.run
    task = build(run.recipe)
    total = job.epochs * len(task.train)
    settings = replace(run.settings, iterations=total)
    learner = new_learner(task.space, settings, run.seed, epoch=len(task.train))

    def progress(point: Point) -> None:
        report({"done": point.iteration, "total": total, "unit": "iterations", "loss": point.heard})

    seen = observe(
        learner,
        task.train,
        task.loss,
        epochs=job.epochs,
        seed=run.seed,
        inputs=settings.inputs,
        progress=progress,
    )
    return told_of(seen)


def told_of(seen: Observed) -> dict[str, Any]:
    """The estimates of a run, as JSON."""
    relative = seen.norm.relative_variance
    return {
        SINGLE: asdict(seen.single_steps),
        EPOCH: asdict(seen.epoch_differences),
        "smoothness": seen.smoothness,
        "norm": {**asdict(seen.norm), "relative_variance": relative if isfinite(relative) else None},
    }
