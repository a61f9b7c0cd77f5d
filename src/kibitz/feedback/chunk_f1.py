"""Chunk F1: how well the typed spans of an output agree with those of the gold answer.

With `tp` spans that are in both, `a` in the output and `b` in the gold answer, F1 = 2 tp / (a + b) and the
loss of a sentence is 1 - F1, or 0 where neither side has a span. The corpus metric takes the three counts
over all sentences together, exactly as conlleval does (`kibitz.feedback.spans` has its rules); a corpus
without any span scores 0 there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kibitz.feedback.lengths import same_length
from kibitz.feedback.spans import spans
from kibitz.spaces.schemes import Scheme, scheme_from

_CODES = {"O": 0, "B": 1, "I": 2, "E": 3, "S": 4}


def tally_chunks(
    output: NDArray[np.int32],
    gold: NDArray[np.int32],
    offset: int,
    n: int,
    table: NDArray[np.int32],
    counts: NDArray[np.float64],
) -> None:
    """Adds (tp, a, b) to `counts`, both sequences read side by side in one pass.

    With O = 0, B = 1, I = 2, E = 3, S = 4 and "break" as in `kibitz.feedback.spans`: a span of both starts
    where both start one of the same type, and is right where the next ends on either side are in the same
    place.
    """
    out_prefix = out_type = gold_prefix = gold_type = 0
    right = found = wanted = 0
    together = False
    for i in range(
        n + 1
    ):  # no branches on the data: a drawn output is as good as random, so they would be mispredicted
        prefix = kind = true_prefix = true_kind = 0  # O closes the sentence
        if i < n:
            here, there = 2 * output[i], 2 * gold[offset + i]
            prefix, kind = table[here], table[here + 1]
            true_prefix, true_kind = table[there], table[there + 1]
        # a break: previous in {O, E, S}, or here in {O, B, S}, or another type
        out_break = (out_prefix == 0) | (out_prefix >= 3) | (prefix <= 1) | (prefix == 4) | (kind != out_type)
        gold_break = (
            (gold_prefix == 0)
            | (gold_prefix >= 3)
            | (true_prefix <= 1)
            | (true_prefix == 4)
            | (true_kind != gold_type)
        )
        out_starts = out_break & (prefix != 0)
        gold_starts = gold_break & (true_prefix != 0)
        right += int(together & out_break & gold_break)
        found += int(out_starts)
        wanted += int(gold_starts)
        together = (together & (not out_break) & (not gold_break)) | (
            out_starts & gold_starts & (kind == true_kind)
        )
        out_prefix, out_type, gold_prefix, gold_type = prefix, kind, true_prefix, true_kind
    counts[0] += right
    counts[1] += found
    counts[2] += wanted


def chunk_loss(counts: NDArray[np.float64]) -> float:
    """1 - 2 tp / (a + b), and 0 where there is no span at all."""
    total = counts[1] + counts[2]
    if total == 0.0:
        return 0.0
    return float(1.0 - 2.0 * counts[0] / total)


def chunk_f1(counts: NDArray[np.float64]) -> float:
    """2 tp / (a + b), and 0 where there is no span at all, as conlleval prints it."""
    total = counts[1] + counts[2]
    if total == 0.0:
        return 0.0
    return float(2.0 * counts[0] / total)


@dataclass(frozen=True, slots=True)
class ChunkF1:
    """1 - F1 of typed spans; `scheme` (``bio``, ``iob1``, ``iobes``) says which prefixes labels may have."""

    scheme: str = "bio"
    name: str = field(default="f1", init=False)
    metric: str = field(default="F1", init=False)
    higher_is_better: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        """An unknown scheme is refused at once."""
        scheme_from(self.scheme)

    def __call__(self, output: Sequence[str], gold: Sequence[str]) -> float:
        """The loss of one sentence."""
        return chunk_loss(self._counts([output], [gold]))

    def corpus(self, outputs: Sequence[Sequence[str]], golds: Sequence[Sequence[str]]) -> float:
        """F1 of all sentences together."""
        return chunk_f1(self._counts(outputs, golds))

    def _counts(
        self, outputs: Sequence[Sequence[str]], golds: Sequence[Sequence[str]]
    ) -> NDArray[np.float64]:
        same_length(outputs, golds, "sequences")
        scheme: Scheme = scheme_from(self.scheme)
        counts = np.zeros(4)
        for output, gold in zip(outputs, golds, strict=True):
            same_length(output, gold)
            found, true = set(spans(output, scheme)), set(spans(gold, scheme))
            counts[:3] += len(found & true), len(found), len(true)
        return counts

    tally = staticmethod(tally_chunks)
    ratio = staticmethod(chunk_loss)
    score = staticmethod(chunk_f1)

    def table(self, labels: Sequence[str]) -> NDArray[np.int32]:
        """For each label its prefix (O 0, B 1, I 2, E 3, S 4) and the number of its type."""
        parts = [scheme_from(self.scheme).parts(label) for label in labels]
        types: dict[str, int] = {"": 0}
        rows = [(_CODES[prefix], types.setdefault(kind, len(types))) for prefix, kind in parts]
        return np.array(rows, dtype=np.int32).reshape(-1)
