"""A grammar: the rules that are kept, with what is known of each, found by their source sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kibitz.spaces.compiled import kernel
from kibitz.translation.extraction.aligned import AlignedText, starts
from kibitz.translation.extraction.lexicon import Lexicon, lexical_weights, lexicon
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.extraction.table import Keys, slot, table_of
from kibitz.translation.extraction.tally import sentences, tally
from kibitz.translation.extraction.target_counts import target_counts

FEATURES = (
    "EgivenF",  # -log10 c(f, e) / c(f)
    "FgivenE",  # -log10 c(f, e) / c(e)
    "MaxLexEgivenF",  # sum over e of -log10 max_f p(e | f)
    "MaxLexFgivenE",
    "CountF",  # log10 (1 + c(f))
    "CountEF",  # log10 (1 + c(f, e))
    "IsSingletonF",  # 1 where c(f) = 1
    "IsSingletonFE",  # 1 where c(f, e) = 1
)

Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """Rules number ``ptr[g]`` to ``ptr[g + 1]`` have the same source side, frequent ones first.

    A rule is the one at its place in its pair.
    """

    pair: NDArray[np.int64]  # [rules]
    place: NDArray[np.int64]
    features: NDArray[np.float32]  # [rules, features]
    ptr: NDArray[np.int64]  # [sides + 1]
    slots: Keys  # a table from the fingerprint of a source side to its number
    numbers: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.place)

    def of(self, sides: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The rules with any of these source sides, each once, in order."""
        groups = np.full(len(sides), -1, np.int64)
        _find(self.slots, self.numbers, sides, groups)
        groups = np.unique(groups[groups >= 0])
        lengths = self.ptr[groups + 1] - self.ptr[groups]
        first = np.repeat(self.ptr[groups] - starts(lengths)[:-1], lengths)
        rules: NDArray[np.int64] = first + np.arange(len(first))
        return rules


def grammar(
    text: AlignedText,
    limits: Limits,
    wanted: Keys | None = None,
    *,
    most: int = 0,
    pairs: NDArray[np.int64] | None = None,
    words: Lexicon | None = None,
    seen: Progress = lambda what, done: None,
) -> Grammar:
    """The rules of a text whose source side is wanted; of each source side the ``most`` frequent ones, 0 for all.

    They are counted in ``pairs``, where these are named; ``words`` is the lexicon of the text, where it is there.
    """
    pairs = np.arange(text.pairs) if pairs is None else pairs
    found = tally(text, limits, pairs, wanted, lambda done: seen("rules", done))
    _, first, group, lengths = np.unique(
        found.source, return_index=True, return_inverse=True, return_counts=True
    )
    # c(f) is the sum of c(f, e) over all e, also those that are not kept.
    source_count = np.bincount(group, weights=found.times)
    kept = np.flatnonzero(np.arange(len(group)) - first[group] < (most or len(group)))
    group, count, place = group[kept], found.times[kept], found.place[kept]
    target_count = target_counts(text, limits, pairs, found.target[kept], lambda done: seen("targets", done))
    pair = sentences(text, place)
    lexical = lexical_weights(text, words or lexicon(text), pair, place)
    c_f = source_count[group]
    features = np.column_stack(
        [
            -np.log10(count / c_f),
            -np.log10(count / target_count),
            lexical,
            np.log10(1.0 + c_f),
            np.log10(1.0 + count),
            c_f == 1,
            count == 1,
        ]
    ).astype(np.float32)
    slots, numbers = table_of(found.source[first])
    kept_lengths = np.minimum(lengths, most or len(found.times))
    return Grammar(pair, place, np.maximum(features, 0.0), starts(kept_lengths), slots, numbers)


@kernel
def _find(slots, numbers, sides, groups):  # type: ignore[no-untyped-def]
    for k in range(len(sides)):
        groups[k] = numbers[slot(slots, sides[k])]
