"""All derivations of a sentence, by trying every rule everywhere: the oracle of the parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kibitz.spaces.hypergraph.forest import Forest
from kibitz.translation.decoder.lattice import Lattice
from kibitz.translation.decoder.parser import ParserOptions
from kibitz.translation.grammar import Grammar

Derivation = tuple[tuple[str, ...], tuple[tuple[str, float], ...]]  # what it says, its features
Features = Mapping[str, float]
Part = tuple[list[str], Features]


def of_forest(forest: Forest) -> Counter[Derivation]:
    """The derivations that a forest holds."""
    by_head: dict[str, list[list[Part]]] = {}
    for edge in forest.edges():
        for parts in _choices([by_head[tail] for tail in edge.tails]):
            said = [w for s in edge.output for w in ([s] if isinstance(s, str) else parts[s][0])]
            by_head.setdefault(edge.head, []).append((said, added(edge.features, *(f for _, f in parts))))
    return _counted(by_head[forest.root])


def by_search(grammar: Grammar, lattice: Lattice, options: ParserOptions) -> Counter[Derivation]:
    """The derivations of a lattice, by recursion over categories and positions."""
    symbols = grammar.symbols
    words, categories, names = symbols.words.names(), symbols.categories.names(), symbols.features.names()
    arcs = [
        (int(lattice.start[a]), end, int(lattice.word[a]), lattice.features[a])
        for end in range(len(lattice) + 1)
        for a in range(lattice.end_ptr[end], lattice.end_ptr[end + 1])
    ]

    def named(features: Mapping[int, float]) -> Features:
        return {names[f]: value for f, value in features.items()}

    def derive(category: str, i: int, j: int) -> Iterator[Part]:
        for rule in grammar.rules():
            if categories[rule.lhs] == category and lattice.distance[i, j] <= options.span:
                for costs, parts in cover(rule.source, i, j):
                    said = [w for s in rule.target for w in ([words[s]] if s >= 0 else parts[-1 - s][0])]
                    yield said, added(named(rule.features), costs, *(more for _, more in parts))
        if options.pass_through and category == options.default:
            for start, end, word, features in arcs:
                if (start, end) == (i, j):
                    yield [words[word]], added(named(features), {"PassThrough": 1})
        if options.glue and category == options.goal and i == 0:
            yield from derive(options.default, i, j)
            for k in range(1, j):
                for left in derive(options.goal, i, k):
                    for right in derive(options.default, k, j):
                        yield left[0] + right[0], added(left[1], right[1], {"Glue": 1})

    def cover(source: Sequence[int], i: int, j: int) -> Iterator[tuple[Features, list[Part]]]:
        if not source:
            if i == j:
                yield {}, []
            return
        for k in range(i + 1, j + 1):
            rest = list(cover(source[1:], k, j))
            if not rest:
                continue
            if source[0] < 0:
                ways = [({}, [part]) for part in derive(categories[-1 - source[0]], i, k)]
            else:
                ways = [
                    (named(features), []) for start, end, word, features in arcs
                    if (start, end, word) == (i, k, source[0])
                ]  # fmt: skip
            for costs, parts in ways:
                for more, others in rest:
                    yield added(costs, more), parts + others

    return _counted(derive(options.goal, 0, len(lattice)))


def _choices(lists: Sequence[Sequence[Part]]) -> Iterator[list[Part]]:
    if not lists:
        yield []
        return
    for first in lists[0]:
        for rest in _choices(lists[1:]):
            yield [first, *rest]


def added(*all_features: Features) -> Features:
    total: dict[str, float] = {}
    for features in all_features:
        for name, value in features.items():
            total[name] = total.get(name, 0.0) + value
    return total


def _counted(parts: Iterable[Part]) -> Counter[Derivation]:
    return Counter(
        (tuple(said), tuple(sorted((name, round(value, 9)) for name, value in features.items() if value)))
        for said, features in parts
    )
