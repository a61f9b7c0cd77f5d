"""What the demo found, as tables and as a self-contained page with pictures of the words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.analysis.numbers import count, duration
from kibitz.analysis.pictures import Word, words
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.report import Facts, Figure, Report, Section
from kibitz.analysis.tables import Table
from kibitz.data import Example
from kibitz.tasks.demo import Shown

PICTURES = 12
BEFORE, AFTER = "before", "after"


def examples(shown: Shown, seed: int, n: int = PICTURES) -> list[int]:
    """Test words for the pictures, drawn blindly."""
    chosen = np.random.default_rng(seed).permutation(len(shown.golds))[:n]
    return [int(i) for i in chosen]


def table(shown: Shown) -> Table:
    """Before and after, on words that were not learnt from."""
    rows: list[tuple[str | float, ...]] = []
    for name, readings in ((BEFORE, shown.before), (AFTER, shown.after)):
        rows.append((name, f"{shown.loss(readings):.3f}", f"{shown.right(readings):.1%}"))
    return Table.of(
        ("", "wrong letters (Hamming loss)", "words without a mistake"), rows, title="On the test words"
    )


def readings(shown: Shown, chosen: Sequence[int]) -> Table:
    """A few words, and what was read in them."""
    rows = [
        tuple("".join(reading[i]) for reading in (shown.golds, shown.before, shown.after)) for i in chosen
    ]
    return Table.of(("written", BEFORE, AFTER), rows)


def page(shown: Shown, seed: int) -> Report:
    """The self-contained report."""
    simulation = shown.outcome.simulation
    curve = [(float(p.iteration), p.dev) for p in simulation.curve if p.dev is not None]
    plot = learning_curves(
        [Curve.of("dev", [curve])], metric="wrong letters (Hamming loss)", feedback="guesses judged"
    )
    split: Sequence[Example] = shown.words.split.test
    pictures = [
        Word(
            split[i][0],
            "".join(split[i][1]),
            ((BEFORE, "".join(shown.before[i])), (AFTER, "".join(shown.after[i]))),
        )
        for i in examples(shown, seed)
    ]
    first, last = shown.loss(shown.before), shown.loss(shown.after)
    lead = (
        f"The learner guessed at handwritten words {count(simulation.feedback)} times. After each guess it "
        "was told the share of letters that it had got wrong, never which, and never what the word was. "
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
        Section.of(
            "Words",
            Figure(words(pictures), drawn, "Drawn at random from the test words; a wrong letter is red."),
        ),
        Section.of(
            "Learning", Figure(plot, f"Wrong letters over guesses, from {first:.2f} down to {last:.2f}")
        ),
        Section.of(
            "How",
            "Objective EL, expected loss: draw a reading y from the model, hear its loss, and step by "
            "(loss - mean loss) times (features of y - expected features). AdaGrad sets the step sizes, and "
            "an entropy term that cools with every epoch keeps the model guessing broadly at first.",
        ),
    ]
    return Report.of("Kibitz learns to read", lead, sections)
