"""A small parallel text: made of patterns, so that its alignments and rules are known."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kibitz.translation.building.plan import Plan

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


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A build of that text, with one input, and nothing left out."""
    french, english, _ = zip(*sentences(), strict=True)
    for name, lines in (("text.fr", french), ("text.en", english), ("news.fr", ["Le jardin vert tombe."])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return Plan(
        tmp_path / "text.fr", tmp_path / "text.en", tmp_path / "model", (tmp_path / "news.fr",), order=2
    )


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
