"""Chart parsing: every way to cover a lattice with the rules of a grammar.

Cells (i, j) are filled from short to long. A *dotted item* of a cell is a node of the trie, the part of a source side
that covers the cell; it grows by an arc, or by a finished node, that begins where it ends:

    item(i, k) + arc(k, j)   -> item(i, j)        item(i, k) + node(k, j) -> item(i, j)

Where rules end at an item's trie node, they make edges of the node (category, i, j). What is no rule of the grammar has
the numbers after its last: glue joins the default category from the left edge on, whatever its span,

    S -> X      S -> S X      Goal -> S

and pass-through says an arc's word as it is. Arcs with features make a *path*, the arc after the path before it, so
that every edge knows what its arcs cost.
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import compiled
from kibitz.translation.decoder.lattice import UNREACHABLE
from kibitz.translation.grammar.trie import child

GLUE_START, GLUE, GOAL, PASS_THROUGH = range(4)  # after the last rule of the grammar
GOAL_CATEGORY = -1

# What the columns of the tables hold; -1 where there is nothing. An edge to be is made of an item, or of given tails.
AT, TAIL, BEFORE, ITEM_PATH = range(4)  # items: trie node, the tail it ends with, the item it grew from, path
CATEGORY, START, END = range(3)  # nodes
HEAD, RULE, PATH, TAIL_PTR = range(4)  # edges; where their tails begin
ARC, PATH_BEFORE = range(2)  # paths
MADE_RULE, MADE_OF, MADE_RIGHT, MADE_PATH = range(4)  # edges to be; of item i as i, of left tail v as -2 - v

NONE = -1


@compiled
def fill_chart(trie, lhs, lattice, passing, costly, span, goal, default, glue):  # type: ignore[no-untyped-def]
    """Nodes, edges, the edges' tails and the paths, one a row; the last node is the goal's, if there is a way to it.

    ``lattice`` is (end_ptr, start, word, distance); ``passing[a]`` is the pass-through rule of an arc or -1 and
    ``costly[a]`` says whether it has features; rules hold up to a distance of ``span``; ``goal`` and ``default`` are
    the categories that ``glue`` joins. All numbers are of 64 bits, so that one machine function serves every table.
    """
    end_ptr, arc_start, _, distance = lattice
    n = len(distance) - 1
    rules = len(lhs)
    item_lo, item_hi = np.zeros((n + 1, n + 1), np.int64), np.zeros((n + 1, n + 1), np.int64)
    node_lo, node_hi = np.zeros((n + 1, n + 1), np.int64), np.zeros((n + 1, n + 1), np.int64)
    here = np.full(
        max(goal, default, len(trie.unary_ptr) - 2) + 1, -1, np.int64
    )  # the cell's node of each category
    items, nodes, edges = _table(1024), _table(1024), _table(1024)
    paths, made, tails = _table(16), _table(64), np.empty(1024, np.int64)
    node_count, edge_count, arity, path_count = 0, 0, 0, 0
    items = _row(items, 0, 0, NONE, NONE, NONE)  # the root of the trie, from which every item begins
    item_count = 1

    for length in range(1, n + 1):
        for i in range(n + 1 - length):
            j = i + length
            item_lo[i, j] = item_hi[i, j] = item_count
            node_lo[i, j] = node_hi[i, j] = node_count
            if distance[i, j] >= UNREACHABLE:
                continue
            fits = distance[i, j] <= span
            if fits:
                items, item_count = _by_nodes(
                    trie, i, j, items, item_count, nodes, item_lo, item_hi, node_lo, node_hi
                )
                items, item_count, paths, path_count = _by_arcs(
                    trie, lattice, costly, i, j, items, item_count, item_lo, item_hi, paths, path_count
                )
            made_count = 0
            for item in range(item_lo[i, j], item_count):
                at = items[item, AT]
                for r in range(trie.rule_ptr[at], trie.rule_ptr[at + 1]):
                    made = _row(made, made_count, np.int64(trie.rule[r]), item, NONE, items[item, ITEM_PATH])
                    made_count += 1
            for a in range(end_ptr[j], end_ptr[j + 1]):
                if arc_start[a] == i and passing[a] >= 0:
                    path = NONE
                    if costly[a]:
                        paths = _row(paths, path_count, a, NONE, NONE, NONE)
                        path, path_count = path_count, path_count + 1
                    made = _row(made, made_count, passing[a], NONE, NONE, path)
                    made_count += 1
            if glue and i == 0:
                for k in range(1, j):
                    left = _node_of(goal, nodes, node_lo[0, k], node_hi[0, k])
                    right = _node_of(default, nodes, node_lo[k, j], node_hi[k, j])
                    if left >= 0 and right >= 0:
                        made = _row(made, made_count, rules + GLUE, -2 - left, right, NONE)
                        made_count += 1

            rewritten = node_count  # the cell's nodes before this one were rewritten as a category alone
            while True:
                for e in range(made_count):
                    r = made[e, MADE_RULE]
                    head = np.int64(lhs[r]) if r < rules else (default if r >= rules + PASS_THROUGH else goal)
                    if here[head] < 0:
                        nodes = _row(nodes, node_count, head, i, j, NONE)
                        here[head] = node_count
                        node_count += 1
                    edges = _row(edges, edge_count, here[head], r, made[e, MADE_PATH], arity)
                    edge_count += 1
                    tails, arity = _tails(made[e, MADE_OF], made[e, MADE_RIGHT], items, tails, arity)
                if rewritten == node_count:
                    break
                made_count, known = 0, nodes[rewritten, CATEGORY]
                if fits and known < len(trie.unary_ptr) - 1:
                    for r in range(trie.unary_ptr[known], trie.unary_ptr[known + 1]):
                        made = _row(made, made_count, np.int64(trie.unary[r]), -2 - rewritten, NONE, NONE)
                        made_count += 1
                if glue and i == 0 and known == default:
                    made = _row(made, made_count, rules + GLUE_START, -2 - rewritten, NONE, NONE)
                    made_count += 1
                rewritten += 1

            node_hi[i, j] = node_count
            for v in range(node_lo[i, j], node_count):
                here[nodes[v, CATEGORY]] = -1
                below = child(trie, 0, -1 - nodes[v, CATEGORY]) if fits else NONE
                if below >= 0:
                    items = _row(items, item_count, below, v, 0, NONE)
                    item_count += 1
            item_hi[i, j] = item_count

    top = _node_of(goal, nodes, node_lo[0, n], node_hi[0, n])
    if top >= 0:
        nodes = _row(nodes, node_count, GOAL_CATEGORY, 0, n, NONE)
        edges = _row(edges, edge_count, node_count, rules + GOAL, NONE, arity)
        tails, arity = _tails(-2 - top, NONE, items, tails, arity)
        node_count, edge_count = node_count + 1, edge_count + 1
    return nodes[:node_count], edges[:edge_count], tails[:arity], paths[:path_count]


@compiled
def _table(rows):  # type: ignore[no-untyped-def]
    return np.empty((rows, 4), np.int64)


@compiled
def _row(table, count, a, b, c, d):  # type: ignore[no-untyped-def]
    """The table with its row ``count`` set, grown where it has no room."""
    if count == len(table):
        longer = _table(2 * count)
        for i in range(count):
            for column in range(4):
                longer[i, column] = table[i, column]
        table = longer
    table[count, 0], table[count, 1], table[count, 2], table[count, 3] = a, b, c, d
    return table


@compiled
def _by_nodes(trie, i, j, items, count, nodes, item_lo, item_hi, node_lo, node_hi):  # type: ignore[no-untyped-def]
    """The items that end with a node inside the cell."""
    for k in range(i + 1, j):
        for item in range(item_lo[i, k], item_hi[i, k]):
            for v in range(node_lo[k, j], node_hi[k, j]):
                below = child(trie, items[item, AT], -1 - nodes[v, CATEGORY])
                if below >= 0:
                    items = _row(items, count, below, v, item, items[item, ITEM_PATH])
                    count += 1
    return items, count


@compiled
def _by_arcs(trie, lattice, costly, i, j, items, count, item_lo, item_hi, paths, path_count):  # type: ignore[no-untyped-def]
    """The items that end with an arc."""
    end_ptr, start, word, _ = lattice
    for a in range(end_ptr[j], end_ptr[j + 1]):
        k = start[a]
        if k < i:
            continue
        first, last = (np.int64(0), np.int64(1)) if k == i else (item_lo[i, k], item_hi[i, k])
        for item in range(first, last):
            below = child(trie, items[item, AT], word[a])
            if below >= 0:
                path = items[item, ITEM_PATH]
                if costly[a]:
                    paths = _row(paths, path_count, a, path, NONE, NONE)
                    path, path_count = path_count, path_count + 1
                items = _row(items, count, below, NONE, item, path)
                count += 1
    return items, count, paths, path_count


@compiled
def _tails(made_of, right, items, tails, arity):  # type: ignore[no-untyped-def]
    """The tails of an edge to be, from left to right, after those there are."""
    begin = arity
    if made_of < NONE:
        tails, arity = _push(tails, arity, -2 - made_of)
    item = made_of
    while item >= 0:
        if items[item, TAIL] >= 0:
            tails, arity = _push(tails, arity, items[item, TAIL])
        item = items[item, BEFORE]
    for t in range((arity - begin) // 2):
        tails[begin + t], tails[arity - 1 - t] = tails[arity - 1 - t], tails[begin + t]
    if right >= 0:
        tails, arity = _push(tails, arity, right)
    return tails, arity


@compiled
def _push(array, count, value):  # type: ignore[no-untyped-def]
    if count == len(array):
        longer = np.empty(2 * count, np.int64)
        for i in range(count):
            longer[i] = array[i]
        array = longer
    array[count] = value
    return array, count + 1


@compiled
def _node_of(wanted, nodes, lo, hi):  # type: ignore[no-untyped-def]
    """The node of a category among those of a cell, or -1."""
    for v in range(lo, hi):
        if nodes[v, CATEGORY] == wanted:
            return v
    return NONE
