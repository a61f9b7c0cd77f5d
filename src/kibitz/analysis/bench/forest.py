"""The speed of forests: one pass is inside, outside, expected features and one sample, with 10 features an edge.

Times are processor times, the least of the rounds; a ratio is the median of the rounds' ratios, with its quartiles.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np

from kibitz.analysis.bench.result import Bench
from kibitz.analysis.bench.span_forest import FEATURES, span_forest
from kibitz.analysis.bench.timing import race
from kibitz.spaces.compiled import kernel
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import ForestInput, Hypergraph

EDGES = 11_500  # of a forest of the paper's translation system, with a pop limit of 200
SIZES = (1_000, 3_000, EDGES, 30_000, 100_000, 300_000, 1_000_000)
ROUNDS = 30
ROUNDS_OF_LARGE = 5


def bench_forest(progress: Callable[[str], None] = lambda text: None) -> Bench:
    """The pass beside its floor, the time an edge by size, and the memory."""
    timings = race({"pass": _pass(EDGES), "floor": _floor(EDGES)}, ROUNDS, lambda done: None)
    milliseconds = min(timings.seconds["pass"]) * 1e3
    low, middle, high = timings.ratio("pass", "floor")
    nanoseconds = {}
    for size in SIZES:
        progress(f"{size:,} edges")
        rounds = ROUNDS if size <= EDGES else ROUNDS_OF_LARGE
        nanoseconds[size] = (
            min(race({"pass": _pass(size)}, rounds, lambda done: None).seconds["pass"]) / size * 1e9
        )
    growth = nanoseconds[SIZES[-1]] / nanoseconds[SIZES[0]]
    memory = memory_over_arrays(EDGES)
    rows = (
        ("forest.pass_ms", f"{milliseconds:.3f}", "", f"a pass over {EDGES:,} edges of {FEATURES} features, ms"),
        ("forest.pass_over_floor", f"{middle:.3f}", f"{low:.3f} to {high:.3f}",
         "the same / reading and adding the same arrays, nothing else"),
        ("forest.million_over_thousand", f"{growth:.3f}", "", "time an edge with 1,000,000 edges / with 1,000"),
        ("forest.memory_over_arrays", f"{memory:.3f}", "", "the forest, encoded, at the peak of a pass / its arrays"),
    )  # fmt: skip
    curve = ", ".join(f"{size:,}: {value:.0f}" for size, value in nanoseconds.items())
    figures = {
        "pass_ms": round(milliseconds, 4),
        "pass_over_floor": round(middle, 3),
        "million_over_thousand": round(growth, 3),
        "memory_over_arrays": round(memory, 3),
        "nanoseconds_an_edge": {str(size): round(value, 1) for size, value in nanoseconds.items()},
    }
    return Bench({"forest": figures}, rows, (f"Nanoseconds an edge, by edges: {curve}.",))


def _encoded(edges: int) -> tuple[Hypergraph, ForestInput]:
    space = Hypergraph()
    return space, space.encode(span_forest(edges))


def _pass(edges: int) -> Callable[[], object]:
    space, x = _encoded(edges)
    weights = 0.3 * np.random.default_rng(1).normal(size=space.size).astype(np.float32)
    generator = Generator(1)

    def run() -> None:
        model = space.distribution(x, weights)
        model.expected_features()
        model.sample(generator)

    return run


def _floor(edges: int) -> Callable[[], object]:
    space, x = _encoded(edges)
    weights = np.zeros(space.size, np.float32)
    own, nodes = np.zeros(len(x.places.rows)), np.zeros(x.graph.nodes)
    return lambda: floor_pass(x.graph, x.features, x.places, weights, own, nodes)


@kernel
def floor_pass(graph, features, places, weights, own, nodes):  # type: ignore[no-untyped-def]
    """Reads each array that a pass must read, and adds to one number of each feature and of each node."""
    total = 0.0
    for f in range(len(own)):
        own[f] = weights[places.rows[f]]
    for v in range(len(nodes)):
        for e in range(graph.first[v], graph.first[v + 1]):
            for i in range(features.ptr[e], features.ptr[e + 1]):
                total += features.values[i] + own[features.rows[i]]
            for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
                nodes[v] += nodes[graph.tails[i]]
    for v in range(len(nodes) - 1, -1, -1):
        for e in range(graph.first[v], graph.first[v + 1]):
            for i in range(features.ptr[e], features.ptr[e + 1]):
                own[features.rows[i]] += features.values[i]
            for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
                nodes[graph.tails[i]] += 1e-6
    return total


def memory_over_arrays(edges: int) -> float:
    """The forest's arrays and all that encoding it and a pass over it add at their peak, over the arrays."""
    forest = span_forest(edges)
    space = Hypergraph()
    space.vocabulary.numbers(forest.names)
    weights, generator = np.zeros(space.size, np.float32), Generator(1)

    def run() -> None:
        model = space.distribution(forest, weights)
        model.expected_features()
        model.sample(generator)

    run()  # compiled now, if it was not before
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (forest.nbytes + peak) / forest.nbytes
