"""What `kibitz learn` does once its options are read: the runs, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.analysis.numbers import count
from kibitz.cli.output import say
from kibitz.cli.progress import progress
from kibitz.cli.run_figures import told
from kibitz.errors import InputError
from kibitz.tasks.folder import Folder
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import TASKS, Recipe
from kibitz.tasks.run import Run, perform
from kibitz.tasks.side_by_side import run_side_by_side
from kibitz.tasks.task import Report


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of `kibitz learn`; None where one was not named."""

    task: str | None
    preset: str | None
    settings: Mapping[str, Any]
    of_task: Mapping[str, Any]
    seed: int | None
    seeds: int | None
    start: Path | None
    resume: Path | None
    out: Path | None
    workers: int | None

    def runs(self) -> list[Job]:
        """One run a seed, with the preset's settings where none are named."""
        if self.task is None:
            raise InputError(f"Name the task to learn: {', '.join(TASKS)}.")
        recipe = Recipe(self.task, **task_options(self.of_task))
        if self.settings["select"] == "dev" and recipe.train is not None and recipe.dev is None:
            raise InputError("--select dev needs a file to choose on: name it with --dev FILE.")
        chosen = preset(self.task, self.settings["objective"] or "el", self.preset or "recommended")
        settings = chosen.with_changes(self.settings)
        if self.seeds is not None and self.seeds < 1:
            raise InputError(f"--seeds must be 1 or more, not {self.seeds}.")
        first, many = 1 if self.seed is None else self.seed, self.seeds is not None and self.seeds > 1
        start = str(self.start) if self.start else None
        jobs = []
        for seed in range(first, first + (self.seeds or 1)):
            out = self.out / f"seed-{seed}" if self.out and many else self.out
            jobs.append(Job(Run(recipe, settings, seed, start), out))
        return jobs


@dataclass(frozen=True, slots=True)
class Job:
    """A run and the folder that keeps it, or none."""

    run: Run
    out: Path | None


def task_options(named: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the task that were named, paths as text."""
    return {name: _plain(value) for name, value in named.items() if value is not None and value != []}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else value


def learned(wanted: Wanted) -> dict[str, Any]:
    """Do what is wanted; say how it went; return the figures."""
    if wanted.resume is not None:
        return told([_resumed(wanted, wanted.resume)])
    jobs = wanted.runs()
    say(_headline(jobs))
    if len(jobs) == 1:
        with progress() as bars:
            return told([work(jobs[0], lambda told: bars.update(wanted.task or "", told))])
    names = [f"seed {job.run.seed}" for job in jobs]
    with progress() as bars:
        runs = run_side_by_side(
            work, jobs, at_once=wanted.workers, heard=lambda number, told: bars.update(names[number], told)
        )
        results: list[tuple[int, dict[str, Any]]] = []
        try:
            for ended in runs:
                results.append(ended)  # noqa: PERF402  # those that ended before a Ctrl-C are to be told of
        except KeyboardInterrupt:
            if not results:
                raise
    return told([result for _, result in sorted(results, key=lambda ended: ended[0])])


def work(job: Job, report: Report) -> dict[str, Any]:
    """Do one job; processes of their own find this function by name."""
    if job.out is None:
        return perform(job.run, report).result()
    return Folder(job.out).begin(job.run, report)


def _resumed(wanted: Wanted, path: Path) -> dict[str, Any]:
    folder = Folder(path)
    task = folder.task()
    fixed = [name for name, value in wanted.settings.items() if value is not None]
    fixed += [
        name for name in ("preset", "seed", "seeds", "start", "out") if getattr(wanted, name) is not None
    ]
    if wanted.task not in (None, task):
        raise InputError(f"{path} holds a run of the task {task}, not of {wanted.task}.")
    if fixed:
        names = ", ".join("--" + name.replace("_", "-") for name in fixed)
        raise InputError(
            f"A resumed run keeps its settings: leave out {names}, or begin another run with --start {path}."
        )
    with progress() as bars:
        return folder.resume(task_options(wanted.of_task), lambda told: bars.update(task, told))


def _headline(jobs: Sequence[Job]) -> str:
    run = jobs[0].run
    settings = run.settings
    budget = (
        f"{count(settings.feedback)} judgements"
        if settings.feedback
        else f"{count(settings.iterations)} iterations"
    )
    seeds = f"seed {run.seed}" if len(jobs) == 1 else f"seeds {run.seed} to {jobs[-1].run.seed}"
    parts = [settings.objective, settings.optimizer, f"rate {settings.rate:g}", budget, seeds]
    return f"Learning {run.recipe.task}: {', '.join(parts)}."
