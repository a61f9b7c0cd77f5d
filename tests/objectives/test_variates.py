"""Control variates: the mean of the step stays what it is, and its noise shrinks."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.analysis.mean_step import mean_step
from kibitz.errors import InputError
from kibitz.feedback import Hamming
from kibitz.learning.answer import Answer
from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.learning.simulation import simulate
from kibitz.objectives import objective_from
from kibitz.objectives.variates import VARIATES
from kibitz.objectives.variates.parts import KEEP, RIDGE
from kibitz.spaces.candidates import Candidates
from kibitz.spaces.chain import Chain
from kibitz.spaces.hypergraph import Hypergraph
from kibitz.spaces.protocol import Space

SELF = {"opponent": "self"}
KINDS = [
    ("el", {}),
    ("ce", {"clip": 0.2, "draws": 2}),
    ("el", {"draws": 2, "baseline": "leave-one-out"}),
    ("el", {"draws": 2, "coupling": "antithetic"}),
    ("el", {"draws": 2, "coupling": "without-replacement"}),
    ("pr-cont", {"pair_loss": "shortfall", "opponent": "contrast"}),
    ("pr-bin", {"pair_loss": "signed", **SELF}),
    ("pr-bin", {"pair_loss": "signed", "coupling": "without-replacement", **SELF}),
    ("pr-bin", {"pair_loss": "signed", "draws": 3, **SELF}),
]


@cache
def worlds() -> dict[str, tuple[Any, Any]]:
    """A chain, a list in which a text stands twice, and a forest whose derivations share edges."""
    chain = Chain(["A", "B"], forbidden=[("B", "B")])
    lists, forests = Candidates(), Hypergraph()
    edges = [
        {"head": "A", "output": [word], "features": {word: 1.0, f"f{i}": 1.0}} for i, word in enumerate("aab")
    ] + [{"head": "S", "tails": ["A"], "features": {"up": 1.0}}]
    raw = [{"text": t, "features": {"f": i, t: 1.0}} for i, t in enumerate("abac")]
    return {
        "chain": (chain, chain.encode([["a", "b"], ["b"]])),
        "lists": (lists, lists.encode(raw)),
        "forests": (forests, forests.encode({"root": "S", "edges": edges})),
    }


def loss(y: Any) -> float:
    """Some loss of what is shown."""
    return (sum(ord(c) for c in " ".join(y)) % 7) / 7


@pytest.mark.parametrize("world", worlds())
@pytest.mark.parametrize("variate", ["score", "parts"])
@pytest.mark.parametrize(("name", "options"), KINDS, ids=str)
def test_a_control_variate_leaves_the_mean_of_the_step(
    world: str, variate: str, name: str, options: Any
) -> None:
    space, x = worlds()[world]
    if variate == "parts" and name == "pr-bin" and "coupling" in options:
        with pytest.raises(InputError, match="leave one of the two out"):
            objective_from(name, control_variate=variate, **options)
        return
    w = np.random.default_rng(2).normal(size=space.size)
    state = np.array([9.0, 2.0, 1.0, 3.0, 2.0, 4.0, 0.0, 2.0, 1.0, 0.0, 5.0, -1.5])
    if variate == "score":
        state = np.random.default_rng(3).uniform(0.5, 2.0, 2 * space.size)
    plain = mean_step(space, x, w, objective_from(name, **options), loss)
    taken = objective_from(name, control_variate=variate, **options)
    np.testing.assert_allclose(mean_step(space, x, w, taken, loss, variate=state), plain, atol=1e-9)


def told(variate: str, draws: int, **options: Any) -> tuple[Any, Any, Any]:
    """A learner that has been told at the same weights all along, and the steps of further asks."""
    space, x = worlds()["chain"]
    learner = Learner(
        space, objective_from("el", control_variate=variate, **options), seed=4, dtype="float64"
    )
    learner.use(np.random.default_rng(2).normal(size=space.size))
    start, steps, best = learner.weights, [], learner.predict(x)
    for _ in range(draws):
        pending = learner.pending.pop(learner.ask(x).id)
        answer = Answer("loss", values=tuple(Hamming()(y, best) for y in pending.proposal.outputs))
        steps.append(learner.step_of(pending, answer)[1].vector().dense(space.size))
    assert (learner.weights == start).all()
    return learner, x, np.array(steps[draws // 3 :])


@pytest.mark.parametrize("variate", ["score", "parts"])
def test_what_a_control_variate_has_learned_is_noise_that_is_gone(variate: str) -> None:
    _, _, plain = told("none", 900, baseline="mean")
    learner, _, steps = told(variate, 900, baseline="mean")
    assert np.abs(learner.variate.state).sum() > 0.0
    assert steps.var(axis=0).sum() < 0.8 * plain.var(axis=0).sum()


def test_costs_of_parts_are_ridge_regression_on_what_the_model_doubts() -> None:
    learner, x, _ = told("none", 1)
    parts, rows, values = VARIATES["parts"](), [], []
    random = np.random.default_rng(5)
    for _ in range(20):
        pending = learner.pending.pop(learner.ask(x).id)
        found = parts.foresee(learner.space, x, learner.state, pending.draw, False, np.array([1]))
        assert found is not None
        p = learner.space.distribution(x, learner.weights).marginals()
        used = learner.space.parts(x, pending.draw.structures[0])
        doubts = np.array([1 - p, -np.log(p)]) / 2
        row = [1.0, *(float((doubt * (used - p)).sum()) for doubt in doubts)]
        np.testing.assert_allclose(found.rows[0], row)
        ages = KEEP ** np.arange(len(rows))[::-1]
        past = np.array(rows).reshape(-1, 3)
        A = (past * ages[:, None]).T @ past + RIDGE * np.eye(3)
        theta = np.linalg.solve(A, (past * ages[:, None]).T @ np.array(values))
        assert found.values[0] == pytest.approx(theta[1:] @ row[1:], abs=1e-8)
        value = float(random.normal() + row[1])
        parts.learn(found, 0, value)
        rows.append(row)
        values.append(value)


@pytest.mark.parametrize("variate", ["score", "parts"])
def test_a_learner_goes_on_from_where_it_was_saved(variate: str, tmp_path: Path) -> None:
    raws, golds = [[["a"], ["b"]], [["b"], ["c"], ["a"]]], [("A", "B"), ("B", "A", "A")]

    def talk(learner: Learner, start: int, stop: int) -> None:
        for t in range(start, stop):
            learner.ask(raws[t % 2])
            if t:  # answers come an ask late
                late = t - 1
                output = learner.pending[late].proposal.outputs[0]
                learner.tell(late, loss=Hamming()(output, golds[late % 2]))

    whole, first = (
        Learner(Chain(["A", "B"]), objective_from("el", control_variate=variate), seed=2) for _ in range(2)
    )
    talk(whole, 0, 12)
    talk(first, 0, 6)
    first.save(tmp_path / "model")
    second = load(tmp_path / "model")
    talk(second, 6, 12)
    assert second.weights.tobytes() == whole.weights.tobytes()
    assert second.variate.state.tobytes() == whole.variate.state.tobytes()
    assert np.abs(whole.variate.state).sum() > 0.0


def test_a_simulation_with_a_control_variate_is_asking_and_telling() -> None:
    chain = Chain(["A", "B"])
    train = chain.corpus([[["a"], ["b"]], [["b"]]], [("A", "B"), ("B",)])
    plain, varied = (
        Learner(chain, objective_from("el", control_variate=variate), seed=2) for variate in ("none", "score")
    )
    for learner in (plain, varied):
        simulate(learner, train, Hamming(), iterations=60)
    assert varied.judgements == 60
    assert varied.weights.tobytes() != plain.weights.tobytes()


def test_what_has_no_parts_and_what_is_unknown_say_so() -> None:
    with pytest.raises(InputError, match="no control variate is called 'luck'"):
        objective_from("el", control_variate="luck")

    class Whole(Chain):
        parts = Space.parts

    chain = Whole(["A", "B"])
    with pytest.raises(InputError, match="what its structures are made of: give it parts"):
        Learner(chain, objective_from("el", control_variate="parts")).ask([["a"]])
