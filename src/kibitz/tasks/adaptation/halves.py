"""Each training sentence is decoded with a model of the domain that has not seen its translation.

The domain's text is cut into stretches of lines that go to one half and the other in turn; each half has a language
model, and a sentence of the one is decoded with that of the other. Sentences to come are decoded with that of both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kibitz.data.parallel import read_sentences
from kibitz.tasks.adaptation.texts import IN_DOMAIN, LONGEST, POST_EDITED, write_lines
from kibitz.translation.building.texts import tokenised
from kibitz.translation.language_model import estimate, write_arpa
from kibitz.translation.text import tokeniser

DOMAIN_MODEL = "DomainLanguageModel"
STRETCH = 100  # lines: few articles are then in both halves
ORDER = 4
LEARNED_FROM = (IN_DOMAIN, POST_EDITED)


def halves(lines: Sequence[str]) -> dict[str, int]:
    """The half of each line, 0 or 1; a line that comes again is in the half where it came first."""
    stretch = max(1, min(STRETCH, len(lines) // 2))
    found: dict[str, int] = {}
    for number, line in enumerate(lines):
        found.setdefault(line, number // stretch % 2)
    return found


def write_halves(
    texts: Path, folder: Path, place: Path, language: str, seen: Callable[[int, int], None]
) -> dict[str, Any]:
    """The models of both halves, and the sentences to learn from, which name the other's by its later ``place``."""
    sources, targets = (read_sentences(texts / f"{IN_DOMAIN}.{side}") for side in ("source", "target"))
    half_of, tokenise = halves(sources), tokeniser("moses", language)
    for half in (0, 1):
        own = [target for source, target in zip(sources, targets, strict=True) if half_of[source] == half]
        words = tokenised(own, texts / f"{IN_DOMAIN}.target", tokenise, lambda done: None)
        write_arpa(estimate((line.split() for line in words), ORDER).ngrams, folder / _model(half))
        seen(half + 1, 2)
    return {part: _write_sentences(part, half_of, texts, folder, place) for part in LEARNED_FROM}


def _write_sentences(part: str, half_of: dict[str, int], texts: Path, folder: Path, place: Path) -> int:
    """The sentences of a part that are not too long, each with its model; how many there are."""
    sources, targets = (read_sentences(texts / f"{part}.{side}") for side in ("source", "target"))
    kept = [k for k, source in enumerate(sources) if len(source.split()) <= LONGEST]
    write_lines(folder / f"{part}.source", [_crossed(sources[k], half_of, place) for k in kept])
    write_lines(folder / f"{part}.target", [targets[k] for k in kept])
    return len(kept)


def _crossed(source: str, half_of: dict[str, int], place: Path) -> str:
    """A sentence with the model of the half that it is not in; one that is in neither has the model of both."""
    if source not in half_of:
        return source
    return f'<seg model="{DOMAIN_MODEL}={place / _model(1 - half_of[source])}">{source}</seg>'


def _model(half: int) -> str:
    return f"half-{half + 1}.arpa.gz"
