"""The experiment from its texts to its results: what was made before is not made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.data.checksum import checksum_of
from kibitz.tasks.adaptation import convergence
from kibitz.tasks.adaptation.ground import Ground, Heard, lay
from kibitz.tasks.adaptation.learning import Job, work
from kibitz.tasks.adaptation.parsing import parse
from kibitz.tasks.adaptation.settings import (
    ALGORITHMS,
    IN,
    LOOKS,
    OUT,
    POST_EDITS,
    TUNING_LOOKS,
    Choices,
    looking,
)
from kibitz.tasks.adaptation.texts import HELD_OUT, IN_DOMAIN, POST_EDITED, TUNE, Texts
from kibitz.tasks.record import Piece, Record
from kibitz.tasks.reproduce_convergence import ByRow
from kibitz.tasks.run import Run
from kibitz.tasks.settings import Settings
from kibitz.tasks.tuning import HAND
from kibitz.translation.grammar import write_weights

TUNINGS = {OUT: HELD_OUT, IN: TUNE}
TUNING_SEEDS = (1, 2, 3)

Runs = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for."""

    texts: Texts
    out: Path
    seeds: Sequence[int]
    choices: Choices
    full: bool = False
    at_once: int | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """The runs of every row; of the two that are tuned, the place of the median by dev."""

    ground: Ground
    choices: Choices
    runs: Mapping[str, Runs]
    medians: Mapping[str, int]

    def median(self, row: str) -> Mapping[str, Any]:
        """The tuned system that stands for a row."""
        return self.runs[row][self.medians[row]]


def adapt(wanted: Wanted, heard: Heard) -> Results:
    """Build, parse, tune, learn."""
    ground = lay(wanted.texts, wanted.out, wanted.choices, heard)
    choices = wanted.choices.full(ground.learned_from[IN_DOMAIN]) if wanted.full else wanted.choices
    parse(ground, choices, wanted.at_once, heard)
    hand = wanted.out / "by-hand.weights"
    write_weights(hand, HAND)
    tuning = dict.fromkeys(TUNINGS, looking(choices.tuning, TUNING_LOOKS))
    tuned = _runs(wanted, ground, choices, tuning, hand, TUNING_SEEDS, heard)
    medians = {row: median([run["dev"] for run in runs]) for row, runs in tuned.items()}
    start = weights_of(wanted.out, OUT, TUNING_SEEDS[medians[OUT]])
    learning = {row: looking(settings, LOOKS) for row, settings in choices.rows.items()}
    learned = _runs(wanted, ground, choices, learning, start, wanted.seeds, heard)
    return Results(ground, choices, {**tuned, **learned}, medians)


def estimates(wanted: Wanted, results: Results, heard: Heard) -> ByRow:
    """The estimates of convergence, from the same start."""
    ground, choices = results.ground, results.choices
    start = weights_of(wanted.out, OUT, TUNING_SEEDS[results.medians[OUT]])
    recipe = ground.recipe(IN_DOMAIN, start, choices)
    pieces = convergence.pieces(recipe, start, ground.key, choices, wanted.seeds)
    everything = [piece for of_row in pieces.values() for piece in of_row]
    record = Record(wanted.out / "runs")
    found = record.all(everything, convergence.work, at_once=wanted.at_once, heard=heard)
    return {name: [found[piece.name] for piece in of_row] for name, of_row in pieces.items()}


def median(scores: Sequence[float]) -> int:
    """The place of the middle one; of two in the middle, the lower."""
    order = sorted(range(len(scores)), key=lambda i: (scores[i], i))
    return order[(len(order) - 1) // 2]


def weights_of(out: Path, row: str, seed: int) -> Path:
    """Where the weights of a run are."""
    return out / "weights" / f"{_name(row, seed)}.weights"


def _runs(
    wanted: Wanted, ground: Ground, choices: Choices, rows: Mapping[str, Settings], start: Path, seeds: Sequence[int],
    heard: Heard,
) -> dict[str, Runs]:  # fmt: skip
    """The runs of these rows, one a seed, those that are missing made now."""
    pieces = {
        row: [_piece(wanted.out, ground, choices, row, settings, start, seed) for seed in seeds]
        for row, settings in rows.items()
    }
    # Seed by seed, so that an experiment that is stopped has something to say of every row.
    everything = [of_row[i] for i in range(len(seeds)) for of_row in pieces.values()]
    results = Record(wanted.out / "runs").all(everything, work, at_once=wanted.at_once, heard=heard)
    return {row: [results[piece.name] for piece in of_row] for row, of_row in pieces.items()}


def _piece(
    out: Path, ground: Ground, choices: Choices, row: str, settings: Settings, start: Path, seed: int
) -> Piece:
    """A run, with all that decides what comes of it."""
    part = TUNINGS.get(row, POST_EDITED if row == POST_EDITS else IN_DOMAIN)
    recipe = ground.recipe(part, start, choices)
    key = {
        "recipe": recipe.to_dict(),
        "settings": settings.to_dict(),
        "seed": seed,
        "ground": ground.key,
        "start": checksum_of(start),
    }
    digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:12]
    name = _name(row, seed)
    run = Run(recipe, settings, seed, checkpoint=str(out / "checkpoints" / f"{name}-{digest}"))
    return Piece(name, key, Job(run, str(weights_of(out, row, seed)), choices.best_pop_limit))


def _name(row: str, seed: int) -> str:
    return f"{ALGORITHMS.get(row, row)}-seed-{seed}"
