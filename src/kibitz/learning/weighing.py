"""From what was heard of each draw to its coefficient: the rule, the entropy term, the baseline."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.learning.answer import Answer
from kibitz.objectives import Objective
from kibitz.objectives.baselines import baseline_from
from kibitz.objectives.likelihood import rule as likelihood_rule
from kibitz.spaces import step
from kibitz.spaces.first_class import direct
from kibitz.spaces.protocol import Draw, Floats, Space
from kibitz.spaces.rows import squared_norm
from kibitz.spaces.step import Control


class Weighing:
    """Gives a draw its coefficients; ``baseline`` is the learner's, and learns from every one."""

    def __init__(self, space: Space, objective: Objective, baseline: Floats, temperature: float) -> None:
        self.space, self.baseline, self.heated = space, baseline, temperature > 0.0
        chosen = baseline_from(objective.baseline)
        self.needs, self.others = chosen.needs, chosen.others
        self.signs = np.array(objective.signs, np.int64)
        self.pair = objective.hears == "pair"
        self.params = np.array(objective.params)
        self.rule = direct(objective.rule)
        self.gold = self.rule if objective.hears == "gold" else likelihood_rule  # of an output that is told
        self.centre = direct(chosen.centre)
        self.facts = np.zeros(step.FACTS)

    def weigh(self, x: Any, draw: Draw, answer: Answer, control: Control, t: int) -> list[float]:
        """The coefficient of each draw at update ``t``."""
        if self.needs:
            self._note(x, draw)
        values = self._values(draw, answer, control, t)
        centred: list[float] = []
        for d, value in enumerate(values):
            if self.needs >= step.STEP:
                unit = np.array([1.0, -1.0]) if self.pair else np.eye(len(self.signs))[d]
                self.facts[step.NORM] = squared_norm(
                    *self.space.gradient(x, draw, draw.codes, unit, self.signs)
                )
            centred.append(self.centre(value, self.facts, self.baseline))
        return self._coefficients(centred)

    def again(self, x: Any, draw: Draw, answer: Answer, control: Control, t: int) -> list[float]:
        """The same for a draw recalled under the weights of now, from which no baseline learns a second time."""
        if self.needs:
            self._note(x, draw)
        state = self.baseline.copy()
        return self._coefficients(
            [self.centre(value, self.facts, state) for value in self._values(draw, answer, control, t)]
        )

    def _values(self, draw: Draw, answer: Answer, control: Control, t: int) -> list[float]:
        """The rule and the entropy term of each draw, or of the pair."""
        values: list[float] = []
        for d, feedback in enumerate((answer.value,) if self.pair else answer.values):
            odds = draw.log_probs[0] - draw.log_probs[1] if self.pair else draw.log_probs[d]
            value = self.rule(feedback, odds, self.params)
            if self.heated:
                value += self._entropy_term(draw, d, control, t)
            values.append(value)
        return values

    def _coefficients(self, values: list[float]) -> list[float]:
        """From the value of each draw to its coefficient; a pair has one value."""
        if self.pair:
            values.append(-values[0])
        elif len(values) > 1:
            coefficients = np.array(values)
            (step.leave_one_out if self.others else step.divide)(coefficients, len(values))
            values = coefficients.tolist()
        return values

    def _note(self, x: Any, draw: Draw) -> None:
        """What the baseline may know."""
        self.facts[step.ENTROPY], self.facts[step.LENGTH] = draw.entropy, draw.length
        if self.needs >= step.INPUT:
            self.facts[step.KEY] = self.space.key(x)

    def _entropy_term(self, draw: Draw, d: int, control: Control, t: int) -> Any:
        if self.pair and self.signs[1] > 0:
            return step.entropy_term_of_pair(draw.log_probs, draw.length, control, t)
        return step.entropy_term(draw.log_probs[d], draw.entropy, draw.length, control, t)
