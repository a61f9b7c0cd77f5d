"""The language models that a sentence is decoded with: the system's, or its own in the place of some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.translation.language_model import LanguageModel, NGrams
from kibitz.translation.language_model.ngrams import SPECIAL, Order

Files = tuple[tuple[str, str], ...]  # names of models, each with the file of the one in its place


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """Models by the names of their features, in the system's order, as compiled functions take them."""

    named: Mapping[str, LanguageModel]
    files: Files  # those that are no models of the system
    tables: tuple[Any, ...]
    scratches: tuple[Any, ...]

    @classmethod
    def of(cls, named: Mapping[str, LanguageModel], files: Files = ()) -> Models:
        """There are always two tables at least, so that one machine function serves none, one and two."""
        asked = [*named.values(), *[_silent()] * max(0, 2 - len(named))]
        return cls(
            dict(named),
            files,
            tuple([model.table for model in asked]),
            tuple([model.scratch() for model in asked]),
        )


class Shelf:
    """The system's models, and those of the files that sentences bring: each file is read once."""

    def __init__(self, named: Mapping[str, LanguageModel]) -> None:
        self.own = Models.of(named)
        self._read: dict[str, LanguageModel] = {}
        self._known: dict[Files, Models] = {(): self.own}

    def with_files(self, files: Sequence[Sequence[str]]) -> Models:
        """The system's models, but for those that these files take the place of."""
        key = tuple([(name, path) for name, path in files])
        if key not in self._known:
            named = dict(self.own.named)
            for name, path in key:
                if name not in named:
                    names = f"there are {', '.join(named)}" if named else "there is none"
                    raise InputError(
                        f"{path} should take the place of the language model {name}, but {names}"
                    )
                named[name] = self._file(path)
            self._known[key] = Models.of(named, key)
        return self._known[key]

    def _file(self, path: str) -> LanguageModel:
        if path not in self._read:
            self._read[path] = LanguageModel.read(path)
        return self._read[path]


def _silent() -> LanguageModel:
    """A model that is never asked."""
    numbers = np.arange(1, len(SPECIAL), dtype=np.int32)[:, None]
    zeros = np.zeros(len(numbers), np.float32)
    return LanguageModel(NGrams(SPECIAL, (Order(numbers, zeros, zeros),)))
