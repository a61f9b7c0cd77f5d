"""`kibitz bench feedback`: every method on every task, what has been run on record, the figures of it all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.data.generated import Difficulty
from kibitz.tasks.choices import choose
from kibitz.tasks.judgements.course import Course, follow
from kibitz.tasks.judgements.methods import CHECKED, METHODS, QUICK, RATERS, settings_of
from kibitz.tasks.record import Piece, Record

TASKS = ("chunking", "handwriting", "generated")
BUDGETS = {"chunking": 50_000, "handwriting": 150_000, "generated": 30_000}
# Test scores on the way: judgements are counted until each is reached.
MARKS = {
    "chunking": (0.88, 0.90, 0.914, 0.923, 0.935), "handwriting": (0.332, 0.257, 0.19, 0.15), "generated": (0.25,)
}  # fmt: skip
CONTROLS = ("constant", "random")
CONTROL_BUDGET = 20_000
STEPS = ("noise", "cost")  # of steps

Heard = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run."""

    tasks: Sequence[str] = TASKS
    methods: Sequence[str] = QUICK
    seeds: Sequence[int] = (1, 2, 3)
    budget: int | None = None
    controls: int = 10  # seeds of the controls; 0: none
    noise: bool = True
    steps: bool = True  # their noise and their cost
    difficulty: Difficulty = field(default_factory=Difficulty)

    def __post_init__(self) -> None:
        for task in self.tasks:
            choose("task of this bench", task, TASKS)
        for method in self.methods:
            choose("method", method, METHODS)

    def budget_of(self, task: str, kind: str = "clean") -> int:
        """Judgements of a run."""
        budget = self.budget or BUDGETS[task]
        return min(budget, CONTROL_BUDGET) if kind in CONTROLS else budget

    def pieces(self) -> dict[tuple[str, str, str], list[Piece]]:
        """The runs by task, method and kind, one a seed."""
        found = {}
        for task in self.tasks:
            for method in self.methods:
                for kind in self._kinds(method):
                    found[task, method, kind] = [
                        self._piece(task, method, kind, seed) for seed in self.seeds_of(kind)
                    ]
        return found

    def seeds_of(self, kind: str) -> Sequence[int]:
        """The seeds of a kind of run; time is the same for every one."""
        if kind in CONTROLS:
            return range(1, self.controls + 1)
        return self.seeds[:1] if kind == "cost" else self.seeds

    def _kinds(self, method: str) -> list[str]:
        kinds = ["clean", *STEPS] if self.steps else ["clean"]
        if method in CHECKED:
            kinds += ["careless"] * self.noise + [*CONTROLS] * bool(self.controls)
        return kinds

    def _piece(self, task: str, method: str, kind: str, seed: int) -> Piece:
        settings = settings_of(task, method, self.budget_of(task, kind), RATERS.get(kind, "clean"))
        course = Course(task, self.difficulty, settings, seed, kind if kind in STEPS else "course")
        key = {
            "task": task, "settings": settings.to_dict(), "seed": seed, "kind": course.kind,
            "difficulty": asdict(self.difficulty) if task == "generated" else None,
        }  # fmt: skip
        words = f"{task} {method.replace('+', 'with').replace(',', '')} {kind} seed {seed}"
        name = "-".join(words.split())
        return Piece(name, key, course)


@dataclass(frozen=True, slots=True)
class Found:
    """The results by task, method and kind."""

    wanted: Wanted
    results: Mapping[tuple[str, str, str], Sequence[Mapping[str, Any]]]

    def needed(self, task: str, method: str, mark: float, kind: str = "clean") -> list[int | None]:
        """Judgements until the test score of the best weights on dev is this good, by seed; None: never."""
        better = 1 if task == "chunking" else -1
        return [
            next((n for n, _, test in run["points"] if better * test >= better * mark), None)
            for run in self.results[task, method, kind]
        ]

    def scores(self, task: str, method: str, kind: str = "clean") -> list[float]:
        """The test score at the end of the budget, by seed."""
        return [run["points"][-1][2] for run in self.results[task, method, kind]]

    def drift(self, task: str, method: str, kind: str) -> float:
        """The true loss of the draws in the last tenth less that in the first, in standard errors over the seeds."""
        changes = []
        for run in self.results[task, method, kind]:
            losses = [loss for _, loss in run["heard"]]
            tenth = max(1, len(losses) // 10)
            changes.append(float(np.mean(losses[-tenth:]) - np.mean(losses[:tenth])))
        error = np.std(changes, ddof=1) / np.sqrt(len(changes)) if len(changes) > 1 else np.nan
        return float(np.mean(changes) / error)

    def noise_of_steps(self, task: str, method: str) -> float | None:
        """The noise of a step, at equal judgements, over that of plain EL."""
        if (task, "EL", "noise") not in self.results:
            return None
        ours, plain = (
            float(np.mean([run["noise"] for run in self.results[task, name, "noise"]]))
            for name in (method, "EL")
        )
        return ours / plain

    def cost(self, task: str, method: str, each: str) -> float | None:
        """Processor time of an iteration or a judgement, over that of plain EL."""
        found = self.results.get((task, method, "cost"))
        return None if found is None else float(found[0][each])


def measure(
    wanted: Wanted, record: Path, *, at_once: int | None = None, heard: Heard = lambda name, told: None
) -> Found:
    """Run what is not on record."""
    pieces = wanted.pieces()
    everything = [piece for of_kind in pieces.values() for piece in of_kind]
    done = Record(record).all(everything, follow, at_once=at_once, heard=heard)
    return Found(wanted, {key: [done[piece.name] for piece in of_kind] for key, of_kind in pieces.items()})
