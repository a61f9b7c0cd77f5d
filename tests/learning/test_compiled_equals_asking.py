"""The compiled simulation and ask-and-tell give the same bits, whatever the settings."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from worlds import (
    HAMMING,
    OBJECTIVES,
    OPTIMIZERS,
    SEVERAL,
    allowed,
    by_hand,
    chain,
    fingerprint,
    learner_of,
    sentences,
)  # fmt: skip

from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.learning.simulation import simulate
from kibitz.objectives import Objective

ITERATIONS = 50
KINDS = {"order 1, float32": (1, "float32"), "order 2, float64": (2, "float64")}


@cache
def world(order: int, supervised: bool = False, valued: bool = False) -> Any:
    """A chain and its corpus: a run changes neither."""
    space = chain(order)
    raws, golds = sentences(valued=valued)
    return space, space.corpus(raws, allowed(golds) if supervised else golds)


def compare(fast: Learner, slow: Learner) -> None:
    theirs = fingerprint(slow)
    for name, bits in fingerprint(fast).items():
        assert bits == theirs[name], f"the {name} differ"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("objective", [*OBJECTIVES, *SEVERAL])
def test_every_objective_with_every_optimizer_gives_the_same_bits(objective: str, kind: str) -> None:
    order, dtype = KINDS[kind]
    space, train = world(order, objective == "likelihood")
    for number, optimizer in enumerate(OPTIMIZERS):
        inputs = ("random", "epochs")[number % 2]
        fast, slow = (learner_of(space, objective, optimizer, dtype=dtype) for _ in range(2))
        simulate(fast, train, HAMMING, iterations=ITERATIONS, inputs=inputs)
        by_hand(slow, train, HAMMING, ITERATIONS, inputs)
        if not fast.objective.compares or fast.objective.hears == "pair":
            assert fast.updates == ITERATIONS
        assert fast.weights.any() or objective.startswith("pr-cont violation")
        compare(fast, slow)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_loss_that_only_python_knows_gives_the_same_bits_and_the_same_curve(objective: str) -> None:
    space, train = world(1, objective == "likelihood")
    fast, slow = (learner_of(space, objective, "momentum sqrt l2") for _ in range(2))
    settings: dict[str, Any] = {"iterations": ITERATIONS, "every": 20, "inputs": "epochs", "dev": train}
    compiled = simulate(fast, train, HAMMING, **settings)
    python = simulate(slow, train, lambda output, gold: HAMMING(output, gold), **settings)
    compare(fast, slow)
    assert [(p.iteration, p.feedback) for p in compiled.curve] == [
        (p.iteration, p.feedback) for p in python.curve
    ]
    assert [p.heard for p in compiled.curve[1:]] == pytest.approx([p.heard for p in python.curve[1:]])


@pytest.mark.parametrize("objective", ["el", "pr-bin signed self", "likelihood"])
@pytest.mark.parametrize("budget", [1, 8])
def test_a_budget_of_judgements_ends_both_at_the_same_place(objective: str, budget: int) -> None:
    space, train = world(1, objective == "likelihood")
    fast, slow = (learner_of(space, objective, "momentum sqrt l2") for _ in range(2))
    run = simulate(fast, train, HAMMING, feedback=budget)
    pairs = objective.startswith("pr")
    by_hand(slow, train, HAMMING, 100 * budget if pairs else budget, "random", budget)
    assert run.feedback == fast.judgements == slow.judgements == budget
    assert run.iterations == slow.updates
    assert (run.iterations > budget) == (budget == 8 and pairs)  # equal pairs are free
    compare(fast, slow)


def test_real_valued_attributes_give_the_same_bits() -> None:
    space, train = world(1, valued=True)
    for optimizer in OPTIMIZERS:
        fast, slow = (learner_of(space, "pr-cont shortfall contrast", optimizer) for _ in range(2))
        simulate(fast, train, HAMMING, iterations=ITERATIONS)
        by_hand(slow, train, HAMMING, ITERATIONS, "random")
        compare(fast, slow)


def soft_loss(feedback: float, log_prob: float, params: Any) -> float:
    """An objective of one's own: squared loss, less for outputs that are likely anyway."""
    return params[0] * feedback * feedback - params[1] * log_prob  # type: ignore[no-any-return]


def soft_pair(feedback: float, log_prob: float, params: Any) -> float:
    return feedback * abs(feedback)


def half_gold(feedback: float, log_prob: float, params: Any) -> float:
    return -0.5


OWN = {
    "loss": Objective("soft", hears="loss", signs=(1,), rule=soft_loss, params=(0.5, 0.1)),
    "pair": Objective("soft-pair", hears="pair", signs=(1, -1), rule=soft_pair, baseline="mean"),
    "gold": Objective("half", hears="gold", signs=(1,), rule=half_gold),
}


@pytest.mark.parametrize("hears", OWN)
def test_an_objective_of_ones_own_in_ten_lines_runs_compiled_and_by_hand(hears: str) -> None:
    space, train = world(1, hears == "gold")
    fast, slow, plain = (
        Learner(space, objective, optimizer=SGD(0.3), seed=3)
        for objective in (
            OWN[hears],
            OWN[hears],
            {"loss": "el", "pair": "pr-cont", "gold": "likelihood"}[hears],
        )
    )
    simulate(fast, train, HAMMING, iterations=ITERATIONS)
    by_hand(slow, train, HAMMING, ITERATIONS, "random")
    compare(fast, slow)
    simulate(plain, train, HAMMING, iterations=ITERATIONS)
    assert fast.weights.tobytes() != plain.weights.tobytes()  # its own rule was heard


def test_two_runs_of_one_learner_are_one_run_of_both_lengths() -> None:
    """The order of inputs is the learner's: a second run does not show the same inputs again."""
    space, train = world(1)
    for inputs in ("random", "epochs"):
        once, twice = (learner_of(space, "el mean", "adagrad", horizon=ITERATIONS) for _ in range(2))
        simulate(once, train, HAMMING, iterations=ITERATIONS, inputs=inputs)
        for part in (19, ITERATIONS - 19):
            simulate(twice, train, HAMMING, iterations=part, inputs=inputs)
        compare(once, twice)


def test_where_a_run_stops_to_be_evaluated_changes_nothing() -> None:
    space, train = world(1)
    coarse, fine = (learner_of(space, "pr-bin signed self", "momentum") for _ in range(2))
    for learner, every, keep in ((coarse, ITERATIONS, None), (fine, 3, 7)):
        simulate(learner, train, HAMMING, iterations=ITERATIONS, every=every, keep=keep, inputs="epochs")
    compare(coarse, fine)
