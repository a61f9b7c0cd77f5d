"""One run of the experiment: learn, keep the chosen weights by their names, translate the test set with them."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.feedback.ngrams import ngram_counts
from kibitz.tasks.run import Outcome, Report, Run, perform
from kibitz.tasks.tuning import keep_weights


@dataclass(frozen=True, slots=True)
class Job:
    """A run, and the file that its weights go to."""

    run: Run
    weights: str


def work(job: Job, report: Report) -> dict[str, Any]:
    """The figures of the run, and its n-gram counts in every test sentence."""
    began = time.monotonic()
    outcome = perform(job.run, report)
    if outcome.simulation.interrupted:
        return {"interrupted": True}
    active = keep_weights(outcome, Path(job.weights))
    result = {**figures(outcome), "active": active, "seconds": round(time.monotonic() - began, 1)}
    if job.run.checkpoint is not None:
        shutil.rmtree(job.run.checkpoint, ignore_errors=True)
    return result


def figures(outcome: Outcome) -> dict[str, Any]:
    """What is said of a run that has ended."""
    task, simulation, chosen = outcome.task, outcome.simulation, outcome.chosen
    assert task.test is not None
    best = simulation.best_dev if outcome.selected == "dev" else None
    outputs = task.space.predict(task.test, chosen)
    references = [task.test.gold_of(i) for i in range(len(task.test))]
    return {
        "dev": task.space.score(task.dev, chosen, task.loss) if best is None else best,
        "test": task.loss.corpus(outputs, references),
        "counts": [
            ngram_counts([output], reference)[0].astype(int).tolist()
            for output, reference in zip(outputs, references, strict=True)
        ],
        "best_iteration": simulation.best_iteration,
        "iterations": simulation.iterations,
        "feedback": simulation.feedback,
        "curve": [(point.iteration, point.dev) for point in simulation.curve],
        "heard": [(point.iteration, point.heard) for point in simulation.curve if point.heard is not None],
        "features": task.space.size,
        "inputs": len(task.train),
        "milliseconds": round(1e3 * simulation.learning_seconds / max(1, simulation.iterations), 2),
    }
