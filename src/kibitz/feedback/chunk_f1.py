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

# A label as one number: what its prefix says of a span, in three bits, and above them the number of its type.
ENDS, BEGINS, INSIDE, TYPE = 1, 2, 4, 8
_CODES = {
    "O": ENDS | BEGINS,
    "B": BEGINS | INSIDE,
    "I": INSIDE,
    "E": ENDS | INSIDE,
    "S": ENDS | BEGINS | INSIDE,
}


def tally_chunks(
    output: NDArray[np.int32],
    gold: NDArray[np.int32],
    offset: int,
    n: int,
    table: NDArray[np.int32],
    counts: NDArray[np.float64],
) -> None:
    """Adds (tp, a, b) to `counts`, both sequences read side by side in one pass.

    There is a break (`kibitz.feedback.spans`) where the label before ends a span, this one begins one, or the
    types differ. A span of both starts where both start one of the same type, and is right where the next
    breaks on either side are in the same place. All in whole numbers, for a drawn output is as good as
    random, and every branch on it would be mispredicted.
    """
    out_before = gold_before = ENDS | BEGINS  # O stands before the first token
    right = found = wanted = together = 0
    for i in range(n):
        out, true = table[output[i]], table[gold[offset + i]]
        out_break = (out_before | (out >> 1) | int((out_before ^ out) >= TYPE)) & 1
        gold_break = (gold_before | (true >> 1) | int((gold_before ^ true) >= TYPE)) & 1
        out_starts, gold_starts = out_break & (out >> 2), gold_break & (true >> 2)
        right += together & out_break & gold_break
        found += out_starts
        wanted += gold_starts
        alike = out_starts & gold_starts & int((out ^ true) < TYPE)
        together = (together & ~(out_break | gold_break)) | alike
        out_before, gold_before = out, true
    counts[0] += right + together  # O stands after the last token
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
        """For each label the code of its prefix and type."""
        parts = [scheme_from(self.scheme).parts(label) for label in labels]
        types: dict[str, int] = {"": 0}
        codes = [_CODES[prefix] + TYPE * types.setdefault(kind, len(types)) for prefix, kind in parts]
        return np.array(codes, dtype=np.int32)
