"""What a build is asked to make, and from what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.errors import InputError
from kibitz.translation.extraction.limits import Limits
from kibitz.translation.text import TOKENISERS

ENGLISH = "en"
PACKED = (".gz", ".xz")


@dataclass(frozen=True, slots=True)
class Plan:
    """The files and settings of a build; languages not named are the endings of the files' names."""

    source: Path
    target: Path
    out: Path
    inputs: tuple[Path, ...] = ()
    references: tuple[Path, ...] = ()
    alignments: Path | None = None
    lm: Path | None = None
    domain_lm: Path | None = None
    source_language: str | None = None
    target_language: str | None = None
    tokeniser: str = "moses"
    longest: int = 100
    order: int = 4
    limits: Limits = field(default_factory=Limits)
    rules: int = 20
    per_sentence: bool = False

    def __post_init__(self) -> None:
        if self.tokeniser not in TOKENISERS:
            raise InputError(f"There is no tokeniser {self.tokeniser!r}: known are {', '.join(TOKENISERS)}.")
        if self.alignments is not None and self.tokeniser != "none":
            raise InputError(
                "Alignments are of the words as they stand in the files: give tokenised files and --tokeniser none, "
                "or leave --alignments out."
            )
        if not 1 <= self.longest <= 1000:
            raise InputError(f"The longest sentence should have from 1 to 1000 words, not {self.longest}.")
        if self.rules < 0:
            raise InputError(f"The rules of a source side should be 0, for all, or more, not {self.rules}.")
        if self.per_sentence and not self.inputs:
            raise InputError("A grammar for each sentence needs sentences: name files with --inputs.")
        distinct_names(self.inputs)
        distinct_names(self.references)

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that is read."""
        single = (self.source, self.target, self.alignments, self.lm, self.domain_lm)
        return (*(path for path in single if path is not None), *self.inputs, *self.references)

    @property
    def languages(self) -> tuple[str, str]:
        """Those of the source and of the target."""
        return (
            self.source_language or _ending(self.source) or ENGLISH,
            self.target_language or _ending(self.target) or ENGLISH,
        )


def name_of(path: Path) -> str:
    """Its name without .gz and .xz."""
    return path.name.removesuffix(path.suffix) if path.suffix in PACKED else path.name


def distinct_names(paths: Iterable[Path]) -> dict[str, Path]:
    """The files by their names without .gz and .xz, under which a model keeps them."""
    named: dict[str, Path] = {}
    for path in paths:
        name = name_of(path)
        if name in named:
            raise InputError(f"{named[name]} and {path} have the same name {name}: rename one of them.")
        named[name] = path
    return named


def _ending(path: Path) -> str | None:
    """`fr` for news.fr and news.fr.xz; None where the name does not end in two letters."""
    name = name_of(path)
    ending = name.rpartition(".")[2]
    return ending if len(ending) == 2 and ending.isalpha() and ending.islower() else None
