"""Encoded inputs, one after the other in flat arrays, with their gold labels where there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.rows import Rows


class ChainInput(NamedTuple):
    """One encoded input: positions ``lo`` to ``hi`` of ``x``; the last ``contexts`` of them hold transition rows."""

    x: Rows
    lo: int
    hi: int
    length: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """Inputs ``starts[i]`` to ``starts[i + 1]`` of ``x``; ``gold`` numbers labels in ``labels``, -1 where unknown."""

    x: Rows
    starts: npt.NDArray[np.int64]
    contexts: int
    gold: npt.NDArray[np.int32]
    labels: tuple[str, ...]  # those of the space first; then gold labels that the space does not have
    has_gold: bool

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> ChainInput:
        i = range(len(self))[i]
        lo, hi = int(self.starts[i]), int(self.starts[i + 1])
        return ChainInput(self.x, lo, hi, hi - lo - self.contexts)

    def length(self, i: int) -> int:
        """The number of tokens of input ``i``."""
        return int(self.starts[i + 1] - self.starts[i]) - self.contexts

    @property
    def longest(self) -> int:
        """The number of positions of the longest input."""
        return int(np.diff(self.starts).max(initial=0))

    @property
    def tokens(self) -> int:
        """The number of tokens of all inputs."""
        return int(self.starts[-1]) - self.contexts * len(self)

    def split(self, labels: npt.NDArray[np.int32], i: int) -> tuple[str, ...]:
        """The labels of input ``i`` out of numbers laid out as ``gold`` is."""
        lo = int(self.starts[i])
        return tuple(self.labels[k] if k >= 0 else "?" for k in labels[lo : lo + self.length(i)].tolist())

    def gold_of(self, i: int) -> tuple[str, ...]:
        """The gold labels of input ``i``."""
        return self.split(self.gold, i)

    def subset(self, indices: Sequence[int]) -> Corpus:
        """The chosen inputs, in the order given."""
        chosen = np.concatenate([np.arange(self.starts[i], self.starts[i + 1]) for i in indices])
        widths = np.diff(self.x.ptr)[chosen]
        places = np.concatenate([np.arange(self.x.ptr[n], self.x.ptr[n + 1]) for n in chosen])
        values = self.x.values[places] if len(self.x.values) else self.x.values
        rows = Rows(np.concatenate([[0], np.cumsum(widths)]).astype(np.int32), self.x.rows[places], values)
        starts = np.concatenate([[0], np.cumsum(np.diff(self.starts)[list(indices)])]).astype(np.int64)
        return Corpus(rows, starts, self.contexts, self.gold[chosen], self.labels, self.has_gold)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The corpus as plain arrays, for a cache."""
        return {
            "ptr": self.x.ptr, "rows": self.x.rows, "values": self.x.values, "starts": self.starts,
            "gold": self.gold, "labels": np.array(self.labels, dtype=str),
            "shape": np.array([self.contexts, int(self.has_gold)]),
        }  # fmt: skip

    @classmethod
    def restore(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Corpus:
        """The corpus that :meth:`arrays` wrote."""
        contexts, has_gold = (int(v) for v in arrays["shape"].tolist())
        x = Rows(arrays["ptr"], arrays["rows"], arrays["values"])
        labels = tuple(str(label) for label in arrays["labels"])
        return cls(x, arrays["starts"], contexts, arrays["gold"], labels, bool(has_gold))
