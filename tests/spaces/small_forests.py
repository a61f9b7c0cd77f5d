"""Small forests: any that Hypothesis can think of, and one of each kind that is known to be hard."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from kibitz.spaces.hypergraph import Forest, ForestBuilder

WORDS = ("a", "b")
NAMES = ("u", "v", "w", "x")
MOST_DERIVATIONS = 150

values = st.floats(-3.0, 3.0, width=32)


@st.composite
def forests(draw: st.DrawFn, most_nodes: int = 5) -> Forest:
    """Every node has an edge; the tails of an edge are earlier nodes, the same one twice if it comes so."""
    builder = ForestBuilder()
    derivations: list[int] = []
    for v in range(draw(st.integers(1, most_nodes))):
        total = 0
        for _ in range(draw(st.integers(1, 3))):
            tails = draw(st.lists(st.integers(0, v - 1), max_size=2)) if v else []
            ways = 1
            for t in tails:
                ways *= derivations[t]
            if total and total + ways > MOST_DERIVATIONS:
                continue
            if ways > MOST_DERIVATIONS:
                tails, ways = [], 1
            total += ways
            said: list[Any] = draw(st.permutations(range(len(tails))))
            for word in draw(st.lists(st.sampled_from(WORDS), max_size=2)):
                said.insert(draw(st.integers(0, len(said))), word)
            features = draw(st.dictionaries(st.sampled_from(NAMES), values, max_size=3))
            builder.edge(f"n{v}", [f"n{t}" for t in tails], output=said, features=features)
        derivations.append(total)
    return builder.build(f"n{len(derivations) - 1}")


def ambiguous() -> Forest:
    """Twenty derivations of nine yields: shared nodes, one of them twice in an edge, and tails that change places."""
    builder = ForestBuilder()
    builder.edge("A", output=["a"], features={"u": 1.0})
    builder.edge("A", output=["b"], features={"v": 0.5})
    builder.edge("B", ["A"], features={"w": 1.0})
    builder.edge("B", ["A"], output=[0, "a"], features={"x": -1.0})
    builder.edge("S", ["A", "B"], output=[1, 0], features={"u": 2.0})
    builder.edge("S", ["B", "A"], features={"w": 1.5})
    builder.edge("S", ["B"], output=["a", 0])
    return builder.build("S")


def unary(depth: int) -> Forest:
    """A ladder of two edges a rung: one says the rung, one says nothing."""
    builder = ForestBuilder()
    builder.edge("0", output=["end"])
    for i in range(depth):
        builder.edge(f"{i + 1}", [f"{i}"], output=["step", 0], features={"step": 1.0})
        builder.edge(f"{i + 1}", [f"{i}"], features={"skip": 1.0})
    return builder.build(f"{depth}")


def doubling(depth: int) -> Forest:
    """Every node is twice the one below: the longest derivations for the fewest edges, all of the same words."""
    builder = ForestBuilder()
    builder.edge("0", output=["a"], features={"one": 1.0})
    builder.edge("0", output=["a"], features={"other": 1.0})
    for i in range(depth):
        builder.edge(f"{i + 1}", [f"{i}", f"{i}"])
    return builder.build(f"{depth}")


def slots(count: int) -> Forest:
    """A word of three in each slot, and the slots in their order or the other way round."""
    builder = ForestBuilder()
    for i in range(count):
        for word in "abc":
            builder.edge(f"{i}", output=[word], features={f"{i} {word}": 1.0})
    names = [f"{i}" for i in range(count)]
    builder.edge("S", names, features={"in order": 1.0})
    builder.edge("S", names, output=range(count)[::-1], features={"reversed": 1.0})
    return builder.build("S")
