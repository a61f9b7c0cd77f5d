"""`kibitz judge`: every key does what the question says, and what was answered is saved."""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import SGD, Chain, Learner, load
from kibitz.features import Plain
from kibitz.objectives import objective_from

Kibitz = Callable[..., Any]


@pytest.fixture
def mine(model: Path, tmp_path: Path) -> Path:
    """A copy of the model that a test may teach."""
    copy = tmp_path / "mine"
    shutil.copytree(model, copy)
    return copy


def test_ratings_teach_the_model_and_it_is_saved(kibitz: Kibitz, files: Any, mine: Path) -> None:
    before = load(mine)
    answer = kibitz("judge", mine, files.test, "--json", keys="0 5 9 0 q")
    after = load(mine)
    assert answer.code == 0
    assert answer.json["answers"] == 4
    assert after.judgements == before.judgements + 4
    assert not np.array_equal(after.weights, before.weights)


def test_an_answer_moves_a_learnt_model_by_less_than_a_first_step(
    kibitz: Kibitz, files: Any, mine: Path
) -> None:
    """AdaGrad's steps shrink with what it remembers; without that, each weight would move by the whole rate."""
    before = load(mine)
    kibitz("judge", mine, files.test, keys="0 q")
    moved = np.abs(load(mine).weights - before.weights)
    assert 0 < np.median(moved[moved > 0]) < 0.5 * before.optimizer.rate


def test_skipping_and_leaving_change_no_weight(kibitz: Kibitz, files: Any, mine: Path) -> None:
    before = load(mine).weights
    answer = kibitz("judge", mine, files.test, "--json", keys="s s q")
    assert (answer.json["answers"], answer.json["skipped"]) == (0, 2)
    assert np.array_equal(load(mine).weights, before)


def test_the_end_of_the_input_leaves_and_saves(kibitz: Kibitz, files: Any, mine: Path) -> None:
    before = load(mine).judgements
    assert kibitz("judge", mine, files.test, keys="0 1").code == 0
    assert load(mine).judgements == before + 2


def test_a_key_that_means_nothing_is_asked_for_again(kibitz: Kibitz, files: Any, mine: Path) -> None:
    answer = kibitz("judge", mine, files.test, "--json", keys="x ? 7 q")
    assert answer.json["answers"] == 1
    assert answer.out.count("How good is it") == 4


def test_comparisons_show_two_outputs_and_count_once(kibitz: Kibitz, files: Any, mine: Path) -> None:
    answer = kibitz("judge", mine, files.test, "--objective", "pr-bin", "--json", keys="1 2 t q")
    assert answer.json["answers"] == 3
    assert answer.out.count("Which is better") == 4
    learner = load(mine)
    assert learner.objective.name == "pr-bin"
    assert learner.judgements == 3


@pytest.mark.parametrize("key", ["1", "2"])
def test_the_preferred_side_becomes_more_probable_whichever_side_it_is_on(
    kibitz: Kibitz, tmp_path: Path, key: str
) -> None:
    objective = objective_from("pr-bin", pair_loss="signed", opponent="self")
    path = tmp_path / "one.txt"
    path.write_text("dog\n")
    preferred = set()
    for seed in range(6):
        learner = Learner(Chain(["N", "V"], Plain()), objective, optimizer=SGD(rate=0.5), seed=3)
        learner.save(tmp_path / "model")
        answer = kibitz("judge", tmp_path / "model", path, "--seed", seed, "--count", 1, keys=key * 9)
        label = re.findall(rf"^  {key}     dog/(.)$", answer.out, re.MULTILINE)[-1]
        taught = load(tmp_path / "model")
        assert taught.space.distribution([["dog"]], taught.weights).log_prob((label,)) > math.log(0.5)
        preferred.add(label)
    assert preferred == {"N", "V"}  # the sides were shuffled


def test_so_many_answers_are_enough_where_the_user_says_so(kibitz: Kibitz, files: Any, mine: Path) -> None:
    assert kibitz("judge", mine, files.test, "--count", 2, "--json", keys="1 2 3 4").json["answers"] == 2


def test_without_a_file_the_model_shows_what_it_learnt_from(kibitz: Kibitz, files: Any, mine: Path) -> None:
    answer = kibitz("judge", mine, keys="5 q")
    shown = next(line for line in answer.out.splitlines() if line.startswith("        "))
    words = shown.replace("[", "").replace("]", "").split()
    sentences = [
        [line.split()[0] for line in block.splitlines()] for block in files.train.read_text().split("\n\n")
    ]
    assert words in sentences


def test_an_objective_that_a_person_cannot_answer_is_refused(refused: Any, files: Any, mine: Path) -> None:
    assert "likelihood" in refused("judge", mine, files.test, "--objective", "likelihood")


def test_a_model_that_learnt_from_gold_is_taught_by_comparisons(
    kibitz: Kibitz, files: Any, tmp_path: Path
) -> None:
    out = tmp_path / "gold"
    kibitz("learn", "sequence", *files.options, "--objective", "likelihood", "--iterations", 50, "--out", out)
    assert "Which is better" in kibitz("judge", out, files.test, keys="1 q").out
