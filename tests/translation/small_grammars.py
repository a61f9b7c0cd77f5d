"""Grammars and lattices small enough for every derivation to be found by search."""

from __future__ import annotations

import re

from hypothesis import strategies as st

SOURCES = [
    "a",
    "b",
    "a b",
    "[X,1] a",
    "b [X,1]",
    "[X,1] a [X,2]",
    "[X,1] [Y,2]",
    "[Y,1] b [X,2]",
    "[Y,1]",
    "a [Y,1] a",
]


@st.composite
def grammars(draw: st.DrawFn) -> str:
    """Rules over two words and two categories; only [X] is ever rewritten as another category alone."""
    lines = []
    for number in range(draw(st.integers(1, 7))):
        source = draw(st.sampled_from(SOURCES))
        lhs = "X" if source == "[Y,1]" else draw(st.sampled_from(["X", "Y"]))
        slots = re.findall(r"\d", source)
        order = draw(
            st.permutations(
                [f"[{slot}]" for slot in slots] + draw(st.lists(st.sampled_from("cd"), max_size=2))
            )
        )
        lines.append(f"[{lhs}] ||| {source} ||| {' '.join(order)} ||| R{number}=1 Same=0.5")
    return "\n".join(lines)


@st.composite
def lattices(draw: st.DrawFn) -> str:
    """Up to four positions; arcs with features, without, and over several steps."""
    size = draw(st.integers(1, 4))
    positions = []
    for i in range(size):
        arcs = []
        for _ in range(draw(st.integers(1, 2))):
            cost = draw(st.sampled_from(["", "0.5, ", "{'Named': -1.5}, "]))
            arcs.append(f"('{draw(st.sampled_from('ab'))}', {cost}{draw(st.integers(1, size - i))}),")
        positions.append(f"({''.join(arcs)}),")
    return f"({''.join(positions)})"
