"""Every forest that Hypothesis can think of agrees with enumeration, and a chain made a forest with the chain."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_forests import ambiguous, forests

from kibitz.spaces.chain import Chain
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import Forest, ForestBuilder, Hypergraph
from kibitz.testing import Additive, check_space, enumerate_outputs

COSTS = Additive(lambda x: (x.graph.edges,), lambda x, y, costs: float(costs[list(y)].sum()))


def no_derivations(x: Any) -> Iterator[tuple[int, ...]]:
    """Lists of edges that are nearly derivations, and some that are not at all."""
    yield ()
    real = list(itertools.islice(Hypergraph().structures(x), 40))
    for y in real[:5]:
        yield (*y, y[-1])
        yield y[:-1]
        yield (*y[:-1], x.graph.edges)
        yield (-1, *y[1:])
    every = set(Hypergraph().structures(x))
    yield from (y[::-1] for y in real if y[::-1] not in every)


@given(raws=st.lists(forests(), min_size=1, max_size=2), seed=st.integers(0, 2**32), data=st.data())
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_forest_agrees_with_enumeration(raws: list[Forest], seed: int, data: st.DataObject) -> None:
    scale = data.draw(st.sampled_from([0.0, 0.1, 1.0, 5.0, 30.0, 300.0]))
    check_space(
        Hypergraph(), raws, seed=seed, scales=[scale], draws=200, additive=COSTS, forbidden=no_derivations
    )


@given(raw=forests(), data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_a_derivation_says_is_what_its_edges_say_one_inside_the_other(
    raw: Forest, data: st.DataObject
) -> None:
    space, edges = Hypergraph(), list(raw.edges())

    def say(rest: Iterator[int]) -> list[str]:
        edge = edges[next(rest)]
        below = [say(rest) for _ in edge.tails]
        return [w for symbol in edge.output for w in ([symbol] if isinstance(symbol, str) else below[symbol])]

    x = space.encode(raw)
    derivations = list(space.structures(x))
    assert len(derivations) == len(set(derivations))
    for y in derivations:
        assert list(space.shown(x, y)) == say(iter(y))


@given(raw=forests(), seed=st.integers(0, 2**32), k=st.integers(1, 30))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_best_of_each_yield_come_in_order(raw: Forest, seed: int, k: int) -> None:
    space = Hypergraph()
    x = space.encode(raw)
    weights = np.random.default_rng(seed).normal(size=space.size)
    truth = enumerate_outputs(space, x, weights)
    best: dict[Any, float] = {}
    for shown, log_prob in zip(truth.shown, truth.log_probs.tolist(), strict=True):
        best[shown] = max(log_prob, best.get(shown, -np.inf))
    found = space.distribution(x, weights).top_k(k, unique=True)
    assert len({space.shown(x, y) for y, _ in found}) == len(found)
    assert [p for _, p in found] == pytest.approx(sorted(best.values(), reverse=True)[:k])
    assert [p for _, p in found] == pytest.approx([best[space.shown(x, y)] for y, _ in found])


@pytest.mark.parametrize("sign", [1, -1])
def test_what_no_derivation_says_has_no_probability(sign: int) -> None:
    space = Hypergraph()
    x = space.encode(ambiguous())
    model = space.distribution(x, np.linspace(-1, 1, space.size), sign)
    said = {space.shown(x, y) for y in space.structures(x)}
    total = 0.0
    for n in range(5):
        for shown in itertools.product("ab", repeat=n):
            log_p = model.log_propensity(shown)
            assert (log_p == -np.inf) == (shown not in said)
            total += np.exp(log_p)
    assert total == pytest.approx(1.0)
    assert model.log_propensity(("a", "nothing")) == -np.inf


def as_forest(chain: Chain, raw: Any) -> tuple[Forest, Hypergraph, np.ndarray[Any, Any]]:
    """A node for each position and label; and where the weights of the chain have gone."""
    x = chain.encode(raw)
    counts = {y: chain.features(x, y).dense(chain.size) for y in chain.structures(x)}
    rows = [x.x.rows[x.x.ptr[n] : x.x.ptr[n + 1]].tolist() for n in range(x.hi)]
    K, builder = len(chain.labels), ForestBuilder()
    for n, label in itertools.product(range(x.length), range(K)):
        own = {str(row * K + label): 1.0 for row in rows[n]}
        if n == 0:
            builder.edge(f"0 {label}", output=[chain.labels[label]], features=own)
            continue
        for before in range(K):
            if (chain.labels[before], chain.labels[label]) not in chain.forbidden:
                step = {str(rows[x.length + before][0] * K + label): 1.0}
                said = [0, chain.labels[label]]
                builder.edge(f"{n} {label}", [f"{n - 1} {before}"], output=said, features={**own, **step})
    for label in range(K):
        builder.edge("all", [f"{x.length - 1} {label}"])
    forest, space = builder.build("all"), Hypergraph()
    space.encode(forest)
    assert len(counts) == sum(1 for _ in space.structures(forest))
    return forest, space, np.array([int(name) for name in space.vocabulary.names()])


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("size", [1.0, 300.0])
def test_a_chain_made_a_forest_has_the_chains_numbers(size: float, sign: int) -> None:
    chain = Chain("ABC", forbidden=[("A", "B")])
    raw = [["u", "v"], ["v"], [], ["w", "u"], ["w"]]
    x = chain.encode(raw)
    forest, space, place = as_forest(chain, raw)
    weights = size * np.random.default_rng(3).normal(size=chain.size)
    ours, theirs = space.distribution(forest, weights[place], sign), chain.distribution(x, weights, sign)
    close = {"rel": 1e-9, "abs": 1e-9}
    assert ours.log_partition == pytest.approx(theirs.log_partition, **close)
    assert ours.entropy() == pytest.approx(theirs.entropy(), **close)
    found = np.zeros(chain.size)
    found[place] = ours.expected_features().dense(space.size)
    assert found == pytest.approx(theirs.expected_features().dense(chain.size), **close)
    for (y, log_p), (labels, log_q) in zip(ours.top_k(20), theirs.top_k(20), strict=True):
        assert space.shown(forest, y) == labels
        assert log_p == pytest.approx(log_q, **close)
        assert ours.log_propensity(labels) == pytest.approx(log_q, **close)
    costs = np.random.default_rng(4).random((x.length, 3))
    by_edge = np.zeros(len(forest))
    for e, edge in enumerate(forest.edges()):
        if edge.head != "all":
            n, label = map(int, edge.head.split())
            by_edge[e] = costs[n, label]
    value, slope = ours.expected_loss(by_edge)
    true_value, true_slope = theirs.expected_loss(costs)
    assert value == pytest.approx(true_value, **close)
    found[place] = slope.dense(space.size)
    assert found == pytest.approx(true_slope.dense(chain.size), **close)
    drawn = {space.shown(forest, ours.sample(Generator(seed))) for seed in range(20)}
    assert all(theirs.log_prob(labels) > -np.inf for labels in drawn)
