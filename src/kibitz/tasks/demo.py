"""The demo: reading handwriting, learnt from nothing but the share of wrong letters in what was guessed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.data import Split, letters, shapes
from kibitz.errors import DataUnavailable
from kibitz.feedback import Hamming
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Space
from kibitz.tasks import handwriting
from kibitz.tasks.encoding import Source, encode
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.run import Outcome, Run, follow, new_learner, settle
from kibitz.tasks.task import Corpus, Task
from kibitz.tasks.task import Report as Heard

ITERATIONS = 1_200_000
Readings = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Handwriting:
    """The words to read, and whether they are real ones."""

    split: Split
    real: bool
    why: str = ""

    @property
    def described(self) -> str:
        size = f"{len(self.split.train):,} words to learn from and {len(self.split.test):,} to be tested on"
        return (
            f"real handwriting, {size}"
            if self.real
            else f"words drawn from letter shapes of Kibitz's own, {size}"
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demo found, ready to be shown."""

    words: Handwriting
    outcome: Outcome
    before: Readings
    after: Readings

    @property
    def golds(self) -> Readings:
        return [tuple(gold) for _, gold in self.words.split.test]

    def loss(self, readings: Readings) -> float:
        return Hamming().corpus(readings, self.golds)

    def right(self, readings: Readings) -> float:
        """The share of words without a wrong letter."""
        return sum(a == b for a, b in zip(readings, self.golds, strict=True)) / len(self.golds)


def find_words() -> Handwriting:
    """Real handwriting where it can be had, otherwise words of our own."""
    try:
        return Handwriting(letters.load(), real=True)
    except DataUnavailable as error:
        return Handwriting(shapes.generated_split(), real=False, why=str(error))


def show(found: Handwriting, iterations: int, seed: int, report: Heard) -> Shown:
    """Learn by EL, and read the test words before and after."""
    split = found.split
    done = encode(Source(handwriting.space(), split.train, split.dev, split.test))
    assert done.dev is not None
    assert done.test is not None
    task = Task(Recipe("handwriting"), done.space, done.train, done.dev, done.test, Hamming())
    run = Run(task.recipe, preset("handwriting", "el").with_changes({"iterations": iterations}), seed)
    learner = new_learner(task.space, run.settings, seed, epoch=len(task.train))
    before = _blind(task.space, done.test, seed)
    outcome = follow(run, task, learner, report)
    return Shown(found, outcome, before, [tuple(y) for y in task.space.predict(done.test, outcome.chosen)])


def _blind(space: Space, test: Corpus, seed: int) -> Readings:
    """What the model reads before it has heard anything: a draw with all weights 0."""
    weights, generator = np.zeros(space.size), Generator(seed)
    return [space.distribution(test[i], weights).sample(generator) for i in range(len(test))]


def save(shown: Shown, out: Path) -> None:
    """Keep the model."""
    learner = shown.outcome.simulation.learner
    settle(learner, shown.outcome.chosen)
    learner.about["task"] = shown.outcome.task.about()
    learner.save(out / "model")


def figures(shown: Shown) -> dict[str, Any]:
    """The figures as JSON."""
    return {
        **shown.outcome.result(),
        "task": "handwriting",
        "real": shown.words.real,
        "test_before": shown.loss(shown.before),
        "test": shown.loss(shown.after),
        "words_right": shown.right(shown.after),
    }
