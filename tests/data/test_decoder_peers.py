"""Forests of established decoders: what these found best in them, with its features, is what we find."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from kibitz.analysis.forest_summary import ForestSummary
from kibitz.data.forests import read_forest, read_weights
from kibitz.spaces.hypergraph import Hypergraph
from kibitz.spaces.hypergraph.forest import Forest


def features(text: str) -> dict[str, float]:
    return {name: float(value) for name, _, value in (token.rpartition("=") for token in text.split())}


def totals(space: Hypergraph, forest: Forest, derivation: tuple[int, ...]) -> dict[str, float]:
    """The features of a derivation by name, without those that are 0."""
    phi = space.features(forest, derivation)
    names = space.vocabulary.names()
    named = zip(phi.index.tolist(), phi.value.tolist(), strict=True)
    return {names[i]: value for i, value in named if abs(value) > 1e-9}


def test_cdec_ranks_the_rescored_grammar_otherwise(decoder_peers: Path) -> None:
    folder = decoder_peers / "cdec_system_tests" / "cfg_rescore"
    forest = read_forest(folder / "input.cfg").forest
    weights = read_weights(folder / "weights")
    summary = ForestSummary(forest, weights)
    gold = [line.split(" ||| ") for line in (folder / "gold.stdout").read_text().splitlines()]
    best = summary.best(10)
    assert [" ".join(said.words) for said in best] == [text for _, text, _, _ in gold]
    assert [said.score for said in best] == pytest.approx([float(score) for _, _, _, score in gold])
    assert [said.score for said in best] == pytest.approx([2, 1.1, 1, 0.1])
    normaliser = sum(math.exp(float(score)) for *_, score in gold)
    assert [said.probability for said in best] == pytest.approx(
        [math.exp(float(score)) / normaliser for *_, score in gold]
    )

    space = Hypergraph()
    x = space.encode(forest)
    model = space.distribution(x, np.array([weights[name] for name in space.vocabulary.names()]))
    found = [totals(space, forest, derivation) for derivation, _ in model.top_k(10)]
    assert found == [features(text) for _, _, text, _ in gold]

    statistics = dict(line.split() for line in (folder / "gold.statistics").read_text().splitlines())
    assert summary.derivations == int(statistics["-lm_paths"])
    # cdec puts a goal above the root when it makes the forest of the grammar, and one more when it rescores it.
    assert len(forest.nodes) + 2 == int(statistics["-lm_nodes"])
    assert len(forest) + 2 == int(statistics["-lm_edges"])


@pytest.mark.parametrize(
    ("name", "weights", "nodes", "edges"),
    [
        ("denseonly", ["dense.weights"], 2239, 5342),
        ("sparse", ["dense.weights", "sparse.weights"], 1248, 4032),
    ],
)
def test_moses_finds_another_translation_best(
    decoder_peers: Path, name: str, weights: list[str], nodes: int, edges: int
) -> None:
    folder = decoder_peers / "moses_hypergraphs" / name
    forest = read_forest(folder / "hg.xz").forest
    assert (len(forest.nodes), len(forest)) == (nodes, edges)
    given: dict[str, float] = {}
    for file in weights:
        given |= read_weights(folder / file)
    text, gold = "", dict[str, float]()
    for line in (folder / "results.txt").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key.startswith("STDOUT"):
            text = value
        elif key.startswith("STDERR") and "=" in value:
            gold |= features(value)

    space = Hypergraph()
    x = space.encode(forest)
    model = space.distribution(x, np.array([given.get(name, 0.0) for name in space.vocabulary.names()]))
    best = model.argmax()
    assert space.shown(x, best) == tuple(text.split())
    # Moses prints six digits.
    assert totals(space, forest, best) == pytest.approx(gold, rel=1e-5)
