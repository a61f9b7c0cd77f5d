"""A saved model against gold answers: the corpus metric, and what helps to read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.feedback import Loss
from kibitz.spaces.candidates import Candidates
from kibitz.spaces.chain import Chain
from kibitz.tasks.inputs import Input
from kibitz.tasks.models import SavedModel


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The score, and figures beside it by name; `unseen` are gold labels that the model cannot predict."""

    score: float
    figures: dict[str, Any]
    unseen: tuple[str, ...] = ()


def evaluate(model: SavedModel, inputs: Sequence[Input], loss: Loss) -> Evaluation:
    """What the most probable outputs of a model are worth."""
    space, golds = model.space, [each.gold for each in inputs]
    outputs = space.predict(space.corpus([each.raw for each in inputs]), model.learner.weights)
    score = loss.corpus(outputs, golds)
    if isinstance(space, Chain):
        return Evaluation(score, *_labels(space, outputs, golds))
    if isinstance(space, Candidates):
        return Evaluation(score, _candidates(inputs, golds, loss))
    return Evaluation(score, {})


def _labels(
    space: Chain, outputs: Sequence[Any], golds: Sequence[Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    tokens = sum(map(len, golds))
    right = sum(a == b for p, g in zip(outputs, golds, strict=True) for a, b in zip(p, g, strict=True))
    unseen = sorted({label for gold in golds for label in gold} - set(space.labels))
    return {"tokens": tokens, "token_accuracy": right / tokens}, tuple(unseen)


def _candidates(inputs: Sequence[Input], golds: Sequence[Any], loss: Any) -> dict[str, Any]:
    """What the lists themselves allow: their first candidates, and each list's candidate of least loss."""
    texts = [[candidate.text for candidate in each.raw] for each in inputs]
    best = [of[int(np.argmin(loss.of_each(of, gold)))] for of, gold in zip(texts, golds, strict=True)]
    return {
        "candidates": sum(map(len, texts)),
        "first": loss.corpus([of[0] for of in texts], golds),
        "oracle": loss.corpus(best, golds),
    }
