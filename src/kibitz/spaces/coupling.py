"""How several draws of one ask hang together.

``independent`` draws know nothing of each other. ``antithetic`` draws come in pairs: what the first of two makes of
the uniform numbers u, the second makes of 1 - u, so that they tend to differ; each by itself is an exact draw.
``without-replacement`` is of two: the second is drawn again while it shows what the first shows, TRIES times at most,
and then the two are put in an order at random, so that

    p(a, b) = p(a) p(b) (q(a) + q(b)) / 2   for a != b,
    q(a)    = 1 + p(a) + ... + p(a)^(TRIES - 1) = (1 - p(a)^TRIES) / (1 - p(a))

Weights that make up for this leave every mean as it was, however sure the model is of one output (after Kool, van Hoof
and Welling, 2020, whose ratios these are without the bound).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from kibitz.spaces.compiled import fused
from kibitz.spaces.generator import Generator, advance, begin_stream

INDEPENDENT, ANTITHETIC, WITHOUT_REPLACEMENT = range(3)
COUPLINGS = {"independent": INDEPENDENT, "antithetic": ANTITHETIC, "without-replacement": WITHOUT_REPLACEMENT}
TRIES = 32

Sampler = Callable[[Generator], Any]


def drawn_together(
    samplers: Sequence[Sampler],
    shown: Callable[[Any], Any],
    generator: Generator,
    coupling: int,
    free: int = 0,
) -> list[Any]:
    """A structure of every sampler; the first ``free`` do not hang together with any."""
    if free:
        alone = [sample(generator) for sample in samplers[:free]]
        return alone + drawn_together(samplers[free:], shown, generator, coupling)
    if coupling == ANTITHETIC:
        found = []
        for first, second in zip(samplers[::2], samplers[1::2], strict=True):
            key = generator.bits()
            found += [first(Generator.stream(key)), second(Generator.stream(key, mirrored=True))]
        return found
    found = [sample(generator) for sample in samplers]
    if coupling == WITHOUT_REPLACEMENT:
        tries, one = 1, shown(found[0])
        while tries < TRIES and shown(found[1]) == one:
            found[1] = samplers[1](generator)
            tries += 1
        if generator.uniform() < 0.5:
            found.reverse()
    return found


@fused
def begin_one_of_two(d, key, random, stream):  # type: ignore[no-untyped-def]
    """Begin the stream of antithetic draw ``d``; returns its key, which the next draw is to share."""
    mirrored = d % 2 == 1
    if not mirrored:
        key = advance(random)
    begin_stream(key, mirrored, stream)
    return key


@fused
def tries_expected(log_prob):  # type: ignore[no-untyped-def]
    """q: how often a second draw is made in the mean, the first having this log-probability."""
    if log_prob > -1e-12:
        return float(TRIES)
    return math.expm1(TRIES * log_prob) / math.expm1(log_prob)
