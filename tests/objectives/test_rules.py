"""Each objective's coefficient rule against the design's table, by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from kibitz.errors import InputError
from kibitz.objectives import OBJECTIVES, objective_from
from kibitz.objectives.baselines import BASELINES, baseline_from
from kibitz.spaces.first_class import direct

# (feedback, probability, options) -> coefficient. Of a pair the feedback is D = loss(first) - loss(second).
TABLE = [
    ("el", {}, 0.0, 0.5, 0.0),
    ("el", {}, 0.25, 0.5, 0.25),
    ("el", {}, 1.0, 1e-9, 1.0),
    ("ce", {"clip": 0.01}, 0.25, 0.5, -1.5),
    ("ce", {"clip": 0.01}, 0.25, 0.001, -75.0),
    ("ce", {"clip": 0.0}, 0.25, 0.001, -750.0),
    ("ce", {"clip": 0.01}, 1.0, 0.5, 0.0),
    ("ce", {}, 0.0, 1e-9, -100.0),  # the default is the paper's 1e-2
    ("likelihood", {}, 0.0, 0.5, -1.0),
    ("likelihood", {}, 0.7, 0.1, -1.0),
    ("pr-cont", {"pair_loss": "violation"}, 0.3, 0.5, 0.3),
    ("pr-cont", {"pair_loss": "violation"}, -0.3, 0.5, 0.0),
    ("pr-cont", {"pair_loss": "violation"}, 0.0, 0.5, 0.0),
    ("pr-bin", {"pair_loss": "violation"}, 0.3, 0.5, 1.0),
    ("pr-bin", {"pair_loss": "violation"}, -0.3, 0.5, 0.0),
    ("pr-bin", {"pair_loss": "violation"}, 0.0, 0.5, 0.0),
    ("pr-cont", {"pair_loss": "shortfall"}, 0.3, 0.5, 1.0),
    ("pr-cont", {"pair_loss": "shortfall"}, -0.3, 0.5, 0.7),
    ("pr-cont", {"pair_loss": "shortfall"}, 0.0, 0.5, 1.0),
    ("pr-cont", {"pair_loss": "shortfall"}, -1.0, 0.5, 0.0),
    ("pr-bin", {"pair_loss": "shortfall"}, 0.3, 0.5, 1.0),
    ("pr-bin", {"pair_loss": "shortfall"}, -0.3, 0.5, 0.0),
    ("pr-bin", {"pair_loss": "shortfall"}, 0.0, 0.5, 1.0),
    ("pr-cont", {"pair_loss": "signed"}, 0.3, 0.5, 0.3),
    ("pr-cont", {"pair_loss": "signed"}, -0.3, 0.5, -0.3),
    ("pr-bin", {"pair_loss": "signed"}, 0.3, 0.5, 1.0),
    ("pr-bin", {"pair_loss": "signed"}, -0.3, 0.5, -1.0),
    ("pr-bin", {"pair_loss": "signed"}, 0.0, 0.5, 0.0),
]


@pytest.mark.parametrize(("name", "options", "feedback", "probability", "coefficient"), TABLE)
def test_the_coefficient_is_that_of_the_table(
    name: str, options: dict[str, Any], feedback: float, probability: float, coefficient: float
) -> None:
    objective = objective_from(name, **options)
    assert objective.rule(feedback, math.log(probability), objective.params) == pytest.approx(coefficient)


def test_compiled_rules_give_the_bits_of_the_formula() -> None:
    import numpy as np

    for name, options in (("ce", {"clip": 0.1}), ("pr-cont", {"pair_loss": "shortfall"})):
        objective = objective_from(name, **options)
        compiled, params = direct(objective.rule), np.array(objective.params)
        for feedback in (-0.7, 0.0, 1 / 3):
            for log_prob in (-0.1, -40.0):
                plain = objective.rule(feedback, log_prob, objective.params)
                assert compiled(feedback, log_prob, params) == plain


@pytest.mark.parametrize(
    ("name", "options", "hears", "signs"),
    [
        ("el", {}, "loss", (1,)),
        ("ce", {}, "loss", (1,)),
        ("likelihood", {}, "gold", (1,)),
        ("pr-bin", {}, "pair", (1, -1)),
        ("pr-cont", {}, "pair", (1, -1)),
        ("pr-bin", {"opponent": "self"}, "pair", (1, 1)),
        ("pr-cont", {"opponent": "self"}, "pair", (1, 1)),
    ],
)
def test_the_draws_are_those_of_the_table(
    name: str, options: dict[str, Any], hears: str, signs: tuple[int, ...]
) -> None:
    objective = objective_from(name, **options)
    assert (objective.name, objective.hears, objective.signs) == (name, hears, signs)


def test_the_pair_loss_is_the_papers_unless_another_is_named() -> None:
    for name in ("pr-bin", "pr-cont"):
        assert objective_from(name) == objective_from(name, pair_loss="violation", opponent="contrast")


def test_settings_come_back_as_the_same_objective() -> None:
    for name in OBJECTIVES:
        objective = objective_from(
            name, clip=0.25, pair_loss="signed", opponent="self", baseline="mean", nonsense="ignored"
        )
        assert objective_from(**objective.settings()) == objective


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("elf", {}, "did you mean 'el'"),
        ("zzz", {}, "choose one of el"),
        ("ce", {"clip": -0.1}, "clipping constant"),
        ("ce", {"clip": 1.0}, "clipping constant"),
        ("ce", {"clip": math.nan}, "clipping constant"),
        ("pr-bin", {"pair_loss": "hinge"}, "violation, shortfall, signed, logistic"),
        ("pr-bin", {"opponent": "other"}, "'contrast' or 'self'"),
        ("el", {"baseline": "median"}, "baseline"),
        ("likelihood", {"baseline": "median"}, "baseline"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(
    name: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        objective_from(name, **options)


def test_no_baseline_leaves_the_coefficient_and_the_mean_remembers() -> None:
    state = [0.0, 0.0]
    assert [BASELINES["none"].centre(c, None, state) for c in (0.5, -2.0)] == [0.5, -2.0]
    assert state == [0.0, 0.0]
    assert [baseline_from("mean").centre(c, None, state) for c in (0.5, 0.25, 1.0)] == [0.5, -0.25, 0.625]
    assert state == [3.0, pytest.approx(1.75 / 3)]
