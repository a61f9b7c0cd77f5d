"""Forests made edge by edge, and checked: what is wrong is said in one sentence, with the names that the maker gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import isfinite

import numpy as np

from kibitz.errors import InputError
from kibitz.spaces.hypergraph.forest import Forest, Symbol


class ForestBuilder:
    """Collects edges in any order; nodes are named, and are there once an edge names them.

    builder = ForestBuilder()
    builder.edge("NP", output=["the", "cat"], features={"Definite": 1})
    builder.edge("S", ["NP"], output=[0, "sleeps"])
    forest = builder.build("S")
    """

    def __init__(self) -> None:
        self._node: dict[str, int] = {}
        self._word: dict[str, int] = {}
        self._name: dict[str, int] = {}
        self._head: list[int] = []
        self._tails: list[list[int]] = []
        self._out: list[list[int]] = []
        self._features: list[tuple[list[int], list[float]]] = []

    def __len__(self) -> int:
        """The number of edges so far."""
        return len(self._head)

    def edge(
        self,
        head: str,
        tails: Sequence[str] = (),
        output: Sequence[Symbol] | None = None,
        features: Mapping[str, float] | None = None,
    ) -> int:
        """Add one way to make ``head`` of ``tails``; returns the number of the edge.

        ``output`` says what it says: words, and 0, 1, ... for the yields of its tails, each once. By default it says
        the yields of its tails in their order.
        """
        said = range(len(tails)) if output is None else output
        slots = [symbol for symbol in said if not isinstance(symbol, str)]
        if sorted(slots) != list(range(len(tails))):
            wanted = f"0 to {len(tails) - 1}, each once" if tails else "no number at all, for it has no tails"
            raise InputError(f"the output {list(said)!r} of an edge of node {head!r} should have {wanted}")
        for name, value in (features or {}).items():
            if not isfinite(value):
                raise InputError(
                    f"the feature {name!r} of an edge of node {head!r} is {value!r}, no finite number"
                )
        self._head.append(self._node.setdefault(head, len(self._node)))
        self._tails.append([self._node.setdefault(tail, len(self._node)) for tail in tails])
        self._out.append([
            self._word.setdefault(s, len(self._word)) if isinstance(s, str) else -1 - s for s in said
        ])  # fmt: skip
        names = [self._name.setdefault(name, len(self._name)) for name in features or {}]
        self._features.append((names, [float(value) for value in (features or {}).values()]))
        return len(self._head) - 1

    def build(self, root: str | None = None) -> Forest:
        """The forest of all that is reachable from ``root``; by default the one node that is no edge's tail."""
        if not self._head:
            raise InputError("the forest is empty: it has no edge")
        names = list(self._node)
        top = self._node.get(root, -1) if root is not None else self._only_root(names)
        by_head: list[list[int]] = [[] for _ in names]
        for e, head in enumerate(self._head):
            by_head[head].append(e)
        if top < 0 or not by_head[top]:
            raise InputError(f"the root {root!r} cannot be reached: no edge has it as its head")
        order = self._sorted(top, by_head, names)
        edges = [e for v in order for e in by_head[v]]
        place = np.full(len(names), -1, np.int64)
        place[order] = np.arange(len(order))
        return Forest(
            nodes=tuple([names[v] for v in order]),
            first=_ptr([len(by_head[v]) for v in order]),
            tail_ptr=_ptr([len(self._tails[e]) for e in edges]),
            tails=place[list(chain.from_iterable(self._tails[e] for e in edges))].astype(np.int32),
            **self._of_edges(edges),  # type: ignore[arg-type]
        )

    def _only_root(self, names: Sequence[str]) -> int:
        used = set(chain.from_iterable(self._tails))
        roots = [v for v in dict.fromkeys(self._head) if v not in used]
        if len(roots) != 1:
            found = ", ".join(repr(names[v]) for v in roots[:5]) or "none: there is a cycle"
            raise InputError(
                f"the root is not clear, nodes that are no edge's tail are {found}: name the root"
            )
        return roots[0]

    def _sorted(self, top: int, by_head: Sequence[Sequence[int]], names: Sequence[str]) -> list[int]:
        """The nodes under ``top``, tails before heads, in the order of a walk from it."""
        order: list[int] = []
        state = [0] * len(names)  # 0 not seen, 1 on the way down, 2 done
        stack = [(top, iter(self._below(top, by_head)))]
        state[top] = 1
        while stack:
            v, below = stack[-1]
            for t in below:
                if state[t] == 1:
                    way = [names[u] for u, _ in stack]
                    cycle = [*way[way.index(names[t]) :], names[t]]
                    raise InputError(
                        f"the forest has a cycle, {' > '.join(map(repr, cycle))}: it must have none"
                    )
                if state[t] == 0:
                    if not by_head[t]:
                        raise InputError(
                            f"the tail {names[t]!r} of an edge of node {names[v]!r} dangles: no edge has it as its head"
                        )
                    state[t] = 1
                    stack.append((t, iter(self._below(t, by_head))))
                    break
            else:
                state[v] = 2
                order.append(v)
                stack.pop()
        return order

    def _below(self, v: int, by_head: Sequence[Sequence[int]]) -> list[int]:
        return list(chain.from_iterable(self._tails[e] for e in by_head[v]))

    def _of_edges(self, edges: Sequence[int]) -> dict[str, object]:
        """What edges say and their features, words and names numbered by first sight."""
        words, names = list(self._word), list(self._name)
        word: dict[int, int] = {}
        name: dict[int, int] = {}
        out = [word.setdefault(s, len(word)) if s >= 0 else s for e in edges for s in self._out[e]]
        feature = [name.setdefault(i, len(name)) for e in edges for i in self._features[e][0]]
        value = [v for e in edges for v in self._features[e][1]]
        return {
            "out_ptr": _ptr([len(self._out[e]) for e in edges]),
            "out": np.array(out, np.int32),
            "words": tuple([words[w] for w in word]),
            "feature_ptr": _ptr([len(self._features[e][0]) for e in edges]),
            "feature": np.array(feature, np.int32),
            "value": np.array(value, np.float64),
            "names": tuple([names[i] for i in name]),
        }


def _ptr(lengths: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
