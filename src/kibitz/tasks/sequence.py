"""Sequences of the user's own: column files in the manner of CoNLL, the last column the label."""

from __future__ import annotations

from kibitz.errors import InputError
from kibitz.features import Extractor, Templates, default_templates, read_templates
from kibitz.feedback import Loss, loss_from
from kibitz.spaces.chain import Chain
from kibitz.spaces.protocol import Space
from kibitz.spaces.schemes import Scheme
from kibitz.tasks.encoding import Source, encoded
from kibitz.tasks.files import LabelledFile, read_labelled, same_columns
from kibitz.tasks.fitting import covers, require_kind, require_same
from kibitz.tasks.inputs import Input, read_inputs
from kibitz.tasks.models import SavedModel
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.spans import known_labels, scheme_of, writes_spans
from kibitz.tasks.task import Report, Task, unheard

ORDER = 1


def task(recipe: Recipe, model: Space | None = None, report: Report = unheard) -> Task:
    """The task of a recipe with at least a file to learn from; with `model`, in the space of a saved one."""
    base = require_kind(model, Chain)
    if recipe.train is None:
        raise InputError("The task sequence learns from a file of yours: name it with --train FILE.")
    train = read_labelled(recipe.train)
    others = {
        part: read_labelled(path) for part, path in (("dev", recipe.dev), ("test", recipe.test)) if path
    }
    for file in others.values():
        same_columns(file, train)
    if len(train.labels) < 2:
        raise InputError(
            f"{train.path} has the label {train.labels[0]!r} only: there is nothing to tell apart."
        )
    loss, scheme = _loss(recipe, train)
    if loss.name == "f1" and scheme is not None:
        for file in others.values():
            known_labels(file, scheme)
    if base is not None:
        covers(train, base)
    empty = _space(recipe, train, scheme, base)
    require_same(base, empty)
    dev, test = others.get("dev"), others.get("test")

    def source() -> Source:
        return Source(empty, train.examples, dev.examples if dev else None, test.examples if test else None)

    key = ["sequence", train.checksum, dev and dev.checksum, test and test.checksum, empty.settings()]
    done = encoded(key, source, base)
    warnings = tuple(_unseen(file, train) for file in others.values() if set(file.labels) - set(train.labels))
    return Task(recipe, done.space, done.train, done.dev, done.test, loss, train.columns, warnings)


def inputs(model: SavedModel) -> list[Input]:
    """What a model of this task learnt from."""
    assert model.recipe is not None
    assert model.recipe.train is not None
    return read_inputs(model, model.recipe.train, gold=True)


def _loss(recipe: Recipe, train: LabelledFile) -> tuple[Loss, Scheme | None]:
    """F1 where the labels write spans, unless told otherwise; with it go the steps that are impossible."""
    name = recipe.loss or ("f1" if recipe.scheme or writes_spans(train.labels) else "hamming")
    scheme = scheme_of(train, recipe.scheme) if name == "f1" or recipe.scheme else None
    return loss_from(name, scheme=scheme.name if scheme else "bio"), scheme


def _space(recipe: Recipe, train: LabelledFile, scheme: Scheme | None, base: Chain | None) -> Chain:
    """The space the recipe asks for; where it leaves something open, `base` decides."""
    extractor: Extractor
    if recipe.templates:
        extractor = Templates(read_templates(recipe.templates))
    else:
        extractor = base.extractor if base else Templates(default_templates(train.columns))
    extractor.extract(
        train.examples[0][0]
    )  # a template that reads a column too many is refused before any work
    labels, order = train.labels, recipe.order or (base.order if base else ORDER)
    if scheme is None:
        return Chain(labels, extractor, order=order)
    return Chain(
        labels,
        extractor,
        order=order,
        forbidden=scheme.forbidden(labels),
        initial=scheme.initial(labels),
        final=scheme.final(labels),
        start="O" if "O" in labels else None,
    )


def _unseen(file: LabelledFile, train: LabelledFile) -> str:
    labels = [label for label in file.labels if label not in train.labels]
    return (
        f"{file.path}:{file.line_of(labels[0])}: {train.path} has no label {', '.join(labels)}: every token "
        "that should have it counts as wrong."
    )
