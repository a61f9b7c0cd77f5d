"""The --out folder of a run: model/, curve.jsonl, settings.json, report.html; checkpoint/ until it ends."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.data.folders import write_whole
from kibitz.errors import InputError
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.run import Outcome, Run, follow, prepare, settle
from kibitz.tasks.run_report import run_report
from kibitz.tasks.settings import Settings
from kibitz.tasks.task import Report, unheard


@dataclass(frozen=True, slots=True)
class Folder:
    """One run's folder; `settings.json` is there from the start, the rest when the run ends or is stopped."""

    path: Path

    @property
    def settings(self) -> Path:
        return self.path / "settings.json"

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint"

    def begin(self, run: Run, report: Report = unheard) -> dict[str, Any]:
        """Do a run and keep it here; refuse to write over one that has not ended."""
        if self.settings.is_file() and not self._read()["finished"]:
            raise InputError(
                f"{self.path} holds a run that has not ended: go on with it by --resume {self.path}, or name "
                "another folder."
            )
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path} is a file: name a folder for --out.")
        return self._go(run, report, labels=None)

    def resume(self, changes: Mapping[str, Any], report: Report = unheard) -> dict[str, Any]:
        """Go on with the interrupted run that lies here; `changes` may name files that have moved."""
        saved = self._read()
        if saved["finished"]:
            raise InputError(
                f"The run in {self.path} has ended: learn on from its model with --start {self.path}, in a "
                "new folder."
            )
        recipe = replace(Recipe(**saved["recipe"]), **changes)
        run = Run(recipe, Settings(**saved["settings"]), saved["seed"], saved["start"])
        return self._go(run, report, labels=saved["labels"])

    def task(self) -> str:
        """The task of the run that lies here."""
        return str(self._read()["recipe"]["task"])

    def _go(self, run: Run, report: Report, labels: list[str] | None) -> dict[str, Any]:
        run = replace(run, checkpoint=str(self.checkpoint))
        task, learner = prepare(run, report)
        found = task.labels
        if labels is None:
            if self.checkpoint.exists():
                shutil.rmtree(self.checkpoint)
            self._write(run, found, finished=False)
        elif found != labels:
            differ = ", ".join(sorted(set(found) ^ set(labels)))
            raise InputError(
                f"{run.recipe.train} does not have the labels of the run in {self.path}, they differ in "
                f"{differ}: resume with a file that covers them, or begin a new run."
            )
        outcome = follow(run, task, learner, report)
        result = self._keep(outcome)
        if not outcome.simulation.interrupted:
            shutil.rmtree(self.checkpoint, ignore_errors=True)
            self._write(run, found, finished=True)
        return {**result, "out": str(self.path)}

    def _keep(self, outcome: Outcome) -> dict[str, Any]:
        result, learner = outcome.result(), outcome.simulation.learner
        points = (json.dumps(asdict(point)) + "\n" for point in outcome.simulation.curve)
        write_whole(self.path / "curve.jsonl", "".join(points).encode())
        settle(learner, outcome.chosen)
        learner.about["task"] = outcome.task.about()
        learner.save(self.path / "model")
        run_report(outcome, result).save(self.path / "report.html")
        return result

    def _write(self, run: Run, labels: list[str], *, finished: bool) -> None:
        from kibitz import __version__

        described = {
            "version": __version__,
            "finished": finished,
            "recipe": run.recipe.to_dict(),
            "settings": run.settings.to_dict(),
            "seed": run.seed,
            "start": run.start,
            "labels": labels,
        }
        write_whole(self.settings, (json.dumps(described, indent=1) + "\n").encode())

    def _read(self) -> dict[str, Any]:
        try:
            saved: dict[str, Any] = json.loads(self.settings.read_text(encoding="utf-8"))
            return {
                name: saved[name] for name in ("finished", "recipe", "settings", "seed", "start", "labels")
            }
        except FileNotFoundError:
            raise InputError(f"{self.path} holds no run: there is no {self.settings.name} in it.") from None
        except (ValueError, TypeError, KeyError):
            raise InputError(f"{self.settings} is damaged: begin a new run.") from None
