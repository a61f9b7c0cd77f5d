"""Language models over a few words, with n-grams at random: enough to disagree with every word order."""

from __future__ import annotations

import itertools

import numpy as np

from kibitz.translation.language_model import LanguageModel, NGrams
from kibitz.translation.language_model.ngrams import SPECIAL, Order


def random_model(order: int, seed: int) -> LanguageModel:
    """A model of them."""
    return LanguageModel(random_ngrams(order, seed))


def random_ngrams(order: int, seed: int, words: str = "acd") -> NGrams:
    """Every unigram and about half of the longer n-grams; what a listed n-gram begins with is listed too."""
    random = np.random.default_rng(seed)
    named = (*SPECIAL, *words)
    listed: list[tuple[int, ...]] = [(w,) for w in range(1, len(named))]
    orders = []
    for n in range(1, order + 1):
        if n > 1:
            longer = itertools.product(listed, range(1, len(named)))
            listed = [(*history, w) for history, w in longer if random.random() < 0.5]
        backoff = -random.random(len(listed)) if n < order else np.zeros(len(listed))
        orders.append(
            Order(
                np.array(listed, np.int32).reshape(-1, n),
                (-3 * random.random(len(listed))).astype(np.float32),
                backoff.astype(np.float32),
            )
        )
    return NGrams(named, tuple(orders))
