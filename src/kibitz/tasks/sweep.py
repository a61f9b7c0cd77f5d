"""Meta-parameters chosen on dev: every combination run and recorded, the best by the mean over seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any

from kibitz.data.folders import write_whole
from kibitz.errors import InputError
from kibitz.tasks.catalogue import build
from kibitz.tasks.grid import combinations
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.run import Run, perform
from kibitz.tasks.side_by_side import Heard, run_side_by_side
from kibitz.tasks.task import Report

OF_TASK = ("order", "features")  # axes that change the task; all others change the settings


@dataclass(frozen=True, slots=True)
class Trial:
    """One point of the grid at one seed."""

    point: tuple[tuple[str, Any], ...]
    run: Run

    @property
    def key(self) -> str:
        """What makes it the same trial when a sweep is begun again."""
        run = self.run
        return json.dumps([run.recipe.to_dict(), run.settings.to_dict(), run.seed], sort_keys=True)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one point of the grid did, over its seeds; a run whose weights ran out of range has no result."""

    point: Mapping[str, Any]
    results: tuple[Mapping[str, Any], ...]

    @property
    def failed(self) -> int:
        return sum("failed" in result for result in self.results)

    @property
    def dev(self) -> float | None:
        """The mean dev score; None where a seed failed."""
        return None if self.failed else fmean(result["dev"] for result in self.results)


def trials(
    recipe: Recipe, preset_name: str, axes: Mapping[str, Sequence[Any]], seeds: Sequence[int]
) -> list[Trial]:
    """Every combination at every seed; one that makes no sense is refused before anything runs."""
    found = []
    for point in combinations(axes):
        of_task = {name: value for name, value in point.items() if name in OF_TASK}
        changes = {name: value for name, value in point.items() if name not in OF_TASK}
        settings = preset(recipe.task, changes.get("objective", "el"), preset_name).with_changes(changes)
        here = Recipe(**{**recipe.to_dict(), **of_task})
        found += [Trial(tuple(point.items()), Run(here, settings, seed)) for seed in seeds]
    return found


def sweep(
    wanted: Sequence[Trial],
    record: Path,
    *,
    at_once: int | None = None,
    heard: Heard = lambda number, told: None,
) -> list[Standing]:
    """Run what is not on record yet, append each result as it comes; all standings, best first."""
    missing = remaining(wanted, record)
    for recipe in dict.fromkeys(trial.run.recipe for trial in missing):
        if (
            build(recipe).dev is None
        ):  # what is wrong with the data is said now, and the encoding is kept for the runs
            raise InputError("A sweep chooses on dev data: name a file with --dev FILE.")
    done = dict(_recorded(record))
    record.parent.mkdir(parents=True, exist_ok=True)
    with record.open("a", encoding="utf-8") as file:
        for number, result in run_side_by_side(_work, missing, at_once=at_once, heard=heard):
            if result.get("interrupted"):
                continue
            trial = missing[number]
            done[trial.key] = result
            line = {"key": json.loads(trial.key), "point": dict(trial.point), "result": result}
            file.write(json.dumps(line) + "\n")
            file.flush()
    return _standings(wanted, done)


def remaining(wanted: Sequence[Trial], record: Path) -> list[Trial]:
    """The trials that are not on record."""
    done = dict(_recorded(record))
    return [trial for trial in wanted if trial.key not in done]


def _work(trial: Trial, report: Report) -> dict[str, Any]:
    try:
        return perform(trial.run, report).result()
    except InputError as error:  # a rate too large for the task: the sweep goes on and says so at the end
        return {"failed": str(error)}


def _recorded(record: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if not record.exists():
        return
    text = record.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:  # the last line was cut short when the sweep was stopped: that run is done again
        write_whole(record, whole.encode())
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            entry = json.loads(line)
            yield json.dumps(entry["key"], sort_keys=True), entry["result"]
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{record}:{number}: this line records no run: take it out, or name another file."
            ) from None


def _standings(wanted: Sequence[Trial], done: Mapping[str, dict[str, Any]]) -> list[Standing]:
    by_point: dict[tuple[tuple[str, Any], ...], list[dict[str, Any]]] = {}
    for trial in wanted:
        by_point.setdefault(trial.point, []).append(done[trial.key])
    standings = [Standing(dict(point), tuple(results)) for point, results in by_point.items()]
    return sorted(standings, key=_rank)


def _rank(standing: Standing) -> float:
    if standing.dev is None:
        return inf
    return -standing.dev if standing.results[0]["higher_is_better"] else standing.dev
