"""Forests of any size for the bench, with the shape of a parser's chart."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.spaces.hypergraph import Forest

FEATURES = 10  # of an edge: half of them dense, as scores are, and half sparse, as rules' names are
DENSE = 5
EDGES_A_SPAN = 5
NAMES = 200_000  # as many sparse features as a translation system of the paper has
WORDS = 5_000


def span_forest(edges: int, seed: int = 0) -> Forest:
    """A node for each span of a sentence, and some splits of it as edges; single words are translated.

    The sentence is as long as gives so many edges to a span; sparse features are rarer the higher their number.
    """
    random = np.random.default_rng(seed)
    n = max(2, round((2 * edges / EDGES_A_SPAN) ** 0.5))
    start = np.concatenate([np.arange(n - width + 1) for width in range(1, n + 1)])
    width = np.concatenate([np.full(n - width + 1, width) for width in range(1, n + 1)])
    offset = np.concatenate([[0, 0], np.cumsum(n + 1 - np.arange(1, n + 1))])  # the first span of each width
    each = np.full(len(start), edges // len(start))
    each[: edges - each.sum()] += 1
    begin, wide = np.repeat(start, each), np.repeat(width, each)
    left = 1 + (random.random(edges) * (wide - 1)).astype(np.int64)
    split = wide > 1
    tails = np.stack([offset[left] + begin, offset[np.maximum(wide - left, 1)] + begin + left], axis=1)[split]
    out_ptr = _ptr(np.where(split, 2, 1))
    out = np.empty(out_ptr[-1], np.int32)
    out[out_ptr[:-1][~split]] = random.integers(0, WORDS, np.count_nonzero(~split))
    out[out_ptr[:-1][split]], out[out_ptr[:-1][split] + 1] = -1, -2
    share = NAMES // (
        FEATURES - DENSE
    )  # each sparse feature is one of a kind of its own: an identity, a bigram, a shape
    sparse = (np.exp(random.random((edges, FEATURES - DENSE)) * np.log(share))).astype(np.int32)
    sparse += DENSE - 1 + share * np.arange(FEATURES - DENSE, dtype=np.int32)
    named = np.concatenate([np.tile(np.arange(DENSE, dtype=np.int32), (edges, 1)), sparse], axis=1)
    used, feature = np.unique(named.ravel(), return_inverse=True)
    return Forest(
        nodes=tuple(map(str, range(len(start)))), first=_ptr(each), tail_ptr=_ptr(2 * split),
        tails=tails.astype(np.int32).ravel(), out_ptr=out_ptr, out=out, words=tuple(map(str, range(WORDS))),
        feature_ptr=_ptr(np.full(edges, FEATURES)), feature=feature.astype(np.int32),
        value=random.normal(size=edges * FEATURES), names=tuple(map(str, used)),
    )  # fmt: skip


def _ptr(lengths: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
