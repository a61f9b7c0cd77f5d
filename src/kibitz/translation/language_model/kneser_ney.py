"""Interpolated modified Kneser-Ney estimates (Chen and Goodman, 1999), as lmplz makes them.

a(g) is the *adjusted count* of an n-gram g: how often it occurs, when it is of the highest order or begins with <s>;
else how many different words stand before it. With discounts D_1, D_2, D_3+ for each order, and D(0) = 0,

    p(w | c) = (a(c w) - D(a(c w))) / sum_x a(c x)  +  gamma(c) p(w | c without its first word)
    gamma(c) = sum_i D_i |{x: a(c x) = i}| / sum_x a(c x)

and under the single words lies p(w) = 1 / (words, <unk> and </s> among them, <s> not). gamma(c) is what backing off
from c costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.translation.language_model.counting import Counts, Text, counts, text_of
from kibitz.translation.language_model.ngrams import BEGIN, NGrams, Order
from kibitz.translation.language_model.table import LONGEST

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

FALLBACK = (0.5, 1.0, 1.5)  # discounts where the text is too small, or too odd, to tell


@dataclass(frozen=True, slots=True)
class Discounts:
    """What is taken from n-grams of adjusted count 1, 2, and 3 or more."""

    amounts: tuple[float, float, float]
    estimated: bool  # or else the fallback


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """A model, and how it came about."""

    ngrams: NGrams
    discounts: tuple[Discounts, ...]
    sentences: int
    tokens: int  # the ends of sentences among them


def estimate(
    sentences: Iterable[Sequence[str]],
    order: int,
    *,
    where: str = "the text",
    tell: Callable[[int], None] = lambda done: None,
) -> Estimate:
    """The model of a text; ``tell`` hears of each order that is counted."""
    if not 1 <= order <= LONGEST:
        raise InputError(f"the order of a language model should be 1 to {LONGEST}, not {order}")
    text = text_of(sentences, where)
    counted = []
    for n, each in enumerate(counts(text, order), start=1):
        counted.append(each)
        tell(n)
    adjusted = [_adjusted(counted, n) for n in range(order)]
    discounts = tuple([_discounts(a) for a in adjusted])
    return Estimate(
        ngrams=NGrams(text.words, tuple(_orders(text, counted, adjusted, discounts))),
        discounts=discounts,
        sentences=text.sentences,
        tokens=len(text.tokens) - text.sentences,
    )


def _adjusted(counted: Sequence[Counts], n: int) -> Longs:
    """a(g) of each n-gram of n + 1 words."""
    here = counted[n]
    if n == len(counted) - 1:
        adjusted = here.count.copy()
    else:
        before = np.bincount(counted[n + 1].ending, minlength=len(here.count))
        adjusted = np.where(here.grams[:, 0] == BEGIN, here.count, before)
    if n == 0:
        adjusted[BEGIN - 1] = 0  # <s> is never predicted
    return adjusted


def _discounts(adjusted: Longs) -> Discounts:
    """D_k = k - (k + 1) Y t_k+1 / t_k with Y = t_1 / (t_1 + 2 t_2), where t_k n-grams have the adjusted count k."""
    t = np.bincount(np.minimum(adjusted, 5), minlength=6)
    if min(t[1:4]) > 0:
        y = t[1] / (t[1] + 2 * t[2])
        amounts = [float(k - (k + 1) * y * t[k + 1] / t[k]) for k in (1, 2, 3)]
        if all(0 <= amount <= k for k, amount in enumerate(amounts, start=1)):
            return Discounts((amounts[0], amounts[1], amounts[2]), True)
    return Discounts(FALLBACK, False)


def _orders(
    text: Text, counted: Sequence[Counts], adjusted: Sequence[Longs], discounts: Sequence[Discounts]
) -> list[Order]:
    """From single words upwards; what backing off costs becomes known with the next order."""
    orders: list[Order] = []
    lower: Floats = np.full(1, 1.0 / (len(text.words) - 2))  # neither "" nor <s>
    contexts = 1
    for n, (here, a, d) in enumerate(zip(counted, adjusted, discounts, strict=True)):
        discount = np.array([0.0, *d.amounts])[np.minimum(a, 3)]
        total = np.bincount(here.context, weights=a, minlength=contexts)
        taken = np.bincount(here.context, weights=discount, minlength=contexts)
        followed = total > 0
        gamma = np.divide(taken, total, where=followed, out=np.ones(contexts))
        p = (a - discount) / total[here.context] + gamma[here.context] * lower[here.ending]
        if n == 0:
            p[BEGIN - 1] = 1.0
        else:
            orders[-1].backoff[:] = _log10(gamma)
        orders.append(Order(here.grams, _log10(p), np.zeros(len(p), np.float32)))
        lower, contexts = p, len(p)
    return orders


def _log10(p: Floats) -> npt.NDArray[np.float32]:
    return np.log10(p).astype(np.float32)
