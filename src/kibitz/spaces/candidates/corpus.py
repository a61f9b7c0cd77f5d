"""Encoded lists of candidates, one after the other in flat arrays, with what is known of how good they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.rows import Rows

Floats = npt.NDArray[np.float64]
Golds = tuple[Any, ...]


class Texts(NamedTuple):
    """Many texts in one array of bytes: text k ends at ``ends[k]``."""

    data: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]

    def text(self, k: int) -> str:
        """Text k."""
        start = int(self.ends[k - 1]) if k else 0
        return self.data[start : self.ends[k]].tobytes().decode("utf-8", "surrogatepass")


class ListInput(NamedTuple):
    """One encoded list: candidates ``lo`` to ``hi`` of ``x``, each a position with the rows of its features.

    ``group[n]`` numbers the text of candidate n: equal texts of a list have one number, from 0 in order of first
    sight; text 0 of the list is text ``first`` of ``texts``.
    """

    x: Rows
    lo: int
    hi: int
    group: npt.NDArray[np.int32]
    texts: Texts
    first: int

    @property
    def length(self) -> int:
        """The number of candidates."""
        return self.hi - self.lo

    @property
    def groups(self) -> npt.NDArray[np.int32]:
        """The number of each candidate's text."""
        return self.group[self.lo : self.hi]

    def text(self, group: int) -> str:
        """A text of the list by its number."""
        return self.texts.text(self.first + group)

    def outputs(self) -> list[str]:
        """The texts, each once."""
        return [self.text(g) for g in range(int(self.groups.max()) + 1)]

    def group_of(self, text: Any) -> int:
        """The number of a text, -1 where no candidate has it."""
        texts = self.outputs()
        return texts.index(text) if text in texts else -1


@dataclass(frozen=True, slots=True)
class Lists:
    """Lists ``starts[i]`` to ``starts[i + 1]`` of ``x``; the texts of list i are ``firsts[i]`` to ``firsts[i + 1]``."""

    x: Rows
    starts: npt.NDArray[np.int64]
    group: npt.NDArray[np.int32]
    texts: Texts
    firsts: npt.NDArray[np.int64]
    golds: Golds | None = None
    _losses: dict[Any, Floats] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> ListInput:
        i = range(len(self))[i]
        lo, hi = int(self.starts[i]), int(self.starts[i + 1])
        return ListInput(self.x, lo, hi, self.group, self.texts, int(self.firsts[i]))

    @property
    def has_gold(self) -> bool:
        """Whether gold answers are known."""
        return self.golds is not None

    def gold_of(self, i: int) -> Any:
        """The gold answer of list ``i``: whatever the loss compares outputs with."""
        if self.golds is None:
            raise InputError("these inputs come without gold outputs, so there is nothing to compare with")
        return self.golds[i]

    @property
    def longest(self) -> int:
        """The number of candidates of the longest list."""
        return int(np.diff(self.starts).max(initial=0))

    def losses(self, loss: Any) -> Floats:
        """The loss of every candidate, computed once: one call for the texts of a list."""
        if loss not in self._losses:
            found = np.empty(int(self.starts[-1]))
            for i in range(len(self)):
                x = self[i]
                found[x.lo : x.hi] = loss.of_each(x.outputs(), self.gold_of(i))[x.groups]
            self._losses[loss] = found
        return self._losses[loss]

    def subset(self, indices: Sequence[int]) -> Lists:
        """The chosen lists, in the order given."""
        chosen = [self[i] for i in indices]
        golds = None if self.golds is None else tuple(self.golds[i] for i in indices)
        return joined([packed(x) for x in chosen], golds)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The lists as plain arrays, for a cache."""
        golds = json.dumps(self.golds).encode()
        return {
            "ptr": self.x.ptr, "rows": self.x.rows, "values": self.x.values, "starts": self.starts,
            "group": self.group, "data": self.texts.data, "ends": self.texts.ends, "firsts": self.firsts,
            "golds": np.frombuffer(golds, np.uint8),
        }  # fmt: skip

    @classmethod
    def restore(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Lists:
        """The lists that :meth:`arrays` wrote."""
        golds = json.loads(arrays["golds"].tobytes())
        x = Rows(arrays["ptr"], arrays["rows"], arrays["values"])
        texts = Texts(arrays["data"], arrays["ends"])
        known = None if golds is None else tuple(golds)
        return cls(x, arrays["starts"], arrays["group"], texts, arrays["firsts"], known)


def packed(x: ListInput) -> dict[str, npt.NDArray[Any]]:
    """One list by itself."""
    first, last = int(x.x.ptr[x.lo]), int(x.x.ptr[x.hi])
    here, there = x.first, x.first + int(x.groups.max()) + 1
    begin = int(x.texts.ends[here - 1]) if here else 0
    return {
        "ptr": x.x.ptr[x.lo : x.hi + 1] - first, "rows": x.x.rows[first:last], "values": x.x.values[first:last],
        "group": x.groups, "data": x.texts.data[begin : x.texts.ends[there - 1]],
        "ends": x.texts.ends[here:there] - begin,
    }  # fmt: skip


def unpacked(arrays: Mapping[str, npt.NDArray[Any]]) -> ListInput:
    """The list that :func:`packed` wrote."""
    x = Rows(arrays["ptr"], arrays["rows"], arrays["values"])
    texts = Texts(arrays["data"], arrays["ends"])
    return ListInput(x, 0, len(arrays["group"]), arrays["group"], texts, 0)


def joined(parts: Sequence[Mapping[str, npt.NDArray[Any]]], golds: Golds | None) -> Lists:
    """Lists by themselves as one."""
    return Lists(
        Rows(
            _ends([part["ptr"] for part in parts], np.int32),
            np.concatenate([part["rows"] for part in parts]),
            np.concatenate([part["values"] for part in parts]),
        ),
        np.cumsum([0, *(len(part["group"]) for part in parts)], dtype=np.int64),
        np.concatenate([part["group"] for part in parts]),
        Texts(
            np.concatenate([part["data"] for part in parts]),
            _ends([np.concatenate([[0], part["ends"]]) for part in parts], np.int64)[1:],
        ),
        np.cumsum([0, *(len(part["ends"]) for part in parts)], dtype=np.int64),
        golds,
    )


def _ends(parts: Sequence[npt.NDArray[Any]], dtype: Any) -> npt.NDArray[Any]:
    """Ends counted from 0 in each part, as ends counted from 0 in all of them together."""
    widths = [np.diff(part) for part in parts]
    return np.concatenate([[0], np.cumsum(np.concatenate(widths))]).astype(dtype)
