"""What `kibitz translation decode` does once its options are read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import typer

from kibitz.cli.output import say, warn
from kibitz.data.forests import write_forests
from kibitz.data.forests.format import Named
from kibitz.data.forests.writing import format_for
from kibitz.data.lines import called, numbered_lines
from kibitz.errors import InputError
from kibitz.translation.building.model import Model
from kibitz.translation.decoder.distribution import TranslationDistribution
from kibitz.translation.grammar import Segment, Symbols, read_weights, segment_of
from kibitz.translation.system import System


class Outputs(NamedTuple):
    """What is wanted: the best alone, or so many, each yield once or not; and where forests go."""

    kbest: int | None
    unique: bool
    forest: Path | None


def decoded(
    file: Path,
    system: System,
    model: Path | None,
    grammars: Path | None,
    weights: Path | None,
    wanted: Outputs,
) -> dict[str, Any]:
    """Translate the lines of a file, print what is wanted, return the figures."""
    if wanted.kbest is not None and wanted.kbest < 1:
        raise InputError(f"--kbest is a whole number of at least 1, not {wanted.kbest}.")
    named = {} if weights is None else read_weights(weights)
    if weights is None:
        warn("without --weights all translations score 0, and what is best is chance.")
    form = None if wanted.forest is None else format_for(wanted.forest)
    run = _Run(system, named, wanted)
    forests = run.lines(file, Model.read(model) if model else None, grammars)
    if wanted.forest is not None and form is not None:
        write_forests(wanted.forest, forests, form)
        say(f"{run.sentences:,} forests are in {wanted.forest}.")
    else:
        for _ in forests:
            pass
    return run.figures(file)


class _Run:
    """Lines one after the other, with the sums of what they took."""

    def __init__(self, system: System, named: dict[str, float], wanted: Outputs) -> None:
        self._system, self._named, self._wanted = system, named, wanted
        self._decoder = system.decoder(Symbols())
        self._weights = np.zeros(0)
        self.sentences = self._words = self._edges = self._pops = 0
        self._score, self._began = 0.0, time.perf_counter()

    def lines(self, file: Path, model: Model | None, grammars: Path | None) -> Iterator[Named]:
        """The forest of each line, where forests are wanted; what is printed is printed on the way."""
        tokenise, grammar = (model.tokenise(), model.grammars_for(file)) if model else (None, None)
        for number, line in numbered_lines(file):
            try:
                segment = segment_of(line)
                if tokenise and not segment.is_lattice:
                    segment = segment._replace(text=tokenise(segment.text))
                if grammars is not None:
                    own = str(grammars / f"{number - 1}.gz")
                    segment = segment._replace(grammars=(*segment.grammars, own))
                elif grammar and len(self._system.grammars) == 1:  # the model's: there are none beside it
                    segment = segment.with_grammar(grammar(number - 1, segment.text))
                found = self._decode(segment)
            except InputError as error:
                raise InputError(f"{called(file)}:{number}: {error}") from error
            for text in self._texts(number - 1, found):
                typer.echo(text)
            if self._wanted.forest is not None:
                yield Named(str(number - 1), found.decoding.forest())

    def _decode(self, segment: Segment) -> TranslationDistribution:
        x = self._decoder.ready(segment)
        names = self._decoder.symbols.features.names()
        if len(names) > len(self._weights):
            self._weights = np.array([self._named.get(name, 0.0) for name in names])
        decoding = self._decoder.decode(x, self._weights)
        self.sentences += 1
        self._words += len(x.lattice)
        self._edges += len(decoding)
        self._pops += decoding.pops
        return TranslationDistribution(decoding, 1)

    def _texts(self, number: int, found: TranslationDistribution) -> Iterator[str]:
        best = found.listed(self._wanted.kbest or 1, unique=self._wanted.unique)
        named = self._decoder.symbols.features.named
        for rank, (y, vector, log_p) in enumerate(best):
            score, said = log_p + found.log_partition, " ".join(found.said(y))
            if rank == 0:
                self._score += score
            if self._wanted.kbest is None:
                yield said
                continue
            pairs = zip(named(vector.index.tolist()), vector.value.tolist(), strict=True)
            features = " ".join(f"{name}= {value:.7g}" for name, value in pairs if value)
            yield f"{number} ||| {said} ||| {features} ||| {score:.7g}"

    def figures(self, file: Path) -> dict[str, Any]:
        """Totals, and means of a sentence."""
        if not self.sentences:
            raise InputError(f"{called(file)} is empty: it should have a sentence a line.")
        n = self.sentences
        return {
            "file": str(file), "sentences": n, "words": self._words, "seconds": time.perf_counter() - self._began,
            "edges": self._edges / n, "pops": self._pops / n, "score": self._score / n,
            "forest": None if self._wanted.forest is None else str(self._wanted.forest),
        }  # fmt: skip
