"""Small language models made by chance, and what an ARPA file means, spelled out."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from kibitz.translation.language_model import NGrams
from kibitz.translation.language_model.ngrams import SPECIAL, Order

Listed = dict[tuple[int, ...], tuple[float, float]]  # words -> log10 p, log10 of backing off


def listed(seed: int, order: int, words: int = 4, *, pruned: bool = False) -> Listed:
    """Random n-grams over ``words`` words and the special ones.

    A pruned model lists n-grams without their endings and without their beginnings.
    """
    rng = np.random.default_rng(seed)
    everything = range(1, len(SPECIAL) + words)
    share = 0.06 if pruned else 0.35
    entries: Listed = {
        (w,): (-rng.uniform(0.1, 3), -rng.uniform(0, 1) * (order > 1 and rng.random() < 0.7))
        for w in everything
    }
    for n in range(2, order + 1):
        for gram in itertools.product(everything, repeat=n):
            if 2 in gram[1:] or 3 in gram[:-1] or rng.random() > share:
                continue
            if pruned or (gram[:-1] in entries and gram[1:] in entries):
                backoff = -rng.uniform(0, 1) if n < order and rng.random() < 0.7 else 0.0
                entries[gram] = (-rng.uniform(0.1, 3), backoff)
    return entries


def ngrams(entries: Mapping[tuple[int, ...], tuple[float, float]]) -> NGrams:
    """The same as the model takes it."""
    order = max(map(len, entries))
    words = (*SPECIAL, *(f"w{i}" for i in range(len(SPECIAL), max(max(gram) for gram in entries) + 1)))
    orders = []
    for n in range(1, order + 1):
        grams = [gram for gram in entries if len(gram) == n]
        values = np.array([entries[gram] for gram in grams], np.float32).reshape(-1, 2)
        orders.append(Order(np.array(grams, np.int32).reshape(-1, n), values[:, 0], values[:, 1]))
    return NGrams(words, tuple(orders))


def logprob(entries: Listed, context: Sequence[int], word: int) -> float:
    """log10 p(word | context): that of the n-gram when it is listed, else with one word less, after backing off."""
    gram = (*context, word)
    if gram in entries:
        return entries[gram][0]
    return entries.get(tuple(context), (0.0, 0.0))[1] + logprob(entries, context[1:], word)


def scores(entries: Listed, words: Sequence[int], order: int) -> list[float]:
    """log10 p of each word, after those before it."""
    return [logprob(entries, words[max(0, i - order + 1) : i], words[i]) for i in range(len(words))]
