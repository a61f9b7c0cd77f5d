"""The demo: reading handwriting, learnt from nothing but the share of wrong letters in what was guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.analysis.numbers import count, duration
from kibitz.analysis.pictures import Word, words
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Facts, Figure, Report, Section
from kibitz.analysis.tables import Table
from kibitz.data import Example, Split, letters, shapes
from kibitz.errors import DataUnavailable
from kibitz.feedback import Hamming
from kibitz.spaces.chain import Chain, Corpus
from kibitz.spaces.generator import Generator
from kibitz.tasks import handwriting
from kibitz.tasks.encoding import Source, encode
from kibitz.tasks.presets import preset
from kibitz.tasks.recipe import Recipe
from kibitz.tasks.run import Outcome, Run, follow, new_learner
from kibitz.tasks.run import Report as Heard
from kibitz.tasks.task import Task

ITERATIONS = 600_000
PICTURES = 12
BEFORE, AFTER = "before", "after"
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
        return f"real handwriting, {size}" if self.real else f"words drawn from letter shapes of Kibitz's own, {size}"


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


def _blind(space: Chain, test: Corpus, seed: int) -> Readings:
    """What the model reads before it has heard anything: a draw with all weights 0."""
    weights, generator = np.zeros(space.size), Generator(seed)
    return [space.distribution(test[i], weights).sample(generator) for i in range(len(test))]


def examples(shown: Shown, seed: int, n: int = PICTURES) -> list[int]:
    """Test words for the pictures, drawn blindly."""
    chosen = np.random.default_rng(seed).permutation(len(shown.golds))[:n]
    return [int(i) for i in chosen]


def table(shown: Shown) -> Table:
    """Before and after, on words that were not learnt from."""
    rows: list[tuple[str | float, ...]] = []
    for name, readings in ((BEFORE, shown.before), (AFTER, shown.after)):
        rows.append((name, f"{shown.loss(readings):.3f}", f"{shown.right(readings):.1%}"))
    return Table.of(("", "wrong letters (Hamming loss)", "words without a mistake"), rows, title="On the test words")


def readings(shown: Shown, chosen: Sequence[int]) -> Table:
    """A few words, and what was read in them."""
    rows = [tuple("".join(reading[i]) for reading in (shown.golds, shown.before, shown.after)) for i in chosen]
    return Table.of(("written", BEFORE, AFTER), rows)


def page(shown: Shown, seed: int) -> Report:
    """The self-contained report."""
    simulation = shown.outcome.simulation
    curve = [(float(p.iteration), p.dev) for p in simulation.curve if p.dev is not None]
    plot = learning_curves([Curve.of("dev", [curve])], metric="wrong letters (Hamming loss)", feedback="guesses judged")
    split: Sequence[Example] = shown.words.split.test
    pictures = [
        Word(split[i][0], "".join(split[i][1]), ((BEFORE, "".join(shown.before[i])), (AFTER, "".join(shown.after[i]))))
        for i in examples(shown, seed)
    ]
    first, last = shown.loss(shown.before), shown.loss(shown.after)
    lead = (
        f"The learner guessed at handwritten words {count(simulation.feedback)} times. After each guess it was told the "
        "share of letters that it had got wrong, never which, and never what the word was. "
        f"It worked on {shown.words.described}."
    )
    facts = Facts((
        ("wrong letters before", f"{first:.1%}"),
        ("wrong letters after", f"{last:.1%}"),
        ("learning time", duration(simulation.seconds)),
    ))  # fmt: skip
    drawn = f"{len(pictures)} handwritten words, each with its letters and the readings before and after"
    sections = [
        Section.of("Before and after", facts, table(shown)),
        Section.of("Words", Figure(words(pictures), drawn, "Drawn at random from the test words; a wrong letter is red.")),
        Section.of("Learning", Figure(plot, f"Wrong letters over guesses, from {first:.2f} down to {last:.2f}")),
        Section.of(
            "How",
            "Objective EL, expected loss: draw a reading y from the model, hear its loss, and step by "
            "(loss - mean loss) times (features of y - expected features). AdaGrad sets the step sizes, and an entropy "
            "term that cools with every epoch keeps the model guessing broadly at first.",
        ),
    ]
    return Report.of("Kibitz learns to read", lead, sections)


def save(shown: Shown, out: Path, seed: int) -> Path:
    """Keep the report and the model."""
    learner = shown.outcome.simulation.learner
    learner.use(shown.outcome.chosen)
    learner.about["task"] = shown.outcome.task.about()
    learner.save(out / "model")
    return page(shown, seed).save(out / "report.html")


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
