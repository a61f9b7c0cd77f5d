"""Reading handwritten words: Stanford's letters, 16 x 8 pixels each, judged by the share of wrong ones."""

from __future__ import annotations

from kibitz.data import letters
from kibitz.data.catalogue import LETTERS_TEXT
from kibitz.features import Pixels
from kibitz.feedback import Hamming
from kibitz.spaces.chain import Chain
from kibitz.spaces.protocol import Space
from kibitz.tasks.encoding import Source, encoded
from kibitz.tasks.fitting import require_kind, require_same
from kibitz.tasks.inputs import Input
from kibitz.tasks.models import SavedModel
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.task import Report, Task, unheard

HEIGHT, WIDTH = letters.HEIGHT, letters.WIDTH
PAIRS = Pixels(HEIGHT, WIDTH, pairs=True)


def space(features: str = "pixels") -> Chain:
    """A first-order chain on the pixels that are on and a bias, or also on pairs of neighbouring pixels."""
    return Chain(letters.LABELS, PAIRS if features == "pairs" else Pixels(HEIGHT, WIDTH), order=1)


def task(recipe: Recipe, model: Space | None = None, report: Report = unheard) -> Task:
    """The task with the recipe's features; with `model`, in the space of a saved one."""
    base = require_kind(model, Chain)
    features = recipe.features or ("pairs" if base and base.extractor == PAIRS else "pixels")
    empty = space(features)
    require_same(base, empty)

    def source() -> Source:
        split = letters.load()
        return Source(empty, split.train, split.dev, split.test)

    done = encoded(["handwriting", LETTERS_TEXT.sha256, empty.settings()], source, base)
    return Task(recipe, done.space, done.train, done.dev, done.test, Hamming())


def inputs(model: SavedModel) -> list[Input]:
    """What a model of this task learnt from."""
    return [Input(raw, gold=gold) for raw, gold in letters.load().train]
