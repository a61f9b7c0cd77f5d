"""Grammars for sentences that a model was not built for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kibitz.data.folders import write_whole
from kibitz.translation.building.model import Model
from kibitz.translation.building.packed import packed
from kibitz.translation.extraction.sampled import SampledRules
from kibitz.translation.extraction.wanted import split
from kibitz.translation.extraction.writing import Writer


def write_grammars(
    model: Model, lines: Sequence[str], out: Path, samples: int, seen: Callable[[int, int], None]
) -> list[int]:
    """A grammar for each tokenised line, ``0.gz`` and so on; how many rules each has."""
    text, source_words, target_words = model.text()
    rules = SampledRules(text, model.limits, most=model.rules, samples=samples)
    counts = []
    for number, words in enumerate(split(*source_words.encode(lines))):
        own = rules.grammar(words)
        writer = Writer(text, own, source_words, target_words)
        write_whole(out / f"{number}.gz", packed(writer.lines(np.arange(len(own)))))
        counts.append(len(own))
        seen(len(counts), len(lines))
    return counts
