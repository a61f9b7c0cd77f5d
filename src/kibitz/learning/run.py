"""A simulation between two stops: how far it is, what it has collected, and how it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.feedback.loss import Loss
from kibitz.feedback.preference import LossDifference, PairFeedback
from kibitz.learning.checkpoint import resume, save
from kibitz.learning.folder import read_folder, write_folder
from kibitz.learning.inputs import Inputs
from kibitz.learning.interrupt import Interrupt
from kibitz.learning.learner import Learner
from kibitz.learning.plan import Plan, Point
from kibitz.learning.rating import Rating
from kibitz.learning.selection import Selection
from kibitz.learning.stepping import ask_and_tell
from kibitz.spaces.weights import Array

SAVE_EVERY = 30.0  # seconds between checkpoints
UNLIMITED = 2**62
OUT_OF_RANGE = 1e30  # of a weight: far from the largest float, and far beyond any use
INPUTS_AN_ASK = 100  # at most: a run ends, too, once the model is sure of everything

Progress = Callable[[Point], None]


@dataclass(slots=True)
class Run:
    """All that a simulation needs to go on. What :meth:`save` writes, :meth:`restore` reads."""

    learner: Learner
    train: Any
    dev: Any
    loss: Loss
    judge: PairFeedback | None
    plan: Plan
    rating: Rating
    inputs: Inputs = field(init=False)
    selection: Selection = field(init=False)
    budget: int = field(init=False)
    done: int = 0  # asks
    used: int = 0  # inputs, those of which the model was sure among them
    heard: float = 0.0  # since the last evaluation, over `listened` iterations
    listened: int = 0
    seconds: float = 0.0
    learning_seconds: float = 0.0
    curve: list[Point] = field(default_factory=list)
    iterates: list[tuple[int, Array]] = field(default_factory=list)
    idle: bool = False  # hardly an ask needs a judge any more

    def __post_init__(self) -> None:
        learner, plan = self.learner, self.plan
        self.inputs = Inputs(len(self.train), plan.inputs, learner.order)
        self.selection = Selection(learner.seed, self.loss.higher_is_better)
        self.budget = UNLIMITED if plan.feedback is None else learner.judgements + plan.feedback
        learner.plan(horizon=plan.iterations, epoch=len(self.train))

    @property
    def ended(self) -> bool:
        """Whether there is nothing left to do."""
        cost = self.learner.objective.judgements
        next_ask = self.learner.judgements + (self.rating.expected + 1) * cost
        sure = self.used >= INPUTS_AN_ASK * self.plan.iterations
        return self.done >= self.plan.iterations or next_ask > self.budget or sure or self.idle

    def go(self, progress: Progress | None, folder: Path | None) -> bool:
        """Run to the end, or to Ctrl-C; returns whether it was that."""
        saved = time.perf_counter()
        with Interrupt() as interrupt:
            if not self.curve:
                self._stop(progress)
            while not self.ended and not interrupt.requested:
                began, before = time.perf_counter(), self.done
                self._learn(self.plan.next_stop(before, self.selection.draws_at) - before, interrupt)
                self.learning_seconds += time.perf_counter() - began
                if self.done > before and self.done % self.plan.every == 0:
                    self.idle = self.plan.idle(
                        self.curve, self.done, self.learner.judgements, len(self.train)
                    )
                if self.ended:
                    self.rating.deliver(self.learner)
                if self.done > before:
                    self._stop(progress)
                self.seconds += time.perf_counter() - began
                if folder is not None and time.perf_counter() - saved > SAVE_EVERY:
                    self.save(folder)
                    saved = time.perf_counter()
            if folder is not None:
                self.save(folder)
        return interrupt.requested

    def _learn(self, n: int, interrupt: Interrupt) -> None:
        learner, order = self.learner, self.inputs.take(n)
        compiles = learner.objective.compiles and learner.memory is None and learner.space.runs(self.loss)
        if self.judge is None and self.rating.at_once and compiles:
            plan = learner.step_plan(self.rating.rater, self.rating.chance)
            used, asked, heard = learner.space.run(self.train, order, plan, self.loss, self.budget)
        else:
            judge = self.judge or LossDifference(self.loss)
            used, asked, heard = ask_and_tell(
                learner, self.train, order, self.loss, judge, self.rating, self.budget, interrupt
            )
        self.inputs.advance(used)
        self.used += used
        self.done += asked
        self.listened += used
        self.heard += heard

    def _stop(self, progress: Progress | None) -> None:
        """Note what there is to note of this iteration."""
        if self.done == self.selection.draws_at:
            self.selection.draw(self.learner.weights)
        if self.plan.keep and self.done and self.done % self.plan.keep_every == 0:
            self.iterates.append((self.done, self.learner.weights))
        if self.done % self.plan.every == 0 or self.ended:
            self._evaluate(progress)

    def _evaluate(self, progress: Progress | None) -> None:
        learner, weights = self.learner, self.learner.weights
        if not (np.abs(weights) < OUT_OF_RANGE).all():
            raise InputError("the weights ran out of range: choose a smaller rate, or larger clipping")
        score = None if self.dev is None else learner.space.score(self.dev, weights, self.loss)
        self.selection.evaluate(self.done, weights, score, self._second_half)
        heard = self.heard / self.listened if self.listened and isfinite(self.heard) else None
        self.heard, self.listened = 0.0, 0
        self.curve.append(Point(self.done, learner.judgements, heard, score, self.seconds))
        if progress is not None:
            progress(self.curve[-1])

    @property
    def _second_half(self) -> bool:
        feedback = self.plan.feedback
        by_feedback = feedback is not None and 2 * (self.budget - self.learner.judgements) <= feedback
        return by_feedback or 2 * self.done >= self.plan.iterations

    def save(self, folder: Path) -> None:
        """Write the run down: the learner first, then what belongs to it, which names the learner."""
        name = f"learner-{self.learner.updates}"
        save(self.learner, folder / name)
        description = {
            "learner": name, "settings": self._settings(), "budget": self.budget, "done": self.done, "used": self.used,
            "idle": self.idle, "heard": [self.heard, self.listened], "seconds": [self.seconds, self.learning_seconds],
            "selection": self.selection.settings(), "curve": [asdict(point) for point in self.curve],
            "iterates": [t for t, _ in self.iterates], "rating": self.rating.state(),
        }  # fmt: skip
        kept = {f"iterate.{t}": weights for t, weights in self.iterates}
        chance = {"chance": self.rating.chance.state}
        write_folder(folder, description, {**self.selection.arrays(), **kept, **chance}, "simulation")
        for other in folder.glob("learner-*"):
            if other.name != name:
                for file in other.iterdir():
                    file.unlink()
                other.rmdir()

    def restore(self, folder: Path) -> None:
        """Go on from what :meth:`save` wrote, as if nothing had happened."""
        description, arrays = read_folder(folder, "simulation")
        for name, ours in self._settings().items():
            theirs = description["settings"].get(name)
            if theirs != ours:
                raise InputError(
                    f"{folder} holds a run with {name}={theirs}, not {ours}: resume with the settings it began with"
                )
        resume(self.learner, folder / description["learner"])
        self.budget, self.done, self.used = (description[name] for name in ("budget", "done", "used"))
        self.heard, self.listened = description["heard"]
        self.seconds, self.learning_seconds = description["seconds"]
        self.curve = [Point(**point) for point in description["curve"]]
        self.idle = description.get("idle", False)
        self.iterates = [(t, arrays[f"iterate.{t}"]) for t in description["iterates"]]
        self.selection.restore(description["selection"], arrays)
        self.rating.restore(description["rating"], arrays["chance"])

    def _settings(self) -> dict[str, Any]:
        """What a run that goes on must have in common with the one that was saved."""
        return {
            **asdict(self.plan), **self.rating.settings(), "loss": self.loss.name, "examples": len(self.train)
        }  # fmt: skip
