"""The numbers of words, categories and features: one table each, shared by everything that is decoded together."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.features.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Symbols:
    """Words of both languages, grammar categories and feature names, numbered in order of first sight."""

    words: Vocabulary = field(default_factory=Vocabulary)
    categories: Vocabulary = field(default_factory=Vocabulary)
    features: Vocabulary = field(default_factory=Vocabulary)
