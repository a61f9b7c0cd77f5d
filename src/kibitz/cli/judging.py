"""One sitting of a person with a model: show, hear one key, learn, show what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import typer

from kibitz.cli.display import picture, shown
from kibitz.cli.keys import read_key
from kibitz.features import Pixels
from kibitz.learning.proposal import Proposal
from kibitz.tasks.inputs import Input
from kibitz.tasks.models import SavedModel

SAVE_EVERY = 5  # answers
RATINGS = "0123456789"


class _Left(Exception):
    """The person has had enough."""


@dataclass(slots=True)
class Session:
    """Asks about the inputs in random order, over and over, until the person leaves."""

    model: SavedModel
    inputs: Sequence[Input]
    seed: int
    answers: int = 0
    skipped: int = 0
    _unsaved: int = field(default=0, init=False)

    def run(self, count: int | None = None) -> None:
        """Go on until `count` answers, the key q, or the end of the input."""
        generator = np.random.default_rng([self.seed, self.model.learner.updates])
        for each in self._order(generator):
            if count is not None and self.answers >= count:
                return
            try:
                self._about(each, flipped=bool(generator.random() < 0.5))
            except _Left:
                return
            if self._unsaved >= SAVE_EVERY:
                self.save()

    def save(self) -> None:
        """Write the model down where there is anything new."""
        if self._unsaved:
            self.model.save()
            self._unsaved = 0

    def _order(self, generator: np.random.Generator) -> Iterator[Input]:
        while True:
            before = self.answers + self.skipped
            for i in generator.permutation(len(self.inputs)):
                yield self.inputs[int(i)]
            if self.answers + self.skipped == before:
                typer.echo(
                    "The model draws the same output twice on every input: there is nothing left to compare."
                )
                return

    def _about(self, each: Input, *, flipped: bool) -> None:
        learner = self.model.learner
        proposal = learner.ask(each.raw)
        if proposal.decided:
            learner.tell(proposal)
            return
        before = learner.predict(each.raw)
        self._show_input(each)
        rates = learner.objective.hears != "pair"
        heard = self._ratings(each, proposal) if rates else self._choices(each, proposal, flipped)
        if heard is None:
            learner.tell(proposal, skip=True)
            self.skipped += 1
            return
        learner.tell(proposal, **heard)
        self.answers += 1
        self._unsaved += 1
        after = learner.predict(each.raw)
        if after != before:
            typer.echo(f"  now   {shown(each.words, each.read(after), each.read(before))}")

    def _show_input(self, each: Input) -> None:
        typer.echo()
        if each.heading:
            typer.echo(f"        {each.heading}")
        extractor = getattr(self.model.space, "extractor", None)
        if isinstance(extractor, Pixels):
            typer.echo(picture(each.raw, extractor.height, extractor.width))

    def _ratings(self, each: Input, proposal: Proposal) -> dict[str, Any] | None:
        losses = []
        for output in proposal.outputs:
            typer.echo(f"        {shown(each.words, each.read(output))}")
            key = _key("How good is it, 0 (all wrong) to 9 (perfect)? s skips, q leaves: ", RATINGS + "sq")
            if key == "s":
                return None
            losses.append(1.0 - int(key) / 9.0)
        return {"loss": losses if len(losses) > 1 else losses[0]}

    def _choices(self, each: Input, proposal: Proposal, flipped: bool) -> dict[str, Any] | None:
        """One pair after the other; equal outputs need no answer."""
        told: list[int | str] = []
        for first, second in combinations(proposal.outputs, 2):
            answer = "tie" if first == second else self._choice(each, first, second, flipped)
            if answer is None:
                return None
            told.append(answer)
        return {"prefer": told if len(told) > 1 else told[0]}

    def _choice(self, each: Input, first: Any, second: Any, flipped: bool) -> int | str | None:
        """The sides are shuffled, so that a person who favours one of them teaches nothing wrong."""
        outputs = [each.read(output) for output in (first, second)]
        sides = outputs[::-1] if flipped else outputs
        for side, output in enumerate(sides):
            typer.echo(f"  {side + 1}     {shown(each.words, output, sides[1 - side])}")
        key = _key("Which is better, 1 or 2? t: a tie, s skips, q leaves: ", "12tsq")
        if key == "s":
            return None
        if key == "t":
            return "tie"
        return int(key) - 1 if not flipped else 2 - int(key)


def _key(question: str, allowed: str) -> str:
    while True:
        typer.echo(question, nl=False)
        key = read_key()
        typer.echo(key)
        if key in ("", "q"):
            raise _Left
        if key in allowed:
            return key
