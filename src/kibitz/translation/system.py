"""A translation system: the files it is made of, and how it decodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kibitz.errors import InputError
from kibitz.translation.decoder.decoder import FEATURES, Decoder
from kibitz.translation.decoder.parser import HIERO, ParserOptions
from kibitz.translation.grammar import GrammarFiles, Symbols
from kibitz.translation.language_model import LanguageModel

NO_BEAM = float("inf")


@dataclass(frozen=True, slots=True)
class System:
    """Grammar files, read as one grammar; language models by the names of their features; how to decode.

    There may be no grammar here where every sentence brings its own. What is drawn is drawn at ``pop_limit``; the best
    translation is looked for at ``best_pop_limit``, or at the same where there is none.
    """

    grammars: tuple[str, ...]
    models: Mapping[str, str] = field(default_factory=dict)
    features: tuple[str, ...] = FEATURES
    options: ParserOptions = HIERO
    pop_limit: int = 200
    beam: float = NO_BEAM
    best_pop_limit: int | None = None

    def __post_init__(self) -> None:
        if self.best_pop_limit is not None and self.best_pop_limit < 1:
            raise InputError("a pop limit is at least 1, and a beam at least 0")

    def decoder(self, symbols: Symbols, models: Mapping[str, LanguageModel] | None = None) -> Decoder:
        """The decoder; its grammar is read when it is needed first, its models now, where they are not at hand."""
        for path in self.grammars:
            if not Path(path).is_file():
                raise InputError(f"There is no file {path}: check the path.")
        if models is None:
            models = {name: LanguageModel.read(path) for name, path in self.models.items()}
        return Decoder(
            GrammarFiles(self.grammars, symbols), models, options=self.options, features=self.features,
            pop_limit=self.pop_limit, beam=self.beam,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """As JSON; no beam is None."""
        return {**asdict(self), "beam": None if self.beam == NO_BEAM else self.beam}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> System:
        """The system that ``to_dict`` described."""
        beam = settings["beam"]
        return cls(
            tuple(settings["grammars"]), dict(settings["models"]), tuple(settings["features"]),
            ParserOptions(**settings["options"]), settings["pop_limit"], NO_BEAM if beam is None else beam,
            settings.get("best_pop_limit"),
        )  # fmt: skip
