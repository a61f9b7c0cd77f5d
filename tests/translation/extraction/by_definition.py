"""Alignment and rule extraction as they are defined, word by word and slowly: what the compiled loops are held to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from kibitz.translation.extraction.limits import Limits

Link = tuple[int, int]
Symbols = tuple[str, ...]  # words, and gaps as [1] and [2]


class Pair(NamedTuple):
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: frozenset[Link]


class Rule(NamedTuple):
    source: Symbols
    target: Symbols


class Phrase(NamedTuple):
    i: int
    i_end: int
    j: int
    j_end: int


def grow_diag_final_and(forward: set[Link], backward: set[Link]) -> set[Link]:
    """Koehn's pseudocode, the neighbours in line before the diagonal ones."""
    union, chosen = forward | backward, forward & backward
    neighbours = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]

    def free(i: int, j: int) -> tuple[bool, bool]:
        return all(a != i for a, _ in chosen), all(b != j for _, b in chosen)

    cells = sorted((i, j) for i in range(1 + max((i for i, _ in union), default=0))
                   for j in range(1 + max((j for _, j in union), default=0)))  # fmt: skip
    while True:
        before = len(chosen)
        for i, j in cells:
            if (i, j) in chosen:
                for di, dj in neighbours:
                    new = (i + di, j + dj)
                    if new in union and new not in chosen and any(free(*new)):
                        chosen.add(new)
        if len(chosen) == before:
            break
    for direction in (forward, backward):
        for new in sorted(direction):
            if all(free(*new)):
                chosen.add(new)
    return chosen


def phrases(pair: Pair, limits: Limits) -> set[Phrase]:
    """Consistent with the links, not too long, and with linked words at all four ends."""
    found = set()
    for i, i_end in combinations(range(len(pair.source) + 1), 2):
        for j, j_end in combinations(range(len(pair.target) + 1), 2):
            inside = [(a, b) for a, b in pair.links if i <= a < i_end and j <= b < j_end]
            crossing = [(a, b) for a, b in pair.links if (i <= a < i_end) != (j <= b < j_end)]
            ends = {i, i_end - 1} <= {a for a, _ in inside} and {j, j_end - 1} <= {b for _, b in inside}
            if ends and not crossing and max(i_end - i, j_end - j) <= limits.phrase:
                found.add(Phrase(i, i_end, j, j_end))
    return found


def rules(pair: Pair, limits: Limits) -> Counter[Rule]:
    """Every rule of a pair, as often as there are ways to come by it."""
    initial = phrases(pair, limits)
    counts: Counter[Rule] = Counter()
    for whole in initial:
        inner = sorted(p for p in initial if whole.i <= p.i and p.i_end <= whole.i_end and p != whole)
        for many in range(limits.gaps + 1):
            for gaps in combinations(inner, many):
                if _allowed(pair, whole, gaps, limits):
                    counts[_rule(pair, whole, gaps)] += 1
    return counts


def source_sides(words: tuple[str, ...], limits: Limits) -> set[Symbols]:
    """Every source side that matches a stretch of at most ``span`` words."""
    sides = set()
    for i, end in combinations(range(len(words) + 1), 2):
        if end - i > limits.span:
            continue
        spans = [(a, b) for a, b in combinations(range(i, end + 1), 2) if b - a >= limits.gap]
        for many in range(limits.gaps + 1):
            for gaps in combinations(spans, many):
                if not _apart(gaps, limits):
                    continue
                side = tuple(_replaced(words, i, end, gaps))
                if len(side) <= limits.symbols and any(s not in ("[1]", "[2]") for s in side):
                    sides.add(side)
    return sides


def _allowed(pair: Pair, whole: Phrase, gaps: tuple[Phrase, ...], limits: Limits) -> bool:
    spans = [(gap.i, gap.i_end) for gap in gaps]
    if not _apart(spans, limits) or any(end - i < limits.gap for i, end in spans):
        return False
    left = [k for k in range(whole.i, whole.i_end) if not any(i <= k < end for i, end in spans)]
    aligned = {i for i, _ in pair.links}
    return len(left) + len(gaps) <= limits.symbols and any(k in aligned for k in left)


def _apart(spans: Iterable[tuple[int, int]], limits: Limits) -> bool:
    ordered = sorted(spans)
    room = 0 if limits.adjacent else 1
    return all(b[0] - a[1] >= room for a, b in pairwise(ordered))


def _rule(pair: Pair, whole: Phrase, gaps: tuple[Phrase, ...]) -> Rule:
    ordered = sorted(gaps)
    source = _replaced(pair.source, whole.i, whole.i_end, [(g.i, g.i_end) for g in ordered])
    target = _replaced(pair.target, whole.j, whole.j_end, [(g.j, g.j_end) for g in ordered])
    return Rule(tuple(source), tuple(target))


def _replaced(
    words: tuple[str, ...], first: int, end: int, spans: Iterable[tuple[int, int]]
) -> Iterator[str]:
    """The words from ``first`` to ``end``, with the number of a span in its place."""
    beginnings = {i: (stop, f"[{number}]") for number, (i, stop) in enumerate(spans, start=1)}
    k = first
    while k < end:
        if k in beginnings:
            k, symbol = beginnings[k]
            yield symbol
        else:
            yield words[k]
            k += 1
