"""From what was heard of each draw to its coefficient: the rule, the entropy term, the baseline."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.learning.answer import Answer
from kibitz.objectives import Objective
from kibitz.objectives.baselines import baseline_from
from kibitz.objectives.likelihood import rule as likelihood_rule
from kibitz.objectives.variates import Foreseen, variate_from
from kibitz.spaces import step
from kibitz.spaces.coupling import INDEPENDENT
from kibitz.spaces.first_class import direct
from kibitz.spaces.protocol import Draw, Floats, Space
from kibitz.spaces.rows import squared_norm
from kibitz.spaces.sharing import HEARS, PAIR, add_value, pair_of, share, values_of
from kibitz.spaces.step import Control
from kibitz.spaces.weights import Weights


class Weighing:
    """Gives a draw its coefficients; ``baseline`` is the learner's, and learns from every one."""

    def __init__(self, space: Space, objective: Objective, baseline: Floats, temperature: float) -> None:
        self.space, self.baseline, self.heated = space, baseline, temperature > 0.0
        chosen = baseline_from(objective.baseline)
        self.needs = chosen.needs
        self.signs = np.array(objective.signs, np.int64)
        self.hears, self.draws = HEARS[objective.hears], len(objective.signs)
        self.pair = self.hears == PAIR
        self.params = np.array(objective.params)
        self.rule = direct(objective.rule)
        self.gold = self.rule if objective.hears == "gold" else likelihood_rule  # of an output that is told
        self.centre = direct(chosen.centre)
        self.facts = np.zeros(step.FACTS)
        self.variate = variate_from(objective.control_variate)

    def weigh(
        self, x: Any, draw: Draw, answer: Answer, control: Control, t: int, foreseen: Foreseen | None = None
    ) -> list[float]:
        """The coefficient of each draw at update ``t``; what was foreseen of a value is taken from it."""
        values = self._centred(x, draw, answer, control, t, self.baseline, foreseen)
        if self.draws == 1:
            return values
        c = np.zeros(self.draws)
        for n, value in enumerate(values):
            add_value(self.hears, n, value, self.draws, c)
        share(self.hears, control, draw.log_probs, self.draws, c)
        return c.tolist()

    def again(
        self, x: Any, draw: Draw, answer: Answer, control: Control, t: int, shares: Floats, then: Floats
    ) -> list[float]:
        """The same for a draw recalled under the weights of now, from which no baseline learns a second time.

        ``shares`` are the importance weights of the values: of a pair's, or of one draw less the others. ``then`` are
        the log-probabilities with which the outputs were drawn.
        """
        c = np.zeros(self.draws)
        centred = self._centred(x, draw, answer, control, t, self.baseline.copy(), shares=shares)
        for n, value in enumerate(centred):
            add_value(self.hears, n, shares[n] * value if self.pair else value, self.draws, c)
        share(self.hears, control, then, self.draws, c)
        if not self.pair:
            c *= shares
        return c.tolist()

    def _centred(
        self, x: Any, draw: Draw, answer: Answer, control: Control, t: int, baseline: Floats,
        foreseen: Foreseen | None = None, shares: Floats | None = None,
    ) -> list[float]:  # fmt: skip
        """The rule and the entropy term of each draw, or of each pair, less what was expected of them.

        What has no share may be infinite, and is 0.
        """
        if self.needs:
            self._note(x, draw)
        together = self.pair or control[step.COUPLING] != INDEPENDENT
        expected: float | None = None
        found: list[float] = []
        for n, feedback in enumerate(answer.values or (answer.value,) * values_of(self.hears, self.draws)):
            if shares is not None and not shares[n]:
                found.append(0.0)
                continue
            d, e = pair_of(n, self.draws) if self.pair else (n, n)
            odds = draw.log_probs[d] - draw.log_probs[e] if self.pair else draw.log_probs[d]
            value = self.rule(feedback, odds, self.params)
            if self.heated:
                value += self._entropy_term(draw, d, e, control, t)
            if foreseen is not None:
                self.variate.learn(foreseen, n, value)
                value -= foreseen.values[n]
            if self.needs >= step.STEP:
                self.facts[step.NORM] = self._unit_norm(x, draw, n)
            centred = self.centre(value, self.facts, baseline)
            if expected is None:
                expected = value - centred
            elif together:
                centred = value - expected
            found.append(centred)
        return found

    def units(self, draw: Draw, control: Control) -> Floats:
        """The coefficients if every value were 1."""
        c = np.zeros(self.draws)
        for n in range(values_of(self.hears, self.draws)):
            add_value(self.hears, n, 1.0, self.draws, c)
        share(self.hears, control, draw.log_probs, self.draws, c)
        return c

    def foresee(self, x: Any, weights: Weights, draw: Draw) -> Foreseen | None:
        """What the control variate expects of a draw."""
        return self.variate.foresee(self.space, x, weights, draw, self.pair, self.signs)

    def _unit_norm(self, x: Any, draw: Draw, n: int) -> float:
        unit = np.zeros(self.draws)
        add_value(self.hears, n, 1.0, self.draws, unit)
        return squared_norm(*self.space.gradient(x, draw, draw.codes, unit, self.signs))  # type: ignore[no-any-return]

    def _note(self, x: Any, draw: Draw) -> None:
        """What the baseline may know."""
        self.facts[step.ENTROPY], self.facts[step.LENGTH] = draw.entropy, draw.length
        if self.needs >= step.INPUT:
            self.facts[step.KEY] = self.space.key(x)

    def _entropy_term(self, draw: Draw, d: int, e: int, control: Control, t: int) -> Any:
        if self.pair and self.signs[e] > 0:
            return step.entropy_term_of_pair(draw.log_probs[d] - draw.log_probs[e], draw.length, control, t)
        return step.entropy_term(draw.log_probs[d], draw.entropy, draw.length, control, t)
