"""What all runs of the experiment stand on: texts, a system with two language models, a model for each half."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.tasks.adaptation.halves import LEARNED_FROM, write_halves
from kibitz.tasks.adaptation.settings import Choices
from kibitz.tasks.adaptation.texts import (
    DEV,
    HELD_OUT,
    IN_DOMAIN,
    OUT_OF_DOMAIN,
    POST_EDITED,
    TEST,
    TUNE,
    Texts,
    write_texts,
)
from kibitz.tasks.recipe import Recipe
from kibitz.translation.building.build import build
from kibitz.translation.building.plan import Plan
from kibitz.translation.building.stages import Stages
from kibitz.translation.extraction.limits import Limits

INPUTS = (HELD_OUT, TUNE, DEV, TEST, IN_DOMAIN, POST_EDITED)
FORMAT = 1  # of the files that are made here: another one makes them again

Heard = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Ground:
    """The folder with all of it, the figures of the texts, and what tells whether something has changed."""

    out: Path
    texts: Mapping[str, Mapping[str, int]]
    learned_from: Mapping[str, int]
    build: Mapping[str, Any]
    key: str

    @property
    def system(self) -> Path:
        """What `kibitz translation build` makes."""
        return self.out / "system"

    def recipe(self, part: str, weights: Path, choices: Choices) -> Recipe:
        """The task of learning from a part with these weights to begin with."""
        (train, references), (dev, of_dev), (test, of_test) = map(self.files, (part, DEV, TEST))
        return Recipe(
            "translation", train=train, references=references, dev=dev, dev_references=of_dev, test=test,
            test_references=of_test, system=str(self.system), sparse=choices.sparse, weights=str(weights),
            pop_limit=choices.pop_limit, best_pop_limit=choices.pop_limit,
        )  # fmt: skip

    def files(self, part: str) -> tuple[str, str]:
        """The sentences of a part, and their references."""
        folder = self.out / ("learning" if part in LEARNED_FROM else "texts")
        return str(folder / f"{part}.source"), str(folder / f"{part}.target")


def lay(texts: Texts, out: Path, choices: Choices, heard: Heard) -> Ground:
    """Do what is not done yet."""
    stages = Stages(out)
    out = out.absolute()  # sentences name their models by it

    def seen(what: str, unit: str) -> Callable[[int, int], None]:
        return lambda done, total: heard(what, {"done": done, "total": total, "unit": unit})

    written = stages.run(
        "texts",
        [FORMAT, texts.decides()],
        lambda folder: write_texts(texts, folder / "texts", seen("texts", "parts")),
    )
    folder, languages = out / "texts", texts.languages
    plan = Plan(
        folder / f"{OUT_OF_DOMAIN}.source", folder / f"{OUT_OF_DOMAIN}.target", out / "system",
        inputs=tuple(folder / f"{part}.source" for part in INPUTS), domain_lm=folder / f"{IN_DOMAIN}.target",
        source_language=languages[0], target_language=languages[1],
        limits=Limits(span=choices.span), rules=choices.rules,
    )  # fmt: skip
    report = build(plan, heard)
    place = out / "learning"
    halved = stages.run(
        "halves",
        [FORMAT, written.files, str(place), languages],
        lambda made: write_halves(
            folder, made / "learning", place, languages[1], seen("halves of the domain", "models")
        ),
    )
    system = [done.files for done in Stages(plan.out).done.values()]
    key = hashlib.sha256(json.dumps([written.files, halved.files, system]).encode()).hexdigest()
    return Ground(out, written.figures, halved.figures, report, key)
