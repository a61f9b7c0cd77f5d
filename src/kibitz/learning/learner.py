"""The learner: it asks, it is told, and it is better at once.

    w  <-  w - rate * sum_d c_d (phi(x, y_d) - E_{sign_d w}[phi(x, y)])

``ask`` draws outputs and keeps what the step will need of the weights of that moment; ``tell`` weighs the draws by
the feedback and steps. ``simulate`` does both in one compiled loop, with the same bits.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.feedback.raters import CLEAN, Rater
from kibitz.learning.answer import Answer, answer_from
from kibitz.learning.control import check_control, control_of
from kibitz.learning.inputs import Order
from kibitz.learning.memory import Memory, Replay
from kibitz.learning.optimizers import SGD, Optimizer
from kibitz.learning.proposal import Pending, Proposal, propose
from kibitz.learning.remembered import remembered
from kibitz.learning.replay import replayed
from kibitz.learning.weighing import Weighing
from kibitz.objectives import Objective, objective_from
from kibitz.objectives.baselines import baseline_from
from kibitz.objectives.variates import Foreseen, Variate
from kibitz.spaces import step
from kibitz.spaces.coupling import COUPLINGS
from kibitz.spaces.first_class import CENTRE, HEAR, RULE, direct, first_class, update_signature
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Draw, Gradient, Output, Space, StepPlan
from kibitz.spaces.rows import squared_norm
from kibitz.spaces.step import Control
from kibitz.spaces.weights import Weights, effective

ASKS = ("all", "unsure", "gradient")
TWO = np.array([1, 1], np.int64)
APART = np.array([1.0, -1.0])


class Learner:
    """Learns to predict in ``space`` by minimising ``objective``.

    ``horizon`` is the number of updates planned: l2 is then lambda / horizon a step, as in the paper; without one,
    l2 is lambda a step. ``temperature`` weighs the entropy term, cooled with each ``epoch`` updates. ``asks`` is
    ``all``, or ``unsure``: then an input of which two draws beforehand are equal is not worth a judgement, and its
    proposal is ``decided``; or ``gradient``: then one of which they differ little is likely to be passed over, too.
    ``replay`` takes remembered judgements again after each new one. ``max_pending`` asks are remembered; older ones
    expire. Not safe to call from several threads at once.
    """

    def __init__(
        self,
        space: Space,
        objective: str | Objective = "el",
        *,
        optimizer: Optimizer | None = None,
        seed: int = 0,
        horizon: int | None = None,
        l2: float = 0.0,
        temperature: float = 0.0,
        epoch: int | None = None,
        asks: str = "all",
        replay: Replay | None = None,
        max_pending: int = 10_000,
        dtype: str = "float32",
    ) -> None:
        if not (np.isfinite(l2) and l2 >= 0.0):
            raise InputError(f"l2 is a number of at least 0, not {l2}")
        if not (np.isfinite(temperature) and temperature >= 0.0):
            raise InputError(f"the temperature is a number of at least 0, not {temperature}")
        if dtype not in ("float32", "float64"):
            raise InputError(f"weights are float32 or float64, not {dtype}")
        if asks not in ASKS:
            raise InputError(f"asks are about {' or '.join(ASKS)} inputs, not {asks!r}")
        for name, value in (("horizon", horizon), ("epoch", epoch), ("max_pending", max_pending)):
            if value is not None and value < 1:
                raise InputError(f"{name} is a whole number of at least 1, not {value!r}")
        self.space = space
        self.objective = objective_from(objective) if isinstance(objective, str) else objective
        self.optimizer = optimizer if optimizer is not None else SGD(rate=0.01)
        if self.optimizer.name == "normalized" and not self.objective.compiles:
            raise InputError(
                "the optimizer normalized measures what an input has, which the step of a control variate does not "
                "keep: choose another optimizer"
            )
        self.seed, self.max_pending, self.dtype = int(seed), int(max_pending), dtype
        self.horizon = None if horizon is None else int(horizon)
        self.epoch = None if epoch is None else int(epoch)
        self.l2, self.temperature = float(l2), float(temperature)
        self.asks = asks
        self.memory = None if replay is None else Memory(replay, seed)
        self.about: dict[str, Any] = {}  # what a saved model should say of itself: its task, its data
        self.order = Order(Generator(seed, stream=0))
        self.random = Generator(seed, stream=1)
        self.counters = np.zeros(2, np.int64)
        self.asking = np.zeros(2)
        chosen = baseline_from(self.objective.baseline)
        self.baseline = np.zeros(chosen.size)
        self.next_id = 0
        self.pending: OrderedDict[int, Pending] = OrderedDict()
        self.answered: OrderedDict[int, Answer] = OrderedDict()
        self.state: Weights = self.optimizer.start(space.size, space.columns, np.dtype(dtype))
        self._signs = np.array(self.objective.signs, np.int64)
        guesses = TWO[: 0 if asks == "all" else 2]  # drawn before those that are shown
        self._guesses, self._drawn = len(guesses), np.concatenate([guesses, self._signs])
        self._coupling = COUPLINGS[self.objective.coupling]
        self._weighing = Weighing(space, self.objective, self.baseline, self.temperature)
        self._update = direct(self.optimizer.update)
        self._params = np.array(self.objective.params)
        self._compares, self._judgements = self.objective.compares, self.objective.judgements
        self._varies = not self.objective.compiles
        self._control = self._controls()

    def plan(self, horizon: int, epoch: int) -> None:
        """Set the horizon and the epoch where they were left open, as a simulation does."""
        self.horizon = self.horizon or horizon
        self.epoch = self.epoch or epoch
        self._control[:] = self._controls()

    def _controls(self) -> Control:
        return control_of(
            self.optimizer, self.horizon, self.epoch, self.l2, self.temperature, ASKS.index(self.asks),
            baseline_from(self.objective.baseline), self.objective.coupling,
        )  # fmt: skip

    @property
    def updates(self) -> int:
        """Tells so far that changed the learner: the version of the model."""
        return int(self.counters[step.UPDATES])

    @property
    def judgements(self) -> int:
        """Feedback heard so far; a pair counts once, each rated output once, what is decided not at all."""
        return int(self.counters[step.JUDGEMENTS])

    @property
    def weights(self) -> npt.NDArray[np.floating]:
        """The weight vector, as a new flat array."""
        self.fit()
        return effective(self.state)[: self.space.size]

    def use(self, weights: npt.ArrayLike) -> None:
        """Go on from other weights; what the optimizer remembers starts afresh."""
        values = np.asarray(weights)
        if values.shape != (self.space.size,) or not np.isfinite(values).all():
            raise InputError(
                f"weights must be {self.space.size} finite numbers, not an array of shape {values.shape}"
            )
        self.state = self.optimizer.start(self.space.size, self.space.columns, np.dtype(self.dtype))
        self.state.table[:] = values

    def fit(self) -> None:
        """Make room for attributes that came since; new weights are zero."""
        size = self.space.size
        if len(self.state.table) < size:
            old, new = (
                self.state,
                self.optimizer.start(size + size // 2, self.space.columns, np.dtype(self.dtype)),
            )
            for before, after in zip(old[:4], new[:4], strict=True):
                after[: len(before)] = before
            self.state = new._replace(scalars=old.scalars)

    def ask(self, x: Any) -> Proposal:
        """Propose one output, or several to rate or to compare, for an input; the weights do not change."""
        space, objective = self.space, self.objective
        encoded = space.encode(x)
        self.fit()
        if objective.hears == "gold":
            draw, sure = space.propose_best(encoded, self.state), False
        else:
            draw = space.draw(encoded, self.state, self._drawn, self.random, self._coupling, self._guesses)
            sure = False
            if self._guesses:
                sure, draw = self._sure(encoded, draw), draw.after(self._guesses)
        proposal = propose(self.next_id, space, encoded, draw, self.updates, self._compares, sure)
        varies = self._varies and not sure and objective.hears != "gold"
        foreseen = self.foresee(encoded, draw) if varies else None
        self.pending[self.next_id] = Pending(proposal, encoded, draw, sure, foreseen)
        self.next_id += 1
        if len(self.pending) > self.max_pending:
            self.pending.popitem(last=False)
        return proposal

    def foresee(self, x: Any, draw: Draw) -> Foreseen | None:
        """What the control variate expects of a draw under the weights of now."""
        return self._weighing.foresee(x, self.state, draw)

    @property
    def variate(self) -> Variate:
        """The control variate, with what it has learned."""
        return self._weighing.variate

    def _sure(self, x: Any, draw: Draw) -> bool:
        """Whether the first two draws show the same, or differ by little: chance decides, by how sure the model is."""
        one, other = (self.space.shown(x, y) for y in draw.structures[:2])
        if one == other or self.asks == "unsure":
            return bool(one == other)
        between = self.space.gradient(x, draw, draw.codes[:2], APART, TWO)
        return not step.worth_asking(squared_norm(*between), self.asking, self.random.state)

    def tell(
        self, proposal: Proposal | int, *, loss: float | Sequence[float] | None = None,
        prefer: int | str | Sequence[int | str] | None = None, by: float | Sequence[float | None] | None = None,
        skip: bool = False, output: Output | None = None,
    ) -> None:  # fmt: skip
        """Feedback for a proposal (or its id): a ``loss``, which output is better, a gold ``output``, or ``skip``.

        Of several rated outputs, ``loss`` has one number for each. ``prefer`` is 0, 1 or ``"tie"``, graded ``by`` a
        number in [0, 1] if wanted; of more than two outputs both have an entry for each pair: first and second, first
        and third, and so on. The same tell again is ignored; a different one for the same id is an error.
        """
        key = proposal.id if isinstance(proposal, Proposal) else proposal
        pending, before = self.pending.get(key), self.answered.get(key)
        if pending is None and before is None:
            raise InputError(
                f"no proposal with the id {key!r} is waiting: it was never asked, or it has expired"
            )
        decided = (
            pending.proposal.decided if pending is not None else before is not None and before.kind == "tie"
        )
        answer = answer_from(
            self.objective.hears, self._judgements, decided, loss=loss, prefer=prefer, by=by, skip=skip,
            output=output,
        )  # fmt: skip
        if pending is None:
            if answer != before:
                raise InputError(
                    f"the proposal {key} was answered before, and differently: the first answer stands"
                )
            return
        if answer.kind != "skip" and not (answer.kind == "tie" and self._skips_ties(pending)):
            self._learn(pending, answer)
        del self.pending[key]
        self.answered[key] = answer
        if len(self.answered) > self.max_pending:
            self.answered.popitem(last=False)

    def _skips_ties(self, pending: Pending) -> bool:
        """A pair of equal outputs is a tie, as far as its rule knows; what is foreseen counts whatever was drawn.

        All else that is decided teaches nothing.
        """
        return pending.sure or (self.objective.hears != "pair" and pending.foreseen is None)

    def _learn(self, pending: Pending, answer: Answer) -> None:
        check_control(self._control)
        self.fit()
        coefficients, gradient = self.step_of(pending, answer)
        rate = step.advance(self.state, self._control, self.counters)
        if any(coefficients) or len(self.state.velocity) or self._varies:
            self._update(self.state, *gradient, rate)
        if answer.kind != "tie":
            several = answer.kind != "gold" and len(self._signs) > 1
            self.counters[step.JUDGEMENTS] += pending.proposal.judged(self.objective) if several else 1
        if self.memory is not None and (answer.kind != "tie" or any(coefficients)):
            self._replay(self.memory, pending, answer)

    def _replay(self, memory: Memory, pending: Pending, answer: Answer) -> None:
        """Remember a judgement, and take remembered ones again; the model's version stays."""
        memory.keep(remembered(pending.x, pending.draw, answer, self.judgements), self.space)
        for entry in memory.chosen(self.judgements):
            gradient = replayed(entry, memory, self._weighing, self.state, self._control, self.updates)
            if gradient is not None:
                self._update(self.state, *gradient, float(step.rate_at(self._control, self.updates)))

    def step_of(self, pending: Pending, answer: Answer) -> tuple[list[float], Gradient]:
        """s_t and its coefficients, before the optimizer; the baseline learns, the weights do not change."""
        space, draw, x = self.space, pending.draw, pending.x
        if answer.kind != "gold":
            return self._corrected(pending, answer)
        coefficients, codes = (
            [self._weighing.gold(0.0, 0.0, self._params)],
            (space.gold(x, draw, answer.output),),
        )
        return coefficients, space.gradient(x, draw, codes, np.array(coefficients), self._signs[:1])

    def _corrected(self, pending: Pending, answer: Answer) -> tuple[list[float], Gradient]:
        """The step of what was heard, less the control variate."""
        draw, x, weighing, signs = pending.draw, pending.x, self._weighing, self._signs
        coefficients = [0.0] * len(signs)
        if (
            answer.kind != "tie" or self.objective.hears == "pair"
        ):  # held against each other, equal ones are alike
            coefficients = weighing.weigh(x, draw, answer, self._control, self.updates, pending.foreseen)

        gradient = self.space.gradient(x, draw, draw.codes, np.array(coefficients), signs)
        if self._varies:

            def unit() -> Gradient:
                return self.space.gradient(x, draw, draw.codes, weighing.units(draw, self._control), signs)

            gradient = weighing.variate.corrected(gradient, unit, pending.foreseen)
        return coefficients, gradient

    def predict(self, x: Any) -> Output:
        """The most probable output; nothing changes."""
        encoded = self.space.encode(x)
        self.fit()
        return self.space.best(encoded, self.state)

    def step_plan(self, rater: Rater = CLEAN, chance: Generator | None = None) -> StepPlan:
        """This learner's state, for a compiled run that hears this rater, who draws from ``chance``."""
        check_control(self._control)
        self.fit()
        return StepPlan(
            self.state, self._signs, self.objective.hears, first_class(self.objective.rule, RULE), self._params,
            first_class(baseline_from(self.objective.baseline).centre, CENTRE), self.baseline,
            first_class(self.optimizer.update, update_signature(self.dtype)), self._control, self.random.state,
            self.counters, first_class(rater.hear, HEAR), np.array(rater.params), (chance or Generator()).state,
            self.asking,
        )  # fmt: skip

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to the folder ``path``: loading it goes on as if nothing had happened."""
        from kibitz.learning.checkpoint import save

        save(self, path)
