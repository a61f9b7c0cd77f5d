"""Noun-phrase chunking as in the paper: CoNLL-2000, its split and templates, labels B, I, O, phrase F1."""

from __future__ import annotations

from kibitz.data import conll2000
from kibitz.data.catalogue import CONLL2000_TEST, CONLL2000_TRAIN
from kibitz.features import PAPER, Templates
from kibitz.feedback import ChunkF1
from kibitz.spaces.chain import Chain
from kibitz.spaces.protocol import Space
from kibitz.tasks.encoding import Source, encoded
from kibitz.tasks.fitting import require_kind, require_same
from kibitz.tasks.inputs import Input
from kibitz.tasks.models import SavedModel
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.task import Report, Task, unheard

COLUMNS = 2  # the word and its part-of-speech tag
ORDER = 2  # a state is a pair of neighbouring labels, as in the paper


def space(order: int = ORDER) -> Chain:
    """No I after an O, and O stands before the first word: a phrase begins with B."""
    extractor = Templates(PAPER)
    return Chain(conll2000.LABELS, extractor, order=order, forbidden=[("O", "I")], start="O")


def task(recipe: Recipe, model: Space | None = None, report: Report = unheard) -> Task:
    """The task at the recipe's order; with `model`, in the space of a saved one."""
    base = require_kind(model, Chain)
    empty = space(recipe.order or (base.order if base else ORDER))
    require_same(base, empty)

    def source() -> Source:
        split = conll2000.load()
        return Source(empty, split.train, split.dev, split.test)

    files = [CONLL2000_TRAIN.sha256, CONLL2000_TEST.sha256]
    done = encoded(["chunking", *files, conll2000.DEV_SENTENCES, empty.settings()], source, base)
    return Task(recipe, done.space, done.train, done.dev, done.test, ChunkF1(), COLUMNS)


def inputs(model: SavedModel) -> list[Input]:
    """What a model of this task learnt from."""
    return [
        Input(raw, tuple(word for word, _ in raw), tuple(map(" ".join, raw)), gold=gold)
        for raw, gold in conll2000.load().train
    ]
