"""One run of the experiment: learn, keep the chosen weights by their names, translate the test set with them."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.feedback.ngrams import ngram_counts
from kibitz.spaces.protocol import Space
from kibitz.tasks.run import Outcome, Run, perform
from kibitz.tasks.task import Report
from kibitz.tasks.tuning import keep_weights
from kibitz.translation.space import Translation


@dataclass(frozen=True, slots=True)
class Job:
    """A run, the file that its weights go to, and the pop limit that these are scored at."""

    run: Run
    weights: str
    pop_limit: int


def work(job: Job, report: Report) -> dict[str, Any]:
    """The figures of the run, and its n-gram counts in every test sentence."""
    began = time.monotonic()
    outcome = perform(job.run, report)
    if outcome.simulation.interrupted:
        return {"interrupted": True}
    active = keep_weights(outcome, Path(job.weights))
    result = {
        **figures(outcome, job.pop_limit),
        "active": active,
        "seconds": round(time.monotonic() - began, 1),
    }
    if job.run.checkpoint is not None:
        shutil.rmtree(job.run.checkpoint, ignore_errors=True)
    return result


def figures(outcome: Outcome, pop_limit: int) -> dict[str, Any]:
    """What is said of a run that has ended; on test its weights are scored at the pop limit."""
    task, simulation, chosen = outcome.task, outcome.simulation, outcome.chosen
    assert task.test is not None
    best = simulation.best_dev if outcome.selected == "dev" else None
    outputs = _sharper(task.space, pop_limit).predict(task.test, chosen)
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


def _sharper(space: Space, pop_limit: int) -> Translation:
    """The same space, with the best translations looked for at this pop limit."""
    assert isinstance(space, Translation)
    assert space.system is not None
    return Translation(space.decoder, system=replace(space.system, best_pop_limit=pop_limit))
