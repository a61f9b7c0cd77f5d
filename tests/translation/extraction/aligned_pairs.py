"""Small aligned texts that Hypothesis makes up, and rules as the compiled loops find them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from by_definition import Pair, Rule
from hypothesis import strategies as st

from kibitz.translation.alignment.links import Links
from kibitz.translation.extraction.aligned import AlignedText, Vocabulary, aligned_text
from kibitz.translation.extraction.grammar import FEATURES, Grammar
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.extraction.writing import Writer

SOURCE, TARGET = ("le", "chat", "noir", "dort"), ("the", "black", "cat", "sleeps")


@st.composite
def pairs(draw: Any, longest: int = 6) -> Pair:
    source = draw(st.lists(st.sampled_from(SOURCE), min_size=1, max_size=longest))
    target = draw(st.lists(st.sampled_from(TARGET), min_size=1, max_size=longest))
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    links = draw(st.frozensets(st.sampled_from(cells), max_size=longest + 2))
    return Pair(tuple(source), tuple(target), links)


texts = st.lists(pairs(), min_size=1, max_size=3)

limits = st.builds(
    Limits,
    phrase=st.integers(1, 6),
    span=st.integers(1, 6),
    symbols=st.integers(1, 5),
    gaps=st.integers(0, 2),
    gap=st.integers(1, 2),
    adjacent=st.booleans(),
)


def links_of(pairs: Sequence[Pair]) -> Links:
    ordered = [sorted(pair.links) for pair in pairs]
    ptr = np.cumsum([0, *map(len, ordered)], dtype=np.int64)
    flat = np.array([link for links in ordered for link in links], np.int32).reshape(-1, 2)
    return Links(ptr, flat[:, 0].copy(), flat[:, 1].copy())


def text_of(pairs: Sequence[Pair]) -> tuple[AlignedText, Vocabulary, Vocabulary]:
    return aligned_text(
        [" ".join(pair.source) for pair in pairs], [" ".join(pair.target) for pair in pairs], links_of(pairs)
    )


Written = tuple[dict[str, float], set[tuple[int, int]]]


def written(text: AlignedText, grammar: Grammar, *words: Vocabulary) -> dict[Rule, Written]:
    """The features and the links of each rule, as its line has them."""
    lines = Writer(text, grammar, *words).lines(np.arange(len(grammar))).decode().splitlines()
    found: dict[Rule, Written] = {}
    for line in lines:
        head, source, target, features, links = line.split(" |||")
        assert head == "[X]"
        values = {name: float(value) for name, _, value in (f.partition("=") for f in features.split())}
        assert tuple(values) == FEATURES
        ends = {(int(i), int(j)) for i, _, j in (link.partition("-") for link in links.split())}
        rule = Rule(tuple(source.replace("[X,", "[").split()), tuple(target.split()))
        assert rule not in found
        found[rule] = (values, ends)
    return found
