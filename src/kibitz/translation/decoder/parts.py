"""What language models know of a rule before it is applied: its target side as fragments and slots.

A run of words is joined into one fragment for each model, once and for all weights. Applying the rule is then joining
its parts in order, fragments and the states of its tails. The goal's rule says <s> before and </s> after.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kibitz.spaces.compiled import compiled, kernel
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
    said, (ptr, part) = parse.said, layout_of(parse)
    fragments = int(part.max(initial=-1)) + 1
    parts = Parts(
        ptr,
        part,
        np.zeros((len(models), fragments), np.int32),
        np.zeros((len(models), fragments), np.int32),
        np.zeros((len(models), len(said))),
    )
    target_ptr, target, goal = _marked(parse)
    is_word = target >= 0
    is_word[[goal, goal + 2]] = False
    for m, model in enumerate(models):
        numbers = target.copy()
        numbers[is_word] = model.numbers(said.words)[target[is_word]]
        numbers[[goal, goal + 2]] = BEGIN, END
        _fold(target_ptr, numbers, model.table, model.scratch(), m, parts)
    return parts


def layout_of(parse: Parse) -> tuple[Ints, Ints]:
    """What of the parts no model decides: ``ptr`` and ``part``."""
    target_ptr, target, _ = _marked(parse)
    ptr, part = _layout(target_ptr, target)
    return ptr, part


def _marked(parse: Parse) -> tuple[Ints, Ints, int]:
    """Target sides with places for <s> and </s> around that of the goal, and where the first of these is."""
    said, goal = parse.said, int(parse.rule[-1])
    begin = int(said.target_ptr[goal])
    ptr = said.target_ptr + np.int32(2) * (np.arange(len(said.target_ptr)) > goal)
    return ptr.astype(np.int32), np.insert(said.target, [begin, begin + 1], IN_WORDS), begin


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


@compiled
def _layout(ptr, target):  # type: ignore[no-untyped-def]
    part_ptr, part = np.empty(len(ptr), np.int32), np.empty(len(target), np.int32)
    count = fragments = 0
    for a in range(len(ptr) - 1):
        part_ptr[a] = count
        inside = False
        for k in range(ptr[a], ptr[a + 1]):
            if target[k] < 0:
                part[count] = target[k]
                count += 1
            elif not inside:
                part[count] = fragments
                count += 1
                fragments += 1
            inside = target[k] >= 0
    part_ptr[len(ptr) - 1] = count
    return part_ptr, part[:count].copy()


@kernel
def _fold(ptr, target, table, scratch, m, parts):  # type: ignore[no-untyped-def]
    """Fill in the fragments of model m."""
    fragment = -1
    for a in range(len(ptr) - 1):
        left = right = np.int32(0)
        score, inside = 0.0, False
        for k in range(ptr[a], ptr[a + 1]):
            if target[k] < 0:
                inside = False
                continue
            if not inside:
                inside = True
                left, right = np.int32(0), np.int32(0)
                fragment += 1
            if target[k] == BEGIN:
                left, right = np.int32(BEGIN_LEFT), np.int32(BEGIN_RIGHT)
            else:
                own, word_left, word_right = word_fragment(table, target[k])
                change, left, right = join(table, scratch, left, right, word_left, word_right)
                score += own + change
            parts.left[m, fragment], parts.right[m, fragment] = left, right
        parts.score[m, a] = score
