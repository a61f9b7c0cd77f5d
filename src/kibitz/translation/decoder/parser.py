"""From a grammar and a sentence to the sentence's parse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.compiled import kernel
from kibitz.translation.decoder import chart
from kibitz.translation.decoder.applications import NO_ENTRIES, Applications, Entries, in_order_of_sight
from kibitz.translation.decoder.chart import CATEGORY, END, GLUE, GOAL, HEAD, PASS_THROUGH, START
from kibitz.translation.decoder.lattice import Lattice
from kibitz.translation.decoder.parse import Parse
from kibitz.translation.grammar.grammar import Grammar, Ints, Rule, pointers, stretches
from kibitz.translation.grammar.trie import Trie, category_ranks, trie_of


@dataclass(frozen=True, slots=True)
class ParserOptions:
    """``span`` is the most words a rule of the grammar covers; glue and pass-through hold beyond it."""

    goal: str = "S"
    default: str = "X"
    glue: bool = True
    pass_through: bool = True
    span: int = 10


HIERO = ParserOptions()
Longs = npt.NDArray[np.int64]
Features = Callable[[Grammar], Entries]


class Parser:
    """Parses with one grammar; ``features`` gives rules those that stand in no grammar file."""

    def __init__(
        self,
        grammar: Grammar,
        options: ParserOptions = HIERO,
        features: Features = lambda rules: NO_ENTRIES,
    ) -> None:
        categories = grammar.symbols.categories
        self.grammar, self.options, self.features = grammar, options, features
        self._goal, self._default = categories.number(options.goal), categories.number(options.default)
        if self._goal == self._default and options.glue:
            raise InputError(
                f"glue cannot join [{options.default}] to itself: name another goal, or parse without glue"
            )
        self._trie: Trie = trie_of(grammar)
        self._ranks = category_ranks(grammar, [(self._goal, self._default)] if options.glue else [])

    def parse(self, lattice: Lattice, features: Features | None = None) -> Parse:
        """All derivations of the lattice; ``features`` in the place of the parser's, where they are given."""
        rules = len(self.grammar)
        distinct, place = in_order_of_sight(lattice.word)
        words = distinct.tolist()
        passing = np.full(len(lattice.word), -1, np.int64)
        if self.options.pass_through:
            passing = rules + PASS_THROUGH + place.astype(np.int64)
        costly = np.array([bool(features) for features in lattice.features])
        nodes, edges, tails, paths = chart.fill_chart(
            self._trie,
            self.grammar.lhs,
            (lattice.end_ptr, lattice.start, lattice.word, lattice.distance),
            passing,
            costly,
            self.options.span,
            self._goal,
            self._default,
            self.options.glue,
        )
        if not len(nodes) or nodes[-1, CATEGORY] != chart.GOAL_CATEGORY:
            raise InputError(
                f"the grammar derives no [{self.options.goal}] from this sentence: let words pass through, "
                "or give it more rules"
            )
        applied = edges[:, chart.RULE] * (len(paths) + 1) + edges[:, chart.PATH] + 1
        kept, first, applied, tail_ptr, tails = _sorted(nodes, edges, tails, applied, self._order(nodes))
        distinct, rule = np.unique(applied, return_inverse=True)
        chosen, path = np.divmod(distinct, len(paths) + 1)
        said = self._applications(chosen, path - 1, paths, words, lattice, features or self.features)
        return Parse(
            category=kept[:, CATEGORY].astype(np.int32),
            start=kept[:, START].astype(np.int32),
            end=kept[:, END].astype(np.int32),
            first=first,
            rule=rule.astype(np.int32),
            tail_ptr=tail_ptr,
            tails=tails,
            said=said,
        )

    def _order(self, nodes: Longs) -> Longs:
        """The nodes with tails before heads: by length, then by what can be rewritten as what, the goal last."""
        rank = self._ranks[nodes[:, CATEGORY]]
        rank[-1] = rank.max() + 1
        return np.lexsort((nodes[:, START], rank, nodes[:, END] - nodes[:, START]))

    def _applications(
        self,
        chosen: Longs,
        path: Longs,
        paths: Longs,
        words: Sequence[int],
        lattice: Lattice,
        features: Features,
    ) -> Applications:
        """The rules in use, each with what its path costs."""
        outside = [self._rule(r, words) for r in chosen[chosen >= len(self.grammar)].tolist()]
        inside = self.grammar.chosen(chosen[chosen < len(self.grammar)])
        rules = inside.joined([Grammar.of(outside, self.grammar.symbols)])
        # The rule to the goal is nobody's, and has no features.
        written = np.flatnonzero(chosen != len(self.grammar) + GOAL)
        computed = features(rules.chosen(written))
        computed = computed._replace(rule=written[computed.rule])
        return Applications.of(rules, [computed, self._costs(path, paths, lattice)])

    def _rule(self, r: int, words: Sequence[int]) -> Rule:
        """Rule ``r`` of the grammar or of those that stand after it."""
        outside = r - len(self.grammar)
        if outside < 0:
            return self.grammar.rule(r)
        if outside >= PASS_THROUGH:
            word = words[outside - PASS_THROUGH]
            return Rule(self._default, [word], [word], self._named("PassThrough"))
        if outside == GLUE:
            return Rule(self._goal, [-1 - self._goal, -1 - self._default], [-1, -2], self._named("Glue"))
        return Rule(self._goal, [-1 - (self._goal if outside == GOAL else self._default)], [-1], {})

    def _named(self, feature: str) -> dict[int, float]:
        return {self.grammar.symbols.features.number(feature): 1.0}

    def _costs(self, path: Longs, paths: Longs, lattice: Lattice) -> Entries:
        costs = [
            (r, feature, value)
            for r in np.flatnonzero(path >= 0).tolist()
            for feature, value in self._cost(int(path[r]), paths, lattice).items()
        ]
        return Entries.of(costs)

    def _cost(self, path: int, paths: Longs, lattice: Lattice) -> dict[int, float]:
        total: dict[int, float] = {}
        while path >= 0:
            total = _added(total, lattice.features[paths[path, chart.ARC]])
            path = int(paths[path, chart.PATH_BEFORE])
        return total


def _added(features: Mapping[int, float], more: Mapping[int, float]) -> dict[int, float]:
    total = dict(features)
    for feature, value in more.items():
        total[feature] = total.get(feature, 0.0) + value
    return total


def _sorted(
    nodes: Longs, edges: Longs, tails: Longs, applied: Longs, order: Longs
) -> tuple[Longs, Ints, Longs, Ints, Ints]:
    """What can be reached from the goal, in order: nodes, where their edges begin, what these apply, their tails."""
    place = np.empty(len(nodes), np.int32)
    place[order] = np.arange(len(nodes), dtype=np.int32)
    by_head = np.argsort(place[edges[:, HEAD]], kind="stable")
    first = pointers(np.bincount(edges[:, HEAD], minlength=len(nodes))[order])
    tail_ptr, sorted_tails = stretches(np.append(edges[:, chart.TAIL_PTR], len(tails)), place[tails], by_head)
    reached = np.zeros(len(nodes), np.bool_)
    _reach(first, tail_ptr, sorted_tails, reached)
    kept_edges = np.flatnonzero(np.repeat(reached, np.diff(first)))
    again = np.cumsum(reached) - 1
    kept_ptr, kept_tails = stretches(tail_ptr, sorted_tails, kept_edges)
    return (
        nodes[order][reached],
        pointers(np.diff(first)[reached]),
        applied[by_head][kept_edges],
        kept_ptr,
        again[kept_tails].astype(np.int32),
    )


@kernel
def _reach(first, tail_ptr, tails, reached):  # type: ignore[no-untyped-def]
    """Mark all nodes under the last."""
    reached[-1] = True
    for v in range(len(reached) - 1, -1, -1):
        if reached[v]:
            for t in range(tail_ptr[first[v]], tail_ptr[first[v + 1]]):
                reached[tails[t]] = True
