"""Simulations that cannot be run are refused with a reason, before anything has changed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from worlds import HAMMING, Shortlist, chain, learner_of, rank_loss, sentences, shortlists

from kibitz.errors import InputError
from kibitz.feedback import ZeroOne
from kibitz.feedback.preference import Preferred
from kibitz.learning import plan
from kibitz.learning.inputs import Inputs, Order
from kibitz.learning.simulation import simulate
from kibitz.spaces.generator import Generator

RAWS, GOLDS = sentences()
LISTS, BEST = shortlists()
CHOICES = list(zip(LISTS, BEST, strict=True))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"iterations": None}, "how long"),
        ({"iterations": 0}, "iterations"),
        ({"iterations": -3}, "iterations"),
        ({"iterations": 2.5}, "iterations"),
        ({"iterations": True}, "iterations"),
        ({"feedback": 0}, "feedback"),
        ({"every": 0}, "every"),
        ({"keep": 0}, "keep"),
        ({"inputs": "sorted"}, "random"),
        ({"loss": "meteor"}, "meteor"),
        ({"loss": 3}, "no loss"),
        ({"train": []}, "training data is empty"),
        ({"train": None}, "training data is empty"),
        ({"dev": []}, "development data is empty"),
        ({"train": "no gold"}, "without gold"),
        ({"dev": "no gold"}, "without gold"),
        ({"train": "empty corpus"}, "training data is empty"),
        ({"dev": "empty corpus"}, "development data is empty"),
    ],
)
def test_what_cannot_be_run_is_refused(changes: dict[str, Any], words: str) -> None:
    space = chain()
    learner = learner_of(space)
    corpora = {"no gold": space.corpus(RAWS), "empty corpus": space.corpus([], [])}
    settings: dict[str, Any] = {
        "train": list(zip(RAWS, GOLDS, strict=True)), "loss": HAMMING, "iterations": 10, **changes,
    }  # fmt: skip
    for name in ("train", "dev"):
        if isinstance(settings.get(name), str):
            settings[name] = corpora[settings[name]]
    with pytest.raises(InputError, match=words):
        simulate(learner, **settings)
    assert learner.updates == 0
    assert not learner.weights.any()


@pytest.mark.parametrize("value", [-0.1, 1.5, math.nan, math.inf, None, "good"])
def test_a_loss_outside_its_range_is_named(value: Any) -> None:
    learner = learner_of(Shortlist(5))

    def broken_loss(output: int, gold: int) -> Any:
        return value

    with pytest.raises(InputError, match="broken_loss"):
        simulate(learner, CHOICES, broken_loss, iterations=10)
    assert learner.updates == 0


@pytest.mark.parametrize("value", [-1.5, 2.0, math.nan, None, "tie"])
def test_a_judge_outside_its_range_is_refused(value: Any) -> None:
    learner = learner_of(Shortlist(5), "pr-cont signed self")
    with pytest.raises(InputError):
        simulate(learner, CHOICES, rank_loss, iterations=10, judge=lambda first, second, gold: value)
    assert learner.judgements == 0


def test_likelihood_needs_gold_outputs_that_the_space_has() -> None:
    space = chain()
    for gold, reason in ((("A",) * 3, None), (("A", "B", "A"), "forbidden"), (("A", "A", "Z"), "unknown")):
        learner = learner_of(space, "likelihood")
        train = [([["a0"]], ("A",)), ([["a0"], ["a1"], ["a2"]], gold)]
        if reason is None:
            simulate(learner, train, HAMMING, iterations=5)
            assert learner.updates == 5
            continue
        with pytest.raises(InputError, match=f"training input 2 .*{reason}"):
            simulate(learner, train, HAMMING, iterations=5)
        assert learner.updates == 0


@pytest.mark.parametrize("objective", ["el", "pr-cont signed contrast"])
def test_a_gold_label_that_no_output_has_counts_as_wrong(objective: str) -> None:
    space = chain()
    learner = learner_of(space, objective)
    strange = [([["a0"], ["a1"]], ("Z", "Z"))]
    run = simulate(learner, strange, HAMMING, iterations=20, dev=strange)
    assert [point.heard for point in run.curve[1:]] == [1.0] * 20
    assert run.best_dev == 1.0


def test_a_judge_of_ones_own_takes_the_place_of_the_loss() -> None:
    """It says the contrary of the loss, and is believed."""
    space = Shortlist(5)
    found = []
    for turned in (False, True):
        learner = learner_of(space, "pr-bin signed self")

        def prefer(first: int, second: int, gold: int, turned: bool = turned) -> Any:
            difference = rank_loss(first, gold) - rank_loss(second, gold)
            return "tie" if difference == 0 else int((difference > 0) != turned)

        simulate(learner, CHOICES, rank_loss, iterations=200, judge=Preferred(prefer))
        found.append(np.mean([rank_loss(learner.predict(raw), gold) for raw, gold in CHOICES]))
    assert found[0] < 0.1
    assert found[1] > found[0] + 0.2


def test_training_data_may_be_any_iterable_of_pairs_and_the_loss_any_of_its_forms() -> None:
    bits = set()
    for train in (list(zip(RAWS, GOLDS, strict=True)), zip(RAWS, GOLDS, strict=True)):
        for loss in ("01", ZeroOne(), lambda output, gold: float(output != gold)):
            learner = learner_of(chain())
            pairs = list(train) if isinstance(train, list) else list(zip(RAWS, GOLDS, strict=True))
            simulate(learner, iter(pairs), loss, iterations=20)
            bits.add(learner.weights.tobytes())
    assert len(bits) == 1


def test_pairs_that_are_always_equal_do_not_run_for_ever() -> None:
    """A budget of judgements that never comes: the run ends at a hundred asks a judgement."""
    learner = learner_of(Shortlist(5), "pr-bin signed self")
    run = simulate(learner, [([[1.0, 0, 0, 0, 0]], 0)], rank_loss, feedback=7)
    assert (run.iterations, run.feedback) == (700, 0)


def test_long_stretches_are_cut_so_that_ctrl_c_is_heard() -> None:
    stops, done = [], 0
    whole = plan.Plan(feedback=None, iterations=50_001, every=50_001, keep=None, inputs="random")
    while done < whole.iterations:
        done = whole.next_stop(done, draws_at=7)
        stops.append(done)
    assert stops == [7, 20_007, 40_007, 50_001]


@pytest.mark.parametrize("mode", ["random", "epochs"])
def test_inputs_come_in_the_same_order_however_they_are_taken(mode: str) -> None:
    whole = Inputs(7, mode, Order(Generator(5))).take(40).tolist()
    parts = Inputs(7, mode, Order(Generator(5)))
    taken: list[int] = []
    for n, used in ((3, 3), (9, 4), (7, 7), (21, 0), (26, 26)):  # of what is taken not all is always used
        taken += parts.take(n).tolist()[:used]
        parts.advance(used)
    assert taken == whole
    if mode == "epochs":
        for epoch in range(5):
            assert sorted(whole[7 * epoch : 7 * epoch + 7]) == list(range(7))
        assert whole[:7] != whole[7:14]
    else:
        assert set(whole) == set(range(7))


def test_seeds_give_other_orders_and_other_draws() -> None:
    bits = set()
    for seed in range(3):
        learner = learner_of(chain())
        learner = type(learner)(chain(), "el", seed=seed)
        simulate(learner, list(zip(RAWS, GOLDS, strict=True)), HAMMING, iterations=20)
        bits.add(learner.weights.tobytes())
    assert len(bits) == 3
