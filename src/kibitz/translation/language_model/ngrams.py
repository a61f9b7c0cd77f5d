"""The n-grams of a model, order by order, as estimation makes them and an ARPA file lists them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]

NOTHING, UNKNOWN, BEGIN, END = range(4)  # the numbers of no word and of the words below
SPECIAL = ("", "<unk>", "<s>", "</s>")


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The n-grams of one length: log10 p(w_n | w_1 .. w_n-1), and what backing off from w_1 .. w_n costs."""

    words: Ints  # [count, n], numbers of words
    logprob: Floats  # [count]
    backoff: Floats  # [count], 0 where there is none

    def __len__(self) -> int:
        return len(self.logprob)


@dataclass(frozen=True, slots=True, eq=False)
class NGrams:
    """All of them. The word with number i stands at place i of ``words``, which begins with ``SPECIAL``."""

    words: tuple[str, ...]
    orders: tuple[Order, ...]
