"""The order of inputs: drawn at random, as the paper has it, or in shuffled epochs, as its programs did."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.generator import Generator, fill_below, fill_permutation

MODES = ("random", "epochs")


class Inputs:
    """Indices of inputs without end; what is taken counts as used only once :meth:`advance` says so."""

    def __init__(self, count: int, mode: str, seed: int) -> None:
        if mode not in MODES:
            raise InputError(f"inputs come 'random' or in 'epochs', not {mode!r}")
        if count < 1:
            raise InputError("the training set is empty: there is nothing to learn from")
        self.count, self.mode = count, mode
        self.random = Generator(seed, stream=0)  # epochs: as it was before the current epoch was shuffled
        self.offset = 0  # places used of the current epoch

    def take(self, n: int) -> npt.NDArray[np.int64]:
        """The next ``n`` indices."""
        random = self.random.copy()
        if self.mode == "random":
            out = np.empty(n, np.int64)
            fill_below(random.state, self.count, out)
            return out
        epochs = []
        for _ in range((self.offset + n - 1) // self.count + 1):
            epoch = np.empty(self.count, np.int64)
            fill_permutation(random.state, epoch)
            epochs.append(epoch)
        return np.concatenate(epochs)[self.offset : self.offset + n]

    def advance(self, n: int) -> None:
        """``n`` of the indices taken were used."""
        if self.mode == "random":
            fill_below(self.random.state, self.count, np.empty(n, np.int64))
            return
        self.offset += n
        while self.offset >= self.count:
            fill_permutation(self.random.state, np.empty(self.count, np.int64))
            self.offset -= self.count
