"""Reranking n-best lists of the user's own: which of a system's candidates is the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kibitz.data.checksum import checksum_of
from kibitz.data.nbest import read_nbest
from kibitz.errors import InputError
from kibitz.feedback import GivenLoss, ListedLoss, Loss, Reported, SentenceBLEU
from kibitz.spaces.attributed import Attributed
from kibitz.spaces.candidates import Candidates
from kibitz.spaces.protocol import Space
from kibitz.spaces.weights import Array
from kibitz.tasks.encoding import Source, encoded
from kibitz.tasks.fitting import require_kind
from kibitz.tasks.inputs import Input, read_inputs
from kibitz.tasks.inputs.lists import gold_for
from kibitz.tasks.models import SavedModel
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.start import begins_with
from kibitz.tasks.task import Report, Task, unheard


def task(recipe: Recipe, model: Space | None = None, report: Report = unheard) -> Task:
    """The task of a recipe with at least a file to learn from; with `model`, in the space of a saved one."""
    base = require_kind(model, Candidates)
    named = begins_with(recipe, base)
    if recipe.train is None:
        raise InputError("The task rerank learns from n-best lists of yours: name a file with --train FILE.")
    lists = recipe.train
    files = {
        "train": (recipe.train, recipe.references),
        "dev": (recipe.dev, recipe.dev_references),
        "test": (recipe.test, recipe.test_references),
    }
    for part, (path, references) in files.items():
        if path is None and references is not None:
            raise InputError(f"--{part}-references belongs to --{part}: name the lists with --{part} FILE.")
    known = recipe.loss or _known(*files["train"])
    heard: ListedLoss = SentenceBLEU() if known == "bleu" else GivenLoss()
    loss: Loss = heard
    if heard.name == "given" and "bleu" in (_known(*files["dev"]), _known(*files["test"])):
        loss = Reported(heard, SentenceBLEU())

    def source() -> Source:
        train = _examples(lists, recipe.references, heard.name)
        dev, test = (
            _examples(path, references, loss.name) if path else None
            for path, references in (files["dev"], files["test"])
        )
        return Source(Candidates(), train, dev, test)

    checksums = [[path and checksum_of(path) for path in pair] for pair in files.values()]
    done = encoded(["rerank", heard.name, loss.name, *checksums], source, base)
    if done.space.size == 0:
        raise InputError(f"No candidate of {lists} has a feature: there is nothing to learn from.")
    start = _weights_of(done.space, named)
    return Task(recipe, done.space, done.train, done.dev, done.test, loss, start=start)


def inputs(model: SavedModel) -> list[Input]:
    """What a model of this task learnt from."""
    assert model.recipe is not None
    assert model.recipe.train is not None
    return read_inputs(model, model.recipe.train, gold=False, references=model.recipe.references)


def _weights_of(space: Attributed, named: Mapping[str, float]) -> Array | None:
    """The weights of the features that the lists have; None where none are named."""
    if not named:
        return None
    numbers = np.array(space.vocabulary.numbers(named))
    start = np.zeros(space.size)
    start[numbers[numbers >= 0]] = np.array(list(named.values()))[numbers >= 0]
    return start


def _known(path: str | None, references: str | None) -> str | None:
    """By which loss the lists of a file can be judged: BLEU where there are references, else what they give."""
    if path is None:
        return None
    return "bleu" if references is not None or next(read_nbest(path)).reference is not None else "given"


def _examples(path: str, references: str | None, loss: str) -> Iterator[tuple[Any, Any]]:
    """Candidates and gold answer of every list."""
    for nbest in read_nbest(path, references):
        yield nbest.candidates, gold_for(loss, nbest, path)
