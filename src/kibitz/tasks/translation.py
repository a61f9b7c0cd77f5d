"""Translating sentences of the user's own: a system is decoded anew under the weights of every moment."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kibitz.errors import InputError
from kibitz.feedback import SentenceBLEU
from kibitz.spaces.protocol import Space
from kibitz.spaces.weights import Array
from kibitz.tasks.fitting import require_kind
from kibitz.tasks.inputs import Input, read_inputs
from kibitz.tasks.inputs.sentences import Reference, read_pairs
from kibitz.tasks.models import SavedModel
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.start import begins_with
from kibitz.tasks.task import Report, Task, unheard
from kibitz.translation.assembly import system_of
from kibitz.translation.corpus import Sentences
from kibitz.translation.grammar import Segment
from kibitz.translation.space import Translation
from kibitz.translation.system import System

Pairs = list[tuple[Segment, Reference]]

POP_LIMIT, BEST_POP_LIMIT = 30, 200  # the paper's, to learn at and to be scored at


def task(recipe: Recipe, model: Space | None = None, report: Report = unheard) -> Task:
    """The task of a recipe with sentences and references; with `model`, with the features of a saved one."""
    base = require_kind(model, Translation)
    weights = begins_with(recipe, base)
    files = {
        "train": (recipe.train, recipe.references),
        "dev": (recipe.dev, recipe.dev_references),
        "test": (recipe.test, recipe.test_references),
    }
    pairs = {part: _pairs(part, *named, recipe) for part, named in files.items()}
    if pairs["train"] is None:
        raise InputError(
            "The task translation learns from sentences of yours: name them with --train FILE, and a "
            "reference a line with --references FILE."
        )
    if not (recipe.system or recipe.grammar or any(x.grammars for x, _ in pairs["train"])):
        raise InputError("There are no rules to translate by: name a --system DIR, or a --grammar FILE.")
    space = _space(_system(recipe), base)
    number = space.decoder.symbols.features.number
    places = [number(name) for name in weights]
    train, dev, test = (_corpus(space, part, files[part][0], pairs[part], report) for part in files)
    assert isinstance(train, Sentences)
    start: Array | None = None
    if weights:
        start = np.zeros(space.size)
        start[places] = list(weights.values())
    return Task(recipe, space, train, dev, test, SentenceBLEU(), tellable=False, start=start)


def inputs(model: SavedModel) -> list[Input]:
    """What a model of this task learnt from."""
    assert model.recipe is not None
    assert model.recipe.train is not None
    return read_inputs(model, model.recipe.train, gold=False)


def _corpus(
    space: Translation, part: str, path: str | None, pairs: Pairs | None, report: Report
) -> Sentences | None:
    if path is None or pairs is None:
        return None

    def seen(done: int, total: int) -> None:
        report({"what": f"parses of {part}", "done": done, "total": total, "unit": "sentences"})

    return space.kept_corpus([x for x, _ in pairs], [gold for _, gold in pairs], where=path, report=seen)


def _pairs(part: str, path: str | None, references: str | None, recipe: Recipe) -> Pairs | None:
    option = "references" if part == "train" else f"{part}-references"
    if path is None and references is None:
        return None
    if path is None:
        raise InputError(f"--{option} belongs to --{part}: name the sentences with --{part} FILE.")
    if references is None:
        raise InputError(f"--{part} needs references: name a file with one a line by --{option} FILE.")
    return read_pairs(path, references, recipe.system, own=not recipe.grammar)


def _system(recipe: Recipe) -> System:
    """What the recipe names, by paths that are good in any folder."""
    folder = None if recipe.system is None else Path(recipe.system).absolute()
    grammars = [Path(path).absolute() for path in recipe.grammar or ()]
    models = [_absolute(named) for named in recipe.lm or ()]
    return system_of(
        folder, grammars, models, sparse=bool(recipe.sparse),
        pop_limit=POP_LIMIT if recipe.pop_limit is None else recipe.pop_limit,
        best_pop_limit=BEST_POP_LIMIT if recipe.best_pop_limit is None else recipe.best_pop_limit,
    )  # fmt: skip


def _absolute(named: str) -> str:
    name, equals, path = named.rpartition("=")
    return f"{name}{equals}{Path(path).absolute()}"


def _space(system: System, base: Translation | None) -> Translation:
    """The space of a system; with `base`, its features keep their numbers."""
    if base is None:
        return Translation.of(system)
    return Translation.restore({"system": system.to_dict(), "rebuilt": base.rebuilt}, base.arrays())
