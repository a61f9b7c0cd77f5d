"""The bench of judgements: what it counts, and a run of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from kibitz.analysis.numbers import Spread
from kibitz.data.generated import Difficulty
from kibitz.errors import InputError
from kibitz.tasks.judgements.bench import CONTROL_BUDGET, MARKS, TASKS, Found, Wanted
from kibitz.tasks.judgements.course import GROWTH, Course, follow
from kibitz.tasks.judgements.methods import METHODS, settings_of
from kibitz.tasks.judgements.pages import control_table, figures, method_table
from kibitz.tasks.presets import preset

EASY = Difficulty(difficulty=0.1, length=4, labels=3, train=60)
BEST, PLAIN = "recommended rating", "EL"


def _found(**results: list[dict[str, Any]]) -> Found:
    wanted = Wanted(tasks=("chunking",), methods=(PLAIN, BEST), seeds=(1, 2))
    steps = {"noise": [{"noise": 1.0}] * 2, "cost": [{"iteration": 2.0, "judgement": 3.0}]}
    kinds = {("chunking", BEST, kind): runs for kind, runs in {**steps, **results}.items()}
    plain = {
        ("chunking", PLAIN, "clean"): [{"points": [(0, 0.1, 0.1), (9, 0.2, 0.2)]}] * 2,
        ("chunking", PLAIN, "noise"): [{"noise": 8.0}, {"noise": 12.0}],
        ("chunking", PLAIN, "cost"): [{"iteration": 1.0, "judgement": 1.0}],
    }
    return Found(wanted, {**plain, **kinds})


def test_judgements_are_counted_to_the_first_look_at_the_mark() -> None:
    early = {"points": [(0, 0.1, 0.1), (100, 0.9, 0.91), (200, 0.91, 0.9141)]}
    late = {"points": [(0, 0.1, 0.1), (100, 0.8, 0.80), (300, 0.89, 0.9)]}
    found = _found(clean=[early, late])
    assert found.needed("chunking", BEST, 0.90) == [100, 300]
    assert found.needed("chunking", BEST, 0.914) == [200, None]
    told = figures(found)["chunking"][BEST]["clean"]
    assert told["needed"]["0.914"] == [200, None]
    assert told["test"] == [0.9141, 0.9]


def test_noise_and_cost_stand_beside_plain_el() -> None:
    runs = [{"points": [(0, 0.1, 0.1), (9, 0.95, 0.95)]}] * 2
    found = _found(clean=runs)
    row = next(row for row in method_table(found, "chunking").rows if row[0] == BEST)
    assert row[2 : 2 + len(MARKS["chunking"])] == ("9",) * len(MARKS["chunking"])
    assert row[-4:] == (Spread.of([0.95, 0.95], "score"), "0.10", "2.0", "3.0")


def test_a_drift_is_the_last_tenth_less_the_first_in_standard_errors() -> None:
    heard = [[0.5 + gain * (i == 19) for i in range(20)] for gain in (0.2, 0.4)]
    runs = [
        {"points": [(9, 0.1, top)], "heard": list(enumerate(losses))}
        for losses, top in zip(heard, (0.2, 0.1), strict=True)
    ]
    found = _found(constant=runs)
    assert found.drift("chunking", BEST, "constant") == pytest.approx(0.15 / 0.05)
    assert control_table(found, "chunking").rows == (
        (BEST, "constant", 2, Spread.of([0.2, 0.1], "score"), "0.2000", "+3.0"),
    )


def test_every_method_has_pieces_of_its_own() -> None:
    wanted = Wanted(tasks=("generated", "chunking"), methods=tuple(METHODS), seeds=(1, 2), controls=4)
    pieces = wanted.pieces()
    names = [piece.name for of_kind in pieces.values() for piece in of_kind]
    assert len(names) == len(set(names))
    controls = pieces["chunking", BEST, "random"]
    assert [piece.key["seed"] for piece in controls] == [1, 2, 3, 4]
    assert {piece.job.settings.feedback for piece in controls} == {CONTROL_BUDGET}
    assert ("chunking", PLAIN, "random") not in pieces
    with pytest.raises(InputError, match="method"):
        Wanted(methods=("magic",))


@pytest.mark.parametrize(("method", "objective"), [(BEST, "el"), ("recommended comparing", "pr-bin")])
@pytest.mark.parametrize("task", TASKS)
def test_what_is_called_recommended_is_what_learn_does(task: str, method: str, objective: str) -> None:
    ours = preset("sequence" if task == "generated" else task, objective)
    assert settings_of(task, method, 500) == ours.with_changes({"feedback": 500})


def test_a_course_looks_at_dev_evenly_on_a_logarithmic_axis() -> None:
    run = follow(Course("generated", EASY, settings_of("generated", BEST, 400), 1), lambda told: None)
    judged = [n for n, _, _ in run["points"]]
    assert judged[0] == 0
    assert judged[-1] == run["feedback"] == 400
    steps = [later / earlier for earlier, later in pairwise(judged[1:-1])]
    assert all(GROWTH <= step <= GROWTH + 2 / 10 for step in steps[10:])
    best = max(run["points"], key=lambda point: -point[1])
    assert run["points"][-1][2] == best[2] < run["points"][0][2]


def test_comparisons_take_time_and_have_noise() -> None:
    settings = settings_of("generated", "recommended comparing", 100)
    noise = follow(Course("generated", EASY, settings, 1, "noise"), lambda told: None)["noise"]
    cost = follow(Course("generated", EASY, settings, 1, "cost"), lambda told: None)
    assert noise > 0
    assert cost["judgement"] > cost["iteration"] > 0
