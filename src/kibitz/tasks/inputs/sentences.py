"""Sentences for a model that translates, with a reference each where they are to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kibitz.data.lines import called
from kibitz.data.parallel import read_parallel, read_sentences
from kibitz.errors import InputError
from kibitz.tasks.inputs.input import Input
from kibitz.tasks.models import SavedModel
from kibitz.translation.building.model import Model
from kibitz.translation.decoder.decoder import lattice_of
from kibitz.translation.grammar import Segment, Symbols, segment_of
from kibitz.translation.text import Tokenise, tokeniser

Reference = tuple[str, ...]


def read_inputs(
    model: SavedModel, path: str | Path, references: str | Path | None, *, gold: bool
) -> list[Input]:
    """The sentences of a file; with `gold`, each has a reference in another one."""
    system = model.recipe.system if model.recipe else None
    own = not (model.recipe and model.recipe.grammar)
    if not gold:
        return [Input(segment, heading=segment.text) for segment in read_segments(path, system, own)]
    if references is None:
        raise InputError(
            "Translations are compared with references: name a file with one a line by --references."
        )
    pairs = read_pairs(path, references, system, own)
    return [Input(segment, heading=segment.text, gold=words) for segment, words in pairs]


def read_pairs(
    path: str | Path, references: str | Path, system: str | None, own: bool = True
) -> list[tuple[Segment, Reference]]:
    """The lines of two files, tokenised as the text of the model in the folder `system` was.

    A line that the model has a grammar of its `own` for brings it, which leaves no room for grammars beside it.
    """
    sources, targets = read_parallel(path, references)
    model = None if system is None else Model.read(Path(system))
    of_target = tokeniser(model.tokeniser, model.target_language) if model else None
    words = _each(references, targets, of_target)
    segments = _segments(path, sources, model, own)
    return [(segment, tuple(line.split())) for segment, line in zip(segments, words, strict=True)]


def read_segments(path: str | Path, system: str | None, own: bool = True) -> list[Segment]:
    """The lines of a file, each words or a lattice."""
    model = None if system is None else Model.read(Path(system))
    return list(_segments(path, read_sentences(path), model, own))


def _segments(path: str | Path, lines: list[str], model: Model | None, own: bool) -> Iterator[Segment]:
    symbols = Symbols()
    tokenise, grammar = (model.tokenise(), model.grammars_for(Path(path))) if model else (None, None)
    for number, line in enumerate(lines, start=1):
        try:
            segment = segment_of(line)
            if tokenise and not segment.is_lattice:
                segment = segment._replace(text=tokenise(segment.text))
            if grammar and own:
                segment = segment.with_grammar(grammar(number - 1, segment.text))
            lattice_of(segment, symbols)
        except InputError as error:
            raise InputError(f"{called(path)}:{number}: {error}") from error
        yield segment


def _each(path: str | Path, lines: list[str], tokenise: Tokenise | None) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            yield tokenise(line) if tokenise else line
        except InputError as error:
            raise InputError(f"{called(path)}:{number}: {error}") from error
