"""The first stages: parallel text and inputs, tokenised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kibitz.data.parallel import read_parallel, read_sentences
from kibitz.errors import InputError
from kibitz.translation.building.model import LINES, SOURCE, TARGET
from kibitz.translation.building.packed import write_lines
from kibitz.translation.building.plan import Plan, distinct_names
from kibitz.translation.building.stages import Figures
from kibitz.translation.text import Tokenise, tokeniser

Seen = Callable[[int, int], None]
"""Hears how many of how many are done."""

_BLOCK = 1000


def prepare_text(plan: Plan, folder: Path, seen: Seen) -> Figures:
    """Both sides of the pairs that are neither empty nor too long on a side, and their line numbers in the files."""
    sources, targets = read_parallel(plan.source, plan.target)
    languages, total = plan.languages, 2 * len(sources)
    source = tokenised(
        sources, plan.source, tokeniser(plan.tokeniser, languages[0]), lambda n: seen(n, total)
    )
    target = tokenised(
        targets, plan.target, tokeniser(plan.tokeniser, languages[1]), lambda n: seen(len(sources) + n, total)
    )
    lengths = [
        (line.count(" ") + bool(line), other.count(" ") + bool(other))
        for line, other in zip(source, target, strict=True)
    ]
    kept = [k for k, pair in enumerate(lengths) if min(pair) > 0 and max(pair) <= plan.longest]
    if not kept:
        raise InputError(
            f"{plan.source} and {plan.target} have no pair of sentences with 1 to {plan.longest} words each."
        )
    write_lines(folder / SOURCE, (source[k] for k in kept))
    write_lines(folder / TARGET, (target[k] for k in kept))
    write_lines(folder / LINES, (str(k + 1) for k in kept))
    return {
        "pairs": len(kept),
        "pairs_empty": sum(min(pair) == 0 for pair in lengths),
        "pairs_too_long": sum(max(pair) > plan.longest and min(pair) > 0 for pair in lengths),
        "source_words": sum(lengths[k][0] for k in kept),
        "target_words": sum(lengths[k][1] for k in kept),
    }


def prepare_inputs(plan: Plan, folder: Path, seen: Seen) -> Figures:
    """Inputs and references: tokenised, a line for each line."""
    figures: Figures = {}
    sides = (("inputs", plan.inputs, plan.languages[0]), ("references", plan.references, plan.languages[1]))
    files = [
        (kind, name, path, language)
        for kind, paths, language in sides
        for name, path in distinct_names(paths).items()
    ]
    for number, (kind, name, path, language) in enumerate(files):
        lines = tokenised(read_sentences(path), path, tokeniser(plan.tokeniser, language), lambda n: None)
        write_lines(folder / kind / f"{name}.gz", lines)
        figures[f"{kind}/{name}"] = {
            "sentences": len(lines),
            "words": sum(len(line.split()) for line in lines),
        }
        seen(number + 1, len(files))
    return figures


def tokenised(lines: Sequence[str], path: Path, tokenise: Tokenise, seen: Callable[[int], None]) -> list[str]:
    """The lines tokenised; what is wrong with one is told with its number."""
    words = []
    for number, line in enumerate(lines, start=1):
        try:
            words.append(tokenise(line))
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from error
        if number % _BLOCK == 0 or number == len(lines):
            seen(number)
    return words
