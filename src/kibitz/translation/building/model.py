"""A model as it lies in its folder: where its files are, and how text is made ready for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from kibitz.data.folders import write_whole
from kibitz.data.parallel import read_sentences
from kibitz.errors import InputError
from kibitz.translation.alignment.links import parse_links
from kibitz.translation.building.plan import Plan, name_of
from kibitz.translation.extraction.aligned import AlignedText, Vocabulary, aligned_text
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.text import Tokenise, tokeniser

SETTINGS = "settings.json"
SOURCE, TARGET, LINES = "text/source.gz", "text/target.gz", "text/lines.gz"
LINKS, GRAMMAR, GRAMMARS = "alignments.gz", "grammar.gz", "grammars"
LANGUAGE_MODEL, DOMAIN_LANGUAGE_MODEL = "language-model.arpa.gz", "domain-language-model.arpa.gz"

FORMAT = 1
"""Of the files of a model: another one makes everything again."""


@dataclass(frozen=True, slots=True)
class Model:
    """What ``kibitz translation build`` left in a folder."""

    folder: Path
    source_language: str
    target_language: str
    tokeniser: str
    limits: Limits
    rules: int

    @classmethod
    def of(cls, plan: Plan) -> Model:
        """The one that a plan makes."""
        return cls(plan.out, *plan.languages, plan.tokeniser, plan.limits, plan.rules)

    @classmethod
    def read(cls, folder: Path) -> Model:
        """The one in a folder."""
        path = folder / SETTINGS
        try:
            settings = json.loads(path.read_text(encoding="utf-8"))
            if settings.pop("format") != FORMAT:
                raise InputError(f"{path} is of another version of Kibitz: build the model again.")
            return cls(folder, **{**settings, "limits": Limits(**settings["limits"])})
        except (FileNotFoundError, NotADirectoryError) as error:
            raise InputError(
                f"{folder} is no translation model, or its build has not ended: it has no {SETTINGS}."
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path} is damaged: build the model again.") from error

    def save(self) -> None:
        """Write the settings; the files are there already."""
        settings = {name: value for name, value in asdict(self).items() if name != "folder"}
        write_whole(
            self.folder / SETTINGS, json.dumps({"format": FORMAT, **settings}, indent=1).encode() + b"\n"
        )

    def tokenise(self) -> Tokenise:
        """Makes a line of the source language ready, as the text was that the model was built from."""
        return tokeniser(self.tokeniser, self.source_language)

    def grammars_for(self, path: Path) -> Callable[[int, str], str | None]:
        """Tells, of a tokenised line of a file by its number from 0, the grammar that the build made for it, if any."""
        name = name_of(path)
        folder, kept = (self.folder / GRAMMARS / name).absolute(), self.folder / "inputs" / f"{name}.gz"
        lines = read_sentences(kept) if folder.is_dir() and kept.is_file() else []

        def grammar(number: int, line: str) -> str | None:
            return str(folder / f"{number}.gz") if lines[number : number + 1] == [line] else None

        return grammar

    def text(self) -> tuple[AlignedText, Vocabulary, Vocabulary]:
        """The aligned text, with the words of both sides."""
        links = parse_links(read_sentences(self.folder / LINKS), str(self.folder / LINKS))
        return aligned_text(read_sentences(self.folder / SOURCE), read_sentences(self.folder / TARGET), links)
