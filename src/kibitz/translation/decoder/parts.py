"""What language models know of a rule before it is applied: its target side as fragments and slots.

A run of words is joined into one fragment for each model, once and for all weights. Applying the rule is then joining
its parts in order, fragments and the states of its tails. The goal's rule says <s> before and </s> after.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kibitz.spaces.compiled import kernel
from kibitz.translation.decoder.parse import Parse
from kibitz.translation.grammar.grammar import Floats, Ints
from kibitz.translation.language_model import BEGIN, END, LanguageModel
from kibitz.translation.language_model.fragments import BEGIN_LEFT, BEGIN_RIGHT, join, word_fragment

IN_WORDS = 0  # no word of a model has this number


class Parts(NamedTuple):
    """The parts of application a are ``part[ptr[a]:ptr[a + 1]]``: fragment f as f, the state of tail i as -1 - i."""

    ptr: Ints
    part: Ints
    left: Ints  # [models, fragments]
    right: Ints
    score: Floats  # [models, applications]: log10 p of all fragments of the application, each for itself


def parts_of(parse: Parse, models: Sequence[LanguageModel]) -> Parts:
    """The parts of every application of a parse."""
    said, goal = parse.said, int(parse.rule[-1])
    begin = int(said.target_ptr[goal])
    target = np.insert(said.target, [begin, begin + 1], IN_WORDS)  # the places of <s> and </s>
    ptr = said.target_ptr + 2 * (np.arange(len(said.target_ptr)) > goal)
    words, place = np.unique(target[target >= 0], return_inverse=True)
    names = said.symbols.words.names()
    spelled = [names[w] for w in words.tolist()]
    parts = Parts(
        np.zeros(len(ptr), np.int32),
        np.empty(len(target), np.int32),
        np.zeros((len(models), len(target)), np.int32),
        np.zeros((len(models), len(target)), np.int32),
        np.zeros((len(models), len(said))),
    )
    for m, model in enumerate(models):
        numbers = target.copy()
        numbers[target >= 0] = model.numbers(spelled)[place]
        numbers[[begin, begin + 2]] = BEGIN, END
        _fold(ptr, numbers, model.table, model.scratch(), m, parts)
    return parts


def log10_of(model: LanguageModel, words: Sequence[str]) -> float:
    """log10 p of a whole output, to the last bits as joining parts gives it."""
    return float(_joined(model.table, model.scratch(), model.numbers(words)))


@kernel
def _joined(table, scratch, numbers):  # type: ignore[no-untyped-def]
    left, right = np.int32(BEGIN_LEFT), np.int32(BEGIN_RIGHT)
    total = 0.0
    for i in range(len(numbers) + 1):
        word = numbers[i] if i < len(numbers) else np.int32(END)
        own, word_left, word_right = word_fragment(table, word)
        change, left, right = join(table, scratch, left, right, word_left, word_right)
        total += own + change
    return total


@kernel
def _fold(ptr, target, table, scratch, m, parts):  # type: ignore[no-untyped-def]
    """Fill the parts of model m, and what all models share."""
    count = fragments = 0
    for a in range(len(ptr) - 1):
        parts.ptr[a] = count
        left = right = np.int32(0)
        score, inside = 0.0, False
        for k in range(ptr[a], ptr[a + 1]):
            if target[k] < 0:
                inside = False
                parts.part[count] = target[k]
                count += 1
                continue
            if not inside:
                inside = True
                left, right = np.int32(0), np.int32(0)
                parts.part[count] = fragments
                count += 1
                fragments += 1
            if target[k] == BEGIN:
                left, right = np.int32(BEGIN_LEFT), np.int32(BEGIN_RIGHT)
            else:
                own, word_left, word_right = word_fragment(table, target[k])
                change, left, right = join(table, scratch, left, right, word_left, word_right)
                score += own + change
            parts.left[m, fragments - 1], parts.right[m, fragments - 1] = left, right
        parts.score[m, a] = score
    parts.ptr[len(ptr) - 1] = count
