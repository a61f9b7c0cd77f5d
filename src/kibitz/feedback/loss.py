"""What every loss is: how bad an output is beside the gold answer, from 0 (perfect) to 1.

Two levels, as in the paper: the loss of one output is the feedback that a learner hears, and the corpus
metric, counted over all outputs together (micro-averaged), is what models are chosen and reported by.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kibitz.errors import InputError
from kibitz.feedback.chunk_f1 import ChunkF1
from kibitz.feedback.given import GivenLoss
from kibitz.feedback.hamming import Hamming
from kibitz.feedback.lengths import same_length
from kibitz.feedback.sentence_bleu import SentenceBLEU
from kibitz.feedback.zero_one import ZeroOne

Codes = NDArray[np.int32]
Counts = NDArray[np.float64]


class Loss(Protocol):
    """A loss of one output, and the metric of many."""

    @property
    def name(self) -> str:
        """The name that `loss_from` and the command line know it by."""

    @property
    def metric(self) -> str:
        """What the corpus metric is called in tables."""

    @property
    def higher_is_better(self) -> bool:
        """Whether a model with a higher corpus metric is the better one."""

    def __call__(self, output: Any, gold: Any) -> float:
        """The loss of one output, in [0, 1]."""

    def corpus(self, outputs: Sequence[Any], golds: Sequence[Any]) -> float:
        """The corpus metric of all outputs together."""


class CompiledLoss(Loss, Protocol):
    """A loss of label sequences that can also run inside a compiled loop.

    `tally`, `ratio` and `score` are plain functions of the module, written so that Numba can compile them.
    Labels are numbers there; `table` holds what `tally` must know of each.
    """

    @staticmethod
    def tally(output: Codes, gold: Codes, offset: int, n: int, table: Codes, counts: Counts) -> None:
        """Adds one output's counts: `output[0:n]` beside `gold[offset:offset+n]`; `counts` has 4 places."""

    @staticmethod
    def ratio(counts: Counts) -> float:
        """The loss of these counts, in [0, 1]."""

    @staticmethod
    def score(counts: Counts) -> float:
        """The corpus metric of summed counts."""

    def table(self, labels: Sequence[str]) -> Codes:
        """What `tally` needs to know of the labels numbered 0, 1, ..."""


class ListedLoss(Loss, Protocol):
    """A loss that is the same whenever it is asked, so that lists of candidates look it up in compiled loops."""

    def of_each(self, outputs: Sequence[Any], gold: Any) -> NDArray[np.float64]:
        """The losses of many outputs of one input."""


@dataclass(frozen=True, slots=True)
class FunctionLoss:
    """A user's own `fn(output, gold)` as a loss; its corpus metric is the mean."""

    fn: Callable[[Any, Any], float]
    name: str = "custom"
    metric: str = "mean loss"
    higher_is_better: bool = False

    def __call__(self, output: Any, gold: Any) -> float:
        """What the function returns, or an `InputError` where that is no number from 0 to 1."""
        returned = self.fn(output, gold)
        try:
            value = float(returned)
        except (TypeError, ValueError):
            value = math.nan
        if not 0.0 <= value <= 1.0:
            called = getattr(self.fn, "__name__", type(self.fn).__name__)
            raise InputError(
                f"the loss {called!r} returned {returned!r} for the output {_short(output)}: "
                "it must return a number from 0 (perfect) to 1"
            )
        return value

    def corpus(self, outputs: Sequence[Any], golds: Sequence[Any]) -> float:
        """The mean loss; 0 for no outputs."""
        same_length(outputs, golds, "sequences")
        return math.fsum(map(self, outputs, golds)) / max(len(golds), 1)


_OTHERS: dict[str, Callable[[], Loss]] = {
    "hamming": Hamming,
    "01": ZeroOne,
    "bleu": SentenceBLEU,
    "given": GivenLoss,
}
_NAMES = ", ".join(["f1", *_OTHERS])


def loss_from(loss: str | Callable[[Any, Any], float], scheme: str = "bio") -> Loss:
    """The loss called `f1`, `hamming`, `01`, `bleu` or `given`; a `Loss` as it is; a user's function made one."""
    if isinstance(loss, str):
        if loss == "f1":
            return ChunkF1(scheme)
        if loss not in _OTHERS:
            raise InputError(f"there is no loss called {loss!r}: choose {_NAMES}, or give a function")
        return _OTHERS[loss]()
    if all(hasattr(loss, part) for part in ("name", "metric", "higher_is_better", "corpus")):
        return loss  # type: ignore[return-value]  # it has all that the protocol asks for
    if not callable(loss):
        raise InputError(
            f"{loss!r} is no loss: give {_NAMES}, or a function of an output and the gold answer"
        )
    return FunctionLoss(loss)


def _short(output: object, limit: int = 80) -> str:
    text = repr(output)
    return text if len(text) <= limit else f"{text[:limit]}..."
