"""Forests of unusual shape, scores of unusual size, and inputs that are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from small_forests import ambiguous, doubling, unary

from kibitz.errors import InputError
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import ForestBuilder, Hypergraph
from kibitz.spaces.weights import as_weights
from kibitz.testing import Additive, check_space

COSTS = Additive(lambda x: (x.graph.edges,), lambda x, y, costs: float(costs[list(y)].sum()))


@pytest.mark.parametrize("size", [1e3, 1e4])
def test_scores_of_any_size_are_exact_and_finite(size: float) -> None:
    check_space(Hypergraph(), [ambiguous(), unary(4)], scales=[size], draws=50, additive=COSTS)


@pytest.mark.parametrize("sign", [1, -1])
def test_on_a_long_forest_all_stays_finite_at_scores_of_ten_thousand(sign: int) -> None:
    depth = 300
    space = Hypergraph()
    x = space.encode(unary(depth))
    step, skip = (space.vocabulary.number(name) for name in ("step", "skip"))
    weights = np.zeros(2)
    weights[step], weights[skip] = 1e4, -1e4
    model = space.distribution(x, weights, sign)
    assert model.log_partition == depth * 1e4
    favourite = ("step",) * (depth if sign > 0 else 0) + ("end",)
    other = ("step",) * (0 if sign > 0 else depth) + ("end",)
    assert space.shown(x, model.argmax()) == space.shown(x, model.sample(Generator(1))) == favourite
    assert model.log_propensity(favourite) == 0.0
    assert model.log_propensity(other) == pytest.approx(-depth * 2e4)
    assert model.entropy() == 0.0
    mean = model.expected_features().dense(2)
    assert mean[step if sign > 0 else skip] == depth
    value, slope = model.expected_loss(np.ones(x.graph.edges))
    assert value == pytest.approx(depth + 1)
    assert not slope.value.any()
    given = model.expected_features(other).dense(2)
    assert given[skip if sign > 0 else step] == depth


def test_a_binomial_number_of_derivations_says_the_same() -> None:
    """Of 40 rungs any 20 may be said: 137,846,528,820 derivations of one yield, which nobody wants to list."""
    space = Hypergraph()
    x = space.encode(unary(40))
    model = space.distribution(x, np.zeros(2))
    assert model.log_partition == pytest.approx(40 * np.log(2))
    expected = np.log(137_846_528_820) - 40 * np.log(2)
    assert model.log_propensity(("step",) * 20 + ("end",)) == pytest.approx(expected, abs=1e-12)


def test_a_derivation_is_as_long_as_it_is_and_no_python_stack_is_in_its_way() -> None:
    space = Hypergraph()
    x = space.encode(unary(20_000))
    model = space.distribution(x, np.array([0.3, -0.2]))
    y = model.sample(Generator(2))
    assert len(y) == 20_001
    assert model.log_prob(y) < 0.0
    assert len({y for y, _ in model.top_k(3)}) == 3
    x = space.encode(doubling(14))
    assert len(space.shown(x, space.distribution(x, np.zeros(4)).argmax())) == 2**14


def test_the_best_of_very_many_derivations_are_found_lazily() -> None:
    """2^(2^10) derivations of one yield: the best four, and the only yield."""
    space = Hypergraph()
    x = space.encode(doubling(10))
    model = space.distribution(x, np.array([1.0, 0.0]))
    best = model.top_k(4)
    assert len({y for y, _ in best}) == 4
    assert best[0][1] - best[1][1] == pytest.approx(1.0)
    assert [p for _, p in best[1:]] == pytest.approx([best[1][1]] * 3)
    assert model.log_propensity(("a",) * 2**10) == pytest.approx(0.0, abs=1e-9)


def test_an_edge_may_say_nothing_at_all() -> None:
    builder = ForestBuilder()
    builder.edge("S", output=[])
    builder.edge("S", output=["a"], features={"u": 1.0})
    space = Hypergraph()
    x = space.encode(builder.build())
    model = space.distribution(x, np.array([np.log(3.0)]))
    assert np.exp(model.log_propensity(())) == pytest.approx(0.25)


def test_features_that_a_frozen_vocabulary_does_not_know_are_left_out() -> None:
    space = Hypergraph()
    space.vocabulary.numbers(["w", "u"])
    space.vocabulary.freeze()
    x = space.encode(ambiguous())
    assert space.size == 2
    assert space.features(x, (5, 2, 0, 0)).dense(2) == pytest.approx([2.5, 2.0])


def test_a_value_out_of_the_range_of_single_precision_is_refused() -> None:
    builder = ForestBuilder()
    builder.edge("S", output=["a"], features={"u": 1e39})
    with pytest.raises(InputError, match="single precision"):
        Hypergraph().encode(builder.build())


def test_an_input_may_be_plain_data() -> None:
    plain = {"root": "S", "edges": [{"head": "S", "output": ["a"], "features": {"u": 1.0}}]}
    space = Hypergraph()
    assert space.shown(plain, (0,)) == ("a",)
    with pytest.raises(InputError, match="edges"):
        space.encode({"root": "S"})


WRONG: dict[str, tuple[list[tuple[str, list[str]]], str | None, str]] = {
    "nothing": ([], None, "the forest is empty"),
    "a cycle": ([("S", ["A"]), ("A", ["B"]), ("B", ["A"])], "S", "has a cycle, 'A' > 'B' > 'A'"),
    "nothing but a cycle": ([("A", ["B"]), ("B", ["A"])], None, "none: there is a cycle"),
    "an edge into itself": ([("S", ["S"])], "S", "has a cycle, 'S' > 'S'"),
    "a dangling tail": ([("S", ["A"]), ("B", [])], "S", "the tail 'A' of an edge of node 'S' dangles"),
    "a root without edges": ([("S", [])], "T", "the root 'T' cannot be reached"),
    "a root that is only a tail": ([("S", ["A"])], "A", "the root 'A' cannot be reached"),
    "two roots": ([("S", []), ("T", [])], None, "nodes that are no edge's tail are 'S', 'T'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_forest_that_is_none_is_refused_in_one_sentence(name: str) -> None:
    edges, root, message = WRONG[name]
    builder = ForestBuilder()
    for head, tails in edges:
        builder.edge(head, tails)
    with pytest.raises(InputError, match=message):
        builder.build(root)


@pytest.mark.parametrize(
    ("tails", "output", "features", "message"),
    [
        (["A"], ["a"], {}, "should have 0 to 0, each once"),
        (["A", "B"], [0, 0], {}, "should have 0 to 1, each once"),
        ([], [0], {}, "no number at all"),
        ([], ["a"], {"u": float("nan")}, "no finite number"),
    ],
)
def test_an_edge_that_is_wrong_is_refused(tails: Any, output: Any, features: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ForestBuilder().edge("S", tails, output=output, features=features)


def test_wrong_questions_have_clear_answers() -> None:
    space = Hypergraph()
    x = space.encode(ambiguous())
    weights = np.zeros(space.size)
    model = space.distribution(x, weights)
    with pytest.raises(InputError, match="sign"):
        space.distribution(x, weights, 2)
    with pytest.raises(InputError, match="2 weights were given where there are 4"):
        space.distribution(x, weights[:2])
    with pytest.raises(InputError, match="run out of range"):
        space.distribution(x, np.full(4, np.inf))
    with pytest.raises(InputError, match=r"one an edge"):
        model.expected_loss(np.zeros(3))
    with pytest.raises(InputError, match="no derivation"):
        space.code(x, (0, 1))
    with pytest.raises(InputError, match="cannot say 'b b b'"):
        space.gold(x, space.propose_best(x, as_weights(weights)), ("b", "b", "b"))
    with pytest.raises(InputError, match="split it"):
        model.log_propensity("a b")
    with pytest.raises(InputError, match="split it"):
        space.corpus([ambiguous()], ["a b"])
    assert space.corpus([ambiguous()], [["a", "b"]]).gold_of(0) == ("a", "b")


def test_yields_said_by_very_many_derivations_are_each_found_once() -> None:
    builder = ForestBuilder()
    below: tuple[str, ...] = ()
    for level in range(60):
        for way in range(3):
            builder.edge(level, below, output=["x", *range(len(below))], features={f"{level} {way}": 1.0})
        below = (level,)
    builder.edge("S", below, output=[0], features={"plain": 1.0})
    builder.edge("S", below, output=[0, "y"], features={"longer": 1.0})
    space = Hypergraph()
    x = space.encode(builder.build("S"))
    model = space.distribution(x, np.random.default_rng(1).normal(size=space.size))
    found = model.top_k(5, unique=True)
    assert {space.shown(x, y) for y, _ in found} == {("x",) * 60, ("x",) * 60 + ("y",)}
    assert found[0] == model.top_k(1)[0]
