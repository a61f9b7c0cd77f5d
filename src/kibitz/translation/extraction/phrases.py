"""Initial phrases: stretches of both sentences that are linked to each other and to nothing else."""

from __future__ import annotations

from kibitz.spaces.compiled import kernel
from kibitz.translation.extraction.aligned import NOWHERE


@kernel
def phrases(text, s, longest, ok, lows, highs, linked):  # type: ignore[no-untyped-def]
    """Fill in ``ok[i, l]``: whether the l + 1 source words from word i of pair s are an initial phrase.

    Its first and last words are linked, all its links together span at most ``longest`` target words, and no link from
    within that span leads out of it. The first and the last of these target words
    are ``lows[i, l]`` and ``highs[i, l]``. ``linked[i]`` counts the linked words before word i.
    """
    base, n = text.source_ptr[s], text.source_ptr[s + 1] - text.source_ptr[s]
    other = text.target_ptr[s]
    linked[0] = 0
    for i in range(n):
        linked[i + 1] = linked[i] + (text.high[base + i] >= 0)
    for i in range(n):
        low, high = NOWHERE, -1
        for length in range(min(longest, n - i)):
            last = i + length
            low, high = min(low, text.low[base + last]), max(high, text.high[base + last])
            ok[i, length], lows[i, length], highs[i, length] = False, low, high
            if text.high[base + i] < 0 or text.high[base + last] < 0 or high - low >= longest:
                continue
            closed = True
            for q in range(other + low, other + high + 1):
                if text.right[q] >= 0 and (text.left[q] < i or text.right[q] > last):
                    closed = False
                    break
            ok[i, length] = closed
