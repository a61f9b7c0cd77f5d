"""What the bench found, as tables, curves on a logarithmic axis, JSON and a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.analysis.numbers import Spread, count
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Figure, Report, Section
from kibitz.analysis.tables import Cell, Table
from kibitz.tasks.judgements.bench import CONTROLS, MARKS, STEPS, Found
from kibitz.tasks.judgements.methods import CHECKED, METHODS

METRIC = {"chunking": "test F1", "handwriting": "test Hamming loss", "generated": "test Hamming loss"}
# The scores of the paper and, of handwriting, its predecessor's.
PAPER = {
    "chunking": {"EL, the paper": 0.923, "PR, the paper": 0.914},
    "handwriting": {"CE, the paper": 0.257, "PR, the paper": 0.332},
    "generated": {},
}


def method_table(found: Found, task: str) -> Table:
    """Each method: judgements to each mark, score at the end, noise and cost of its steps."""
    lines: list[tuple[Cell, ...]] = []
    for method in found.wanted.methods:
        lines.append((
            method, METHODS[method][0], *_course(found, task, method, "clean"),
            _ratio(found.noise_of_steps(task, method), 2), _ratio(found.cost(task, method, "iteration"), 1),
            _ratio(found.cost(task, method, "judgement"), 1),
        ))  # fmt: skip
        if (task, method, "careless") in found.results:
            course = _course(found, task, method, "careless")
            lines.append((f"{method}, 30 % random", METHODS[method][0], *course, None, None, None))
    columns = (
        "method", "judgement", *(f"to {mark:g}" for mark in MARKS[task]),
        f"{METRIC[task]} at {count(found.wanted.budget_of(task))}", "noise / EL's", "iteration / EL's",
        "judgement / EL's",
    )  # fmt: skip
    notes = (
        "Judgements to a score, and the score at the end, of the best weights on dev so far: means over the seeds, "
        "with the standard deviation. noise: the variance of a step over its squared signal, times its judgements, at "
        "the same weights. The last two: processor time of an iteration and of a judgement.",
    )
    return Table.of(columns, lines, f"Judgements needed, {task}", notes)


def _course(found: Found, task: str, method: str, kind: str) -> list[Cell]:
    needed = (reached(found.needed(task, method, mark, kind)) for mark in MARKS[task])
    return [*needed, Spread.of(found.scores(task, method, kind), "score")]


def _ratio(value: float | None, digits: int) -> str | None:
    return None if value is None else f"{value:.{digits}f}"


def control_table(found: Found, task: str) -> Table:
    """What is learnt where there is nothing to learn."""
    lines: list[tuple[Cell, ...]] = []
    best = max if task == "chunking" else min
    for method in (name for name in found.wanted.methods if name in CHECKED):
        for kind in (kind for kind in CONTROLS if (task, method, kind) in found.results):
            scores = found.scores(task, method, kind)
            drift = f"{found.drift(task, method, kind):+.1f}"
            mean, top = Spread.of(scores, "score"), f"{best(scores):.4f}"
            lines.append((method, kind, len(scores), mean, top, drift))
    columns = ("method", "rater", "seeds", METRIC[task], "the best seed", "drift of the draws' loss, in s.e.")
    notes = (
        "A rater who always says the same, and one who says anything: the true loss of the draws in the last tenth of "
        "a run, less that in the first, should lie within three standard errors.",
    )
    return Table.of(columns, lines, f"Controls, {task}", notes)


def reached(needed: Sequence[int | None]) -> str:
    """The mean over seeds, or how many got there at all."""
    there = [n for n in needed if n is not None]
    if len(there) == len(needed):
        return count(round(float(np.mean(there))))
    return f"{len(there)} of {len(needed)} seeds"


def curves(found: Found, task: str) -> bytes:
    """Score over judgements, on a logarithmic axis."""
    lines = []
    for method in found.wanted.methods:
        runs = found.results[task, method, "clean"]
        steps = np.geomspace(500, found.wanted.budget_of(task), 25)
        lines.append(Curve.of(method, [[(n, _score_at(run, n)) for n in steps] for run in runs]))
    return learning_curves(
        lines, metric=METRIC[task], scale="log", references=PAPER[task], feedback="judgements"
    )


def _score_at(run: Any, judgements: float) -> float:
    before = [test for n, _, test in run["points"] if n <= judgements]
    return float(before[-1] if before else run["points"][0][2])


def page(found: Found) -> Report:
    """All of it on one page."""
    seeds = ", ".join(map(str, found.wanted.seeds))
    sections = []
    for task in found.wanted.tasks:
        figure = Figure(
            curves(found, task), f"{METRIC[task]} over judgements, {task}", f"{task}, logarithmic axis."
        )
        sections.append(Section.of(task, method_table(found, task), figure, control_table(found, task)))
    return Report.of("How many judgements are needed", f"Simulated feedback, seeds {seeds}.", sections)


def figures(found: Found) -> dict[str, Any]:
    """The figures by task and method, as JSON."""
    told: dict[str, Any] = {}
    for task, method, kind in found.results:
        if kind in STEPS:
            continue
        entry: dict[str, Any] = {
            "needed": {f"{mark:g}": found.needed(task, method, mark, kind) for mark in MARKS[task]},
            "test": found.scores(task, method, kind),
        }  # fmt: skip
        if kind in CONTROLS:
            entry["drift_in_standard_errors"] = found.drift(task, method, kind)
        if kind == "clean":
            entry["noise_over_el"] = found.noise_of_steps(task, method)
            entry["iteration_over_el"], entry["judgement_over_el"] = (
                found.cost(task, method, each) for each in ("iteration", "judgement")
            )
        told.setdefault(task, {}).setdefault(method, {})[kind] = entry
    return told
