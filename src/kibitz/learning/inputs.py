"""The order of inputs: drawn at random, as the paper has it, or in shuffled epochs, as its programs did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.generator import Generator, fill_below, fill_permutation

MODES = ("random", "epochs")


@dataclass(slots=True)
class Order:
    """Where the order of inputs stands: it is the learner's, so a second run goes on where the first ended."""

    random: Generator  # in epochs: as it was before the current epoch was shuffled
    used: int = 0  # inputs used of the current epoch


class Inputs:
    """Indices of inputs without end; what is taken counts as used only once :meth:`advance` says so."""

    def __init__(self, count: int, mode: str, order: Order) -> None:
        if mode not in MODES:
            raise InputError(f"inputs come 'random' or in 'epochs', not {mode!r}")
        if count < 1:
            raise InputError("the training set is empty: there is nothing to learn from")
        self.count, self.mode, self.order = count, mode, order

    def take(self, n: int) -> npt.NDArray[np.int64]:
        """The next ``n`` indices."""
        random = self.order.random.copy()
        if self.mode == "random":
            out = np.empty(n, np.int64)
            fill_below(random.state, self.count, out)
            return out
        used = self.order.used
        epochs = []
        for _ in range((used + n - 1) // self.count + 1):
            epoch = np.empty(self.count, np.int64)
            fill_permutation(random.state, epoch)
            epochs.append(epoch)
        return np.concatenate(epochs)[used : used + n]

    def advance(self, n: int) -> None:
        """``n`` of the indices taken were used."""
        if self.mode == "random":
            fill_below(self.order.random.state, self.count, np.empty(n, np.int64))
            return
        self.order.used += n
        while self.order.used >= self.count:
            fill_permutation(self.order.random.state, np.empty(self.count, np.int64))
            self.order.used -= self.count
