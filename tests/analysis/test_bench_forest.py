"""The forests of the bench are forests, and its memory is held to the bar."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.analysis.bench.forest import memory_over_arrays
from kibitz.analysis.bench.span_forest import FEATURES, span_forest
from kibitz.spaces.hypergraph import ForestBuilder, Hypergraph
from kibitz.testing import enumerate_outputs


@pytest.mark.parametrize("edges", [7, 100, 1000])
def test_the_forest_of_the_bench_is_one_that_the_builder_accepts(edges: int) -> None:
    forest = span_forest(edges)
    assert len(forest) == edges
    builder = ForestBuilder()
    for edge in forest.edges():
        assert len(edge.features) == FEATURES
        builder.edge(edge.head, edge.tails, edge.output, edge.features)
    built = builder.build(forest.root)
    space = Hypergraph()
    weights = np.ones(len(forest.names))
    ours, theirs = (space.distribution(each, weights).log_partition for each in (forest, built))
    assert space.size == len(forest.names)
    assert ours == pytest.approx(theirs)  # though the builder has left out what no derivation reaches


def test_a_sentence_is_said_word_by_word() -> None:
    space, forest = Hypergraph(), span_forest(12)
    x = space.encode(forest)
    truth = enumerate_outputs(space, x, np.zeros(space.size))
    leaves = sum(not edge.tails for edge in forest.edges())
    assert {len(shown) for shown in truth.shown} == {round((2 * 12 / 5) ** 0.5)}
    assert leaves > 0


def test_a_pass_needs_at_most_three_times_the_memory_of_the_arrays() -> None:
    assert 1.0 < memory_over_arrays(20_000) < 3.0
