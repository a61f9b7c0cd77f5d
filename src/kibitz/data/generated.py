"""Sequences of our own whose difficulty, length and number of labels are set, so that scaling shows.

Labels follow a Markov chain in which every label has a favourite next one. A token shows its label's symbol, or with
the probability `difficulty` any symbol; its neighbours' symbols are attributes too, so that a model can do better than
to read each token for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.data.split import Example, Split
from kibitz.errors import InputError

STAYS = 0.6  # of the time the favourite label follows


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What is set."""

    difficulty: float = 0.3
    length: int = 12
    labels: int = 8
    train: int = 2_000
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.difficulty <= 1.0:
            raise InputError(
                f"The difficulty {self.difficulty:g} is out of range: give a number from 0 to 1."
            )
        if self.length < 1 or self.train < 1 or not 2 <= self.labels <= 500:
            raise InputError("A generated task has sequences of 1 token or more, and from 2 to 500 labels.")


def label_names(labels: int) -> tuple[str, ...]:
    """L0, L1, ..."""
    return tuple(f"L{k}" for k in range(labels))


def generated(wanted: Difficulty) -> Split:
    """Train, 300 sequences for dev and 500 for test."""
    random = np.random.default_rng([wanted.seed, wanted.labels, wanted.length])
    favourite = random.permutation(wanted.labels)
    train, dev, test = (
        [_example(wanted, favourite, random) for _ in range(count)] for count in (wanted.train, 300, 500)
    )
    return Split(train, dev, test, checksum=repr(wanted))


def _example(wanted: Difficulty, favourite: np.ndarray, random: np.random.Generator) -> Example:
    labels = [int(random.integers(wanted.labels))]
    while len(labels) < wanted.length:
        follows = random.random() < STAYS
        labels.append(int(favourite[labels[-1]]) if follows else int(random.integers(wanted.labels)))
    wrong = random.random(wanted.length) < wanted.difficulty
    seen = np.where(wrong, random.integers(wanted.labels, size=wanted.length), labels).tolist()
    around = [None, *seen, None]
    raw = [
        [f"s{here}", f"before {before}", f"after {after}", "bias"]
        for before, here, after in zip(around, around[1:], around[2:], strict=False)
        if here is not None
    ]
    return raw, tuple(f"L{k}" for k in labels)
