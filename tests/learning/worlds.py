"""Small worlds to learn in: for tests, and for the processes that they start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.feedback import Hamming
from kibitz.learning.inputs import Inputs
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD, AdaGrad, Adam, Normalized, Optimizer
from kibitz.objectives import Objective, objective_from
from kibitz.spaces.chain import Chain
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Distribution, Space, SparseVector, sparse
from kibitz.spaces.weights import Array, Weights, as_weights, effective

Floats = npt.NDArray[np.float64]
Sentence = list[list[Any]]

LABELS = ("A", "B", "C")
HAMMING = Hamming()


def sentences(count: int = 16, *, valued: bool = False) -> tuple[list[Sentence], list[tuple[str, ...]]]:
    """Sentences in which attributes occur several times, at one place and at several, with gold labels."""
    random = np.random.default_rng(0)

    def attribute() -> Any:
        name = f"a{random.integers(12)}"
        return (name, float(random.normal())) if valued else name

    raws = [[[attribute() for _ in range(4)] for _ in range(random.integers(1, 6))] for _ in range(count)]
    golds = [tuple(_label(token[0], random) for token in raw) for raw in raws]
    return raws, golds


def _label(attribute: Any, random: np.random.Generator) -> str:
    """Mostly by the first attribute, so that there is something to learn, and now and then by chance."""
    name = attribute if isinstance(attribute, str) else attribute[0]
    number = int(name[1:]) if random.random() < 0.8 else int(random.integers(3))
    return LABELS[number % 3]


def chain(order: int = 1) -> Chain:
    """Labels A, B and C; B never follows A, so that something is forbidden."""
    return Chain(LABELS, order=order, forbidden=[("A", "B")], start="A" if order == 2 else None)


def allowed(golds: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The same gold labellings without the forbidden step, for those who learn from them."""
    return [tuple("A" if label == "B" else label for label in gold) for gold in golds]


def _objectives() -> dict[str, Objective]:
    found = {
        "el": objective_from("el"),
        "el mean": objective_from("el", baseline="mean"),
        "ce": objective_from("ce"),
        "ce mean": objective_from("ce", clip=0.2, baseline="mean"),
        "el input": objective_from("el", baseline="input"),
        "el linear": objective_from("el", baseline="linear"),
        "el optimal": objective_from("el", baseline="optimal"),
        "el leave-one-out of 3": objective_from("el", baseline="leave-one-out", draws=3),
        "ce optimal of 2": objective_from("ce", baseline="optimal", draws=2),
        "likelihood": objective_from("likelihood"),
        "pr-cont mean": objective_from(
            "pr-cont", pair_loss="shortfall", opponent="contrast", baseline="mean"
        ),
        "pr-cont optimal": objective_from(
            "pr-cont", pair_loss="shortfall", opponent="contrast", baseline="optimal"
        ),
        "el antithetic": objective_from("el", draws=2, coupling="antithetic", baseline="mean"),
        "el without replacement, leave-one-out": objective_from(
            "el", draws=2, coupling="without-replacement", baseline="leave-one-out"
        ),
        "pr-bin without replacement": objective_from(
            "pr-bin", pair_loss="signed", opponent="self", coupling="without-replacement"
        ),
        "pr-cont of 3, optimal": objective_from(
            "pr-cont", pair_loss="shortfall", opponent="self", draws=3, baseline="optimal"
        ),
        "pr-bin linear": objective_from("pr-bin", pair_loss="shortfall", opponent="self", baseline="linear"),
    }
    for name, pair_loss, opponent in product(
        ("pr-bin", "pr-cont"), ("violation", "shortfall", "signed"), ("contrast", "self")
    ):
        found[f"{name} {pair_loss} {opponent}"] = objective_from(name, pair_loss=pair_loss, opponent=opponent)
    return found


OBJECTIVES = _objectives()
# Too many draws for an enumeration of them all on every space.
SEVERAL: dict[str, Objective] = {
    "ce antithetic of 4, leave-one-out": objective_from(
        "ce", draws=4, coupling="antithetic", baseline="leave-one-out"
    ),
    "pr-bin of 4": objective_from("pr-bin", pair_loss="signed", opponent="self", draws=4),
    "el without replacement": objective_from("el", draws=2, coupling="without-replacement", baseline="mean"),
}

# name: (optimizer, what else the learner is given)
OPTIMIZERS: dict[str, tuple[Optimizer, dict[str, Any]]] = {
    "sgd": (SGD(0.3), {}),
    "sgd linear l2": (SGD(0.3, schedule="linear"), {"l2": 40.0}),
    "momentum": (SGD(0.1, momentum=0.9), {"temperature": 0.3}),
    "momentum sqrt l2": (SGD(0.2, schedule="sqrt", decay_from=7.0, momentum=0.8), {"l2": 3.0}),
    "adagrad": (AdaGrad(0.2), {"temperature": 0.3}),
    "adagrad 3/8": (AdaGrad(0.2, exponent=0.375), {"temperature": 0.3, "asks": "unsure"}),
    "adam l2": (Adam(0.1), {"l2": 3.0, "asks": "gradient"}),
    "normalized": (Normalized(), {"temperature": 0.3, "l2": 0.5}),
    "adagrad inverse l2": (AdaGrad(0.3, schedule="inverse", decay_from=20.0), {"l2": 1e-15}),
}


def learner_of(space: Space, objective: str = "el", optimizer: str = "sgd", **more: Any) -> Learner:
    """A learner by the names of the tables above."""
    rule, settings = OPTIMIZERS[optimizer]
    return Learner(
        space, {**OBJECTIVES, **SEVERAL}[objective], optimizer=rule, seed=3, **{**settings, **more}
    )


def fingerprint(learner: Learner) -> dict[str, bytes]:
    """All bits that learning changes."""
    state = learner.state
    arrays = {
        "table": state.table[: learner.space.size],
        "velocity": state.velocity[: learner.space.size],
        "memory": state.memory[: len(state.memory) // len(state.table) * learner.space.size],
        "scalars": state.scalars,
        "weights": learner.weights,
        "draws": learner.random.state,
        "order": learner.order.random.state,
        "counters": learner.counters,
        "baseline": learner.baseline,
        "asking": learner.asking,
    }
    return {name: array.tobytes() for name, array in arrays.items()}


def by_hand(
    learner: Learner, train: Any, loss: Any, iterations: int, inputs: str, budget: int | None = None
) -> None:
    """What `simulate` promises, said with ask and tell."""
    learner.plan(horizon=iterations, epoch=len(train))
    order, asked = Inputs(len(train), inputs, learner.order), 0
    for i in order.take(100 * iterations).tolist():
        if asked == iterations:
            return
        if budget is not None and learner.judgements + learner.objective.judgements > budget:
            return
        proposal = learner.ask(train[i])
        asked += not learner.pending[proposal.id].sure
        answer(learner, proposal.id, loss, train.gold_of(i))
        order.advance(1)


def answer(learner: Learner, key: int, loss: Any, gold: Any) -> None:
    """Tell what a judge who knows the gold output says."""
    proposal = learner.pending[key].proposal
    if learner.objective.hears == "gold":
        learner.tell(key, output=gold)
    elif proposal.decided:
        learner.tell(key)
    elif learner.objective.hears == "loss":
        losses = [loss(output, gold) for output in proposal.outputs]
        learner.tell(key, loss=losses if len(losses) > 1 else losses[0])
    else:
        pairs = list(combinations([loss(output, gold) for output in proposal.outputs], 2))
        prefer = ["tie" if first == second else int(first > second) for first, second in pairs]
        by = [abs(first - second) or None for first, second in pairs]
        learner.tell(key, prefer=prefer if len(pairs) > 1 else prefer[0], by=by if len(pairs) > 1 else by[0])


LAG = 3  # answers come so many asks late


def follow(learner: Learner, raws: Sequence[Any], golds: Sequence[Any], start: int, stop: int) -> None:
    """Steps `start` to `stop` of a conversation in which answers come late."""
    for t in range(start, stop):
        learner.ask(raws[t % len(raws)])
        if t >= LAG:
            answer(learner, t - LAG, HAMMING, golds[(t - LAG) % len(golds)])


class Shortlist(Space):
    """A user's own space in pure Python: which of some candidates, each a row of numbers, is the one."""

    kind = "shortlist"

    def __init__(self, width: int) -> None:
        self.width = width

    @property
    def size(self) -> int:
        return self.width

    def encode(self, raw: Any) -> Mapping[str, Floats]:
        return raw if isinstance(raw, Mapping) else {"rows": np.array(raw, dtype=np.float64)}

    def structures(self, x: Mapping[str, Floats]) -> Iterator[int]:
        return iter(range(len(x["rows"])))

    def features(self, x: Mapping[str, Floats], y: int) -> SparseVector:
        row = x["rows"][y]
        return sparse(np.flatnonzero(row), row[row != 0])

    def distribution(self, x: Any, weights: Weights | Array, sign: int = 1) -> Softmax:
        rows = Shortlist.encode(self, x)["rows"]
        return Softmax(rows, sign, sign * (rows @ effective(as_weights(weights))[: self.width]))

    def settings(self) -> dict[str, Any]:
        return {"width": self.width}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {}

    @classmethod
    def restore(cls, settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Shortlist:
        return cls(settings["width"])


@dataclass(frozen=True)
class Softmax(Distribution):
    """Everything from the vector of scores."""

    rows: Floats
    sign: int
    scores: Floats

    @property
    def log_partition(self) -> float:  # type: ignore[override]
        return float(np.logaddexp.reduce(self.scores))

    @property
    def p(self) -> Floats:
        return np.exp(self.scores - self.log_partition)

    def log_prob(self, y: int) -> float:
        return float(self.scores[y] - self.log_partition)

    def sample(self, generator: Generator) -> int:
        reached = np.cumsum(self.p)
        return int(np.searchsorted(reached, generator.uniform() * reached[-1], side="right"))

    def argmax(self) -> int:
        return int(self.scores.argmax())

    def top_k(self, k: int) -> list[tuple[int, float]]:
        return [(int(y), self.log_prob(int(y))) for y in np.argsort(-self.scores, kind="stable")[:k]]

    def expected_features(self) -> SparseVector:
        return sparse(np.arange(self.rows.shape[1]), self.p @ self.rows)

    def entropy(self) -> float:
        return -float(self.p @ (self.scores - self.log_partition))

    def expected_loss(self, part_costs: Any) -> tuple[float, SparseVector]:
        p, costs = self.p, np.asarray(part_costs, np.float64)
        value = float(p @ costs)
        slope = self.sign * ((p * (costs - value)) @ self.rows)
        return value, sparse(np.arange(self.rows.shape[1]), slope)


def shortlists(count: int = 12, width: int = 5) -> tuple[list[list[list[float]]], list[int]]:
    """Lists of two to five candidates; the best is the one with the largest first number."""
    random = np.random.default_rng(1)
    lists = [random.normal(size=(random.integers(2, 6), width)) for _ in range(count)]
    return [rows.tolist() for rows in lists], [int(rows[:, 0].argmax()) for rows in lists]


def rank_loss(output: int, gold: int) -> float:
    """How far off, at most 1."""
    return min(1.0, abs(output - gold) / 4)
