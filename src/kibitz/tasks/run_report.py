"""The page that a run leaves behind: how well it ended, the learning curve, and every setting."""

from __future__ import annotations

from math import isfinite
from typing import Any

from kibitz.analysis.numbers import count, duration
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Block, Facts, Figure, Report, Section
from kibitz.analysis.tables import Table
from kibitz.tasks.run import Outcome


def run_report(outcome: Outcome, result: dict[str, Any]) -> Report:
    """The report of one run."""
    metric, settings = result["metric"], outcome.run.settings
    shown = [(name.replace("_", " "), result[name]) for name in ("dev", "test", "test_average")]
    facts = [(f"{name} {metric}", f"{value:.4f}") for name, value in shown if value is not None]
    facts += [("iterations", count(result["iterations"])), ("judgements", count(result["feedback"]))]
    facts += [("learning", duration(result["seconds"]))]
    ended = "interrupted" if result["interrupted"] else "ended"
    lead = (
        f"Objective {settings.objective}, seed {outcome.run.seed}; the run {ended} after "
        f"{result['iterations']:,} iterations. The weights kept are chosen by the rule {outcome.selected!r}."
    )
    rows = [
        (name.replace("_", " "), str(value))
        for name, value in settings.to_dict().items()
        if value is not None
    ]
    rows += [(f"task: {name}", str(value)) for name, value in outcome.run.recipe.to_dict().items()]
    sections = [
        Section.of("Result", Facts(tuple(facts))),
        Section.of("Learning", *_curves(outcome, metric)),
        Section.of("Settings", Table.of(("setting", "value"), rows)),
    ]
    return Report.of(f"Kibitz: {result['task']}", lead, sections)


def _curves(outcome: Outcome, metric: str) -> list[Block]:
    curve = outcome.simulation.curve
    dev = [(float(point.iteration), point.dev) for point in curve if point.dev is not None]
    heard = [
        (float(point.iteration), point.heard)
        for point in curve
        if point.heard is not None and isfinite(point.heard)
    ]
    blocks: list[Block] = []
    if len(dev) > 1:
        picture = learning_curves([Curve.of("dev", [dev])], metric=f"dev {metric}")
        blocks.append(
            Figure(
                picture, f"Dev {metric} over iterations, {dev[0][1]:.3f} at first, {dev[-1][1]:.3f} at last"
            )
        )
    if len(heard) > 1:
        picture = learning_curves([Curve.of("loss", [heard])], metric="mean loss heard")
        words = f"Mean loss heard over iterations, {heard[0][1]:.3f} at first, {heard[-1][1]:.3f} at last"
        blocks.append(
            Figure(picture, words, "What the learner heard of its own draws, between two looks at dev.")
        )
    return blocks or ["The run was too short for a curve."]
