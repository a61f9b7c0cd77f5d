"""What the bench found, as tables, curves on a logarithmic axis, JSON and a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.analysis.numbers import Spread, count
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Figure, Report, Section
from kibitz.analysis.tables import Cell, Table
from kibitz.tasks.judgements.bench import STEPS, Found
from kibitz.tasks.judgements.methods import CHECKED, METHODS

METRIC = {"chunking": "test F1", "handwriting": "test Hamming loss", "generated": "test Hamming loss"}


def method_table(found: Found, task: str) -> Table:
    """Each method: judgements to the paper's score, score at the end, noise of its steps, cost."""
    plain = _cost(found, task, "EL")
    lines: list[tuple[Cell, ...]] = []
    for method in found.wanted.methods:
        ratio = found.noise_of_steps(task, method)
        cost = _cost(found, task, method)
        lines.append((
            method, METHODS[method][0], f"{found.goal(task, method):g}", reached(found.needed(task, method)),
            Spread.of(found.scores(task, method), "score"), None if ratio is None else f"{ratio:.2f}",
            None if plain is None or cost is None else f"{cost / plain:.1f}",
        ))  # fmt: skip
    columns = (
        "method", "judgement", "goal", "judgements to it", f"{METRIC[task]} at {count(found.wanted.budget_of(task))}",
        "noise of a step / EL's", "time an iteration / EL's",
    )  # fmt: skip
    notes = (
        "Test scores are those of the best weights on dev so far; the mean over seeds, with the standard deviation. "
        "The noise of a step is its variance over its squared signal, times its judgements, at the same weights.",
    )
    return Table.of(columns, lines, f"Judgements needed, {task}", notes)


def check_table(found: Found, task: str) -> Table:
    """Noise and controls."""
    lines: list[tuple[Cell, ...]] = []
    for method in (name for name in found.wanted.methods if name in CHECKED):
        for kind in ("noise", "constant", "random"):
            if (task, method, kind) not in found.results:
                continue
            drift = None if kind == "noise" else f"{found.drift(task, method, kind):+.1f}"
            lines.append((
                method, kind, len(found.results[task, method, kind]),
                reached(found.needed(task, method, kind)) if kind == "noise" else None,
                Spread.of(found.scores(task, method, kind), "score"), drift,
            ))  # fmt: skip
    columns = (
        "method",
        "rater",
        "seeds",
        "judgements to the goal",
        METRIC[task],
        "drift of the draws' loss, in s.e.",
    )
    notes = (
        "noise: 30 % of the answers are random. constant and random are controls, from which nothing can be learnt: "
        "the true loss of the draws in the last tenth of a run, less that in the first, should lie within three "
        "standard errors.",
    )
    return Table.of(columns, lines, f"Noise and controls, {task}", notes)


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
    goal = {"the paper": found.goal(task, "EL")}
    return learning_curves(lines, metric=METRIC[task], scale="log", references=goal, feedback="judgements")


def _score_at(run: Any, judgements: float) -> float:
    before = [test for n, _, test in run["points"] if n <= judgements]
    return float(before[-1] if before else run["points"][0][2])


def _cost(found: Found, task: str, method: str) -> float | None:
    runs = found.results.get((task, method, "clean"))
    return None if runs is None else min(run["us_per_iteration"] for run in runs)


def page(found: Found) -> Report:
    """All of it on one page."""
    seeds = ", ".join(map(str, found.wanted.seeds))
    sections = []
    for task in found.wanted.tasks:
        figure = Figure(
            curves(found, task), f"{METRIC[task]} over judgements, {task}", f"{task}, logarithmic axis."
        )
        sections.append(Section.of(task, method_table(found, task), figure, check_table(found, task)))
    return Report.of("How many judgements are needed", f"Simulated feedback, seeds {seeds}.", sections)


def figures(found: Found) -> dict[str, Any]:
    """The figures by task and method, as JSON."""
    told: dict[str, Any] = {}
    for task, method, kind in found.results:
        if kind == STEPS:
            continue
        entry: dict[str, Any] = {
            "goal": found.goal(task, method), "needed": found.needed(task, method, kind),
            "test": found.scores(task, method, kind),
        }  # fmt: skip
        if kind in ("constant", "random"):
            entry["drift_in_standard_errors"] = found.drift(task, method, kind)
        if kind == "clean":
            entry["noise_over_el"] = found.noise_of_steps(task, method)
        told.setdefault(task, {}).setdefault(method, {})[kind] = entry
    return told
