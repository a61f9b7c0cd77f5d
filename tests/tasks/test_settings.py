"""Settings and presets: what a wrong value must say, and which presets there are."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from kibitz.errors import InputError
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import TASKS, Recipe
from kibitz.tasks.run import objective_of
from kibitz.tasks.settings import OBJECTIVES, Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate", -1.0),
        ("rate", 0.0),
        ("rate", math.nan),
        ("rate", math.inf),
        ("iterations", 0),
        ("feedback", -5),
        ("evaluate_every", 0),
        ("clip", 0.0),
        ("clip", 2.0),
        ("clip", math.nan),
        ("momentum", 1.0),
        ("momentum", -0.1),
        ("l2", -1e-6),
        ("temperature", -0.4),
        ("temperature", math.nan),
        ("replay", -1),
        ("replay_age", 0),
        ("replay_size", 0),
        ("replay_clip", -1.0),
    ],
)
def test_a_number_out_of_range_is_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(InputError) as raised:
        Settings(**{name: value})
    assert name.replace("_", "-") in str(raised.value).lower()


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("objective", "EL", "el"),
        ("objective", "pr_bin", "pr-bin"),
        ("optimizer", "adagard", "adagrad"),
        ("schedule", "constnat", "constant"),
        ("pair_loss", "shortfal", "shortfall"),
        ("opponent", "selve", "self"),
        ("baseline", "meen", "mean"),
        ("asks", "gradeint", "gradient"),
        ("replay_of", "bets", "best"),
        ("inputs", "epoch", "epochs"),
        ("select", "lastt", "last"),
    ],
)
def test_a_misspelt_name_gets_the_name_that_was_meant(name: str, value: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        Settings(**{name: value})


def test_momentum_with_adagrad_is_refused_rather_than_ignored() -> None:
    with pytest.raises(InputError, match="Momentum"):
        Settings(optimizer="adagrad", momentum=0.9)


def test_changes_of_none_leave_the_setting() -> None:
    settings = Settings(rate=0.5).with_changes({"rate": None, "momentum": 0.0, "iterations": 7})
    assert (settings.rate, settings.iterations) == (0.5, 7)


def test_another_optimizer_does_not_take_over_a_rate_that_was_chosen_for_adagrad() -> None:
    recommended = preset("chunking", "el")
    assert (recommended.optimizer, recommended.rate) == ("adagrad", 0.1)
    assert recommended.with_changes({"optimizer": "adam"}).rate == 0.01
    assert recommended.with_changes({"optimizer": "normalized"}).rate == 0.5
    assert recommended.with_changes({"optimizer": "adam", "rate": 0.3}).rate == 0.3
    assert recommended.with_changes({"optimizer": "adagrad"}).rate == 0.1
    assert Settings(optimizer="adam", rate=0.2).with_changes({"optimizer": "adam"}).rate == 0.2


def test_how_outputs_are_drawn_and_what_is_taken_from_the_step_reach_the_objective() -> None:
    rated = objective_of(
        Settings(objective="el", draws=2, coupling="antithetic", baseline="mean", control_variate="score")
    )
    assert (len(rated.signs), rated.coupling, rated.control_variate) == (2, "antithetic", "score")
    compared = Settings(objective="pr-bin", pair_loss="signed", opponent="self")
    assert [len(objective_of(replace(compared, draws=draws)).signs) for draws in (1, 2, 4)] == [2, 2, 4]


def test_the_dev_set_is_looked_at_a_hundred_times_unless_told_otherwise() -> None:
    assert Settings(iterations=1000).segment() == 10
    assert Settings(iterations=3).segment() == 1
    assert Settings(iterations=1000, evaluate_every=77).segment() == 77


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_paper_preset_is_plain_sgd_with_the_paper_s_pairs_at_a_constant_rate_but_for_ce_on_lists(
    task: str, objective: str
) -> None:
    paper = preset(task, objective, "paper")
    assert (paper.optimizer, paper.baseline) == ("sgd", "none")
    assert (paper.opponent, paper.pair_loss) == ("contrast", "violation")
    exception = (task, objective) == ("rerank", "ce")
    assert (paper.schedule, paper.momentum) == (("sqrt", 0.99) if exception else ("constant", 0.0))


def test_the_paper_s_chunking_rows_are_those_of_its_table() -> None:
    rates = {name: preset("chunking", name, "paper").rate for name in ("el", "pr-cont", "ce")}
    counts = {name: preset("chunking", name, "paper").iterations for name in ("el", "pr-cont", "ce")}
    cross_entropy = preset("chunking", "ce", "paper")
    assert rates == {"el": 1e-4, "pr-cont": 1e-4, "ce": 1e-6}
    assert counts == {"el": 7_500_000, "pr-cont": 4_700_000, "ce": 5_900_000}
    assert (cross_entropy.l2, cross_entropy.clip) == (1e-6, 1e-2)


def test_an_unknown_preset_task_or_objective_is_refused() -> None:
    for arguments in [("chunking", "el", "papers"), ("chunkin", "el", "paper"), ("chunking", "ell", "paper")]:
        with pytest.raises(InputError, match="did you mean"):
            preset(*arguments)


def test_an_option_of_another_task_is_refused_rather_than_ignored() -> None:
    with pytest.raises(InputError, match="--train belongs to the task sequence"):
        Recipe("chunking", train="x")
    with pytest.raises(InputError, match="--features belongs to the task handwriting"):
        Recipe("sequence", features="pairs")


@pytest.mark.parametrize(
    ("name", "value"), [("order", 3), ("features", "pixel"), ("loss", "f2"), ("scheme", "iob")]
)
def test_an_unknown_task_option_is_refused(name: str, value: object) -> None:
    task = "handwriting" if name == "features" else "sequence"
    with pytest.raises(InputError):
        Recipe(task, **{name: value})


def test_a_recipe_survives_its_json() -> None:
    recipe = Recipe("sequence", order=2, train="a.txt", loss="hamming")
    assert Recipe(**recipe.to_dict()) == recipe
