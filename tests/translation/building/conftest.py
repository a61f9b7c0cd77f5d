"""A small parallel text: made of patterns, so that its alignments and rules are known."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.translation.building.plan import Plan

WORDS = {
    "chat": "cat", "chien": "dog", "jardin": "garden", "livre": "book", "noir": "black", "petit": "little",
    "vert": "green", "dort": "sleeps", "tombe": "falls", "maison": "house", "rivière": "river", "pain": "bread",
}  # fmt: skip
NOUNS = {"chat": "cat", "chien": "dog", "jardin": "garden", "livre": "book"}
ADJECTIVES = {"noir": "black", "petit": "little", "vert": "green"}
VERBS = {"dort": "sleeps", "tombe": "falls"}


def sentences() -> list[tuple[str, str, str]]:
    """French, English, and the links between their words: adjectives change places."""
    return [
        (f"Le {noun} {adjective} {verb}.", f"The {ADJECTIVES[adjective]} {NOUNS[noun]} {VERBS[verb]}.",
         "0-0 1-2 2-1 3-3 4-4")
        for noun, adjective, verb in product(NOUNS, ADJECTIVES, VERBS)
    ]  # fmt: skip


def _written(folder: Path, **texts: list[str]) -> Plan:
    """A build of these texts."""
    for name, lines in texts.items():
        text = "".join(f"{line}\n" for line in lines)
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return Plan(folder / "text.fr", folder / "text.en", folder / "model", (folder / "news.fr",), order=2)


@pytest.fixture
def plain_plan(tmp_path: Path) -> Plan:
    """A build of running text that is aligned easily: word by word, each sentence of different words."""
    generator = np.random.Generator(np.random.PCG64(1))
    french = [generator.permutation(list(WORDS))[: generator.integers(2, 6)] for _ in range(200)]
    english = [[WORDS[word] for word in words] for words in french]
    texts = [[" ".join(words).capitalize() + "." for words in side] for side in (french, english)]
    return _written(tmp_path, text_fr=texts[0], text_en=texts[1], news_fr=["Jardin vert, livre."])


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A build of patterns, with one input, and nothing left out."""
    french, english, _ = map(list, zip(*sentences(), strict=True))
    return _written(tmp_path, text_fr=french, text_en=english, news_fr=["Le jardin vert tombe."])


@pytest.fixture
def aligned_plan(plan: Plan) -> Plan:
    """The same of tokenised text, with its alignments."""
    folder = plan.out.parent
    for path in (plan.source, plan.target, *plan.inputs):
        path.write_text(path.read_text(encoding="utf-8").lower().replace(".", " ."), encoding="utf-8")
    (folder / "links").write_text("".join(f"{links}\n" for _, _, links in sentences()), encoding="utf-8")
    return replace(plan, alignments=folder / "links", tokeniser="none")


@pytest.fixture
def lines() -> Callable[[Path], list[str]]:
    return lambda path: gzip.decompress(path.read_bytes()).decode().splitlines()


Lines = Callable[[Path], list[str]]
Told = dict[str, Any]
