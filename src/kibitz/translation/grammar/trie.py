"""The source sides of a grammar as a trie, so that a sentence meets all rules that fit it side by side.

Children are found by hashing (node, symbol) into one flat table; node 0 is the root. Rules that rewrite one category as
another, and nothing else, are kept apart: a chart needs them when a cell is complete.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.compiled import fused, kernel
from kibitz.translation.grammar.grammar import Grammar, Ints, pointers

Keys = npt.NDArray[np.int64]

EMPTY = np.int64(-1)


class Trie(NamedTuple):
    """The table of children, and the rules that end at each node."""

    key: Keys  # node << 32 | symbol, EMPTY where nothing is
    child: Ints
    rule_ptr: Ints  # [nodes + 1]
    rule: Ints
    unary_ptr: Ints  # [categories + 1]: by the category on the source side
    unary: Ints  # rules


@fused
def _key(node, symbol):  # type: ignore[no-untyped-def]
    return (np.int64(node) << 32) | (np.int64(symbol) & 0xFFFFFFFF)


@fused
def _place(key, keys):  # type: ignore[no-untyped-def]
    """Where ``key`` is in the table, or the empty place where it would be."""
    mask = len(keys) - 1
    place = ((key * 0x9E3779B97F4A7C1) >> 20) & mask
    while keys[place] != EMPTY and keys[place] != key:
        place = (place + 1) & mask
    return place


@fused
def child(trie, node, symbol):  # type: ignore[no-untyped-def]
    """The node below ``node`` by ``symbol``, or -1."""
    key = _key(node, symbol)
    place = _place(key, trie.key)
    return np.int64(trie.child[place]) if trie.key[place] == key else EMPTY


@kernel
def _grow(source_ptr, source, keep, keys, children, ends):  # type: ignore[no-untyped-def]
    """Put every source side that is kept into the table; ``ends`` are their last nodes; returns the number of nodes."""
    nodes = 1
    for r in range(len(ends)):
        if not keep[r]:
            ends[r] = -1
            continue
        node = 0
        for i in range(source_ptr[r], source_ptr[r + 1]):
            key = _key(node, source[i])
            place = _place(key, keys)
            if keys[place] == EMPTY:
                keys[place] = key
                children[place] = nodes
                nodes += 1
            node = children[place]
        ends[r] = node
    return nodes


def trie_of(grammar: Grammar) -> Trie:
    """The trie of a grammar's rules; within a node, rules are in the grammar's order."""
    size = 1 << int(2 * len(grammar.source) + 2).bit_length()
    keys, children = np.full(size, EMPTY), np.zeros(size, np.int32)
    first = grammar.source[grammar.source_ptr[:-1]]
    unary = (np.diff(grammar.source_ptr) == 1) & (first < 0)
    ends = np.zeros(len(grammar), np.int32)
    nodes = _grow(grammar.source_ptr, grammar.source, ~unary, keys, children, ends)
    unary_ptr, unaries = _grouped(np.where(unary, -1 - first, -1), len(grammar.symbols.categories))
    return Trie(keys, children, *_grouped(ends, nodes), unary_ptr, unaries)


def _grouped(group: Ints, groups: int) -> tuple[Ints, Ints]:
    """The members of each group, in order; members of group -1 belong to none."""
    order = np.argsort(group, kind="stable")
    order = order[group[order] >= 0]
    return pointers(np.bincount(group[order], minlength=groups)), order.astype(np.int32)


def category_ranks(grammar: Grammar, above: list[tuple[int, int]]) -> Ints:
    """A number for each category, larger than that of every category it can be rewritten as alone.

    ``above`` holds pairs (head, tail) that stand outside of the grammar, as glue does.
    """
    trie_pairs = {
        (int(grammar.lhs[r]), -1 - int(grammar.source[grammar.source_ptr[r]]))
        for r in np.flatnonzero((np.diff(grammar.source_ptr) == 1) & (grammar.source[grammar.source_ptr[:-1]] < 0))
    }  # fmt: skip
    below: dict[int, set[int]] = {}
    for head, tail in [*trie_pairs, *above]:
        below.setdefault(head, set()).add(tail)
    names = grammar.symbols.categories.names()
    ranks = np.zeros(len(names), np.int32)
    state = [0] * len(names)  # 0 not seen, 1 on the way down, 2 done

    def rank(category: int) -> int:
        if state[category] == 1:
            raise InputError(
                f"the rules that rewrite [{names[category]}] as another category alone come back to it: break the cycle"
            )
        if state[category] == 0:
            state[category] = 1
            ranks[category] = max((rank(tail) + 1 for tail in below.get(category, ())), default=0)
            state[category] = 2
        return int(ranks[category])

    for category in range(len(names)):
        rank(category)
    return ranks
