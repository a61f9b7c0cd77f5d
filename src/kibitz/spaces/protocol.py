"""What a space is: the one protocol that learners, analysis and the contract suite rely on.

A space knows the structures ``Y(x)`` of an input and the Gibbs distribution on them (the paper's equation 2),

    p_w(y | x) = exp(w . phi(x, y)) / Z_w(x),

under ``+w`` and, for the opponents of pairwise learning, under ``-w``. What a person sees of a structure is its
output, ``shown(x, y)``: of a tag sequence all of it, of a derivation the words that it derives. Structures of which
the same is shown cannot be told apart by any feedback, so an output has the *propensity*

    p_w(shown) = sum of p_w(y | x) over the structures y of which it is shown.
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.spaces.coupling import INDEPENDENT, drawn_together
from kibitz.spaces.generator import Generator
from kibitz.spaces.vectors import Gradient, SparseVector, sparse
from kibitz.spaces.weights import REACH, SCALE, Array, Weights

__all__ = [
    "Distribution", "Draw", "Examples", "Floats", "Gradient", "Output", "Signs", "Space", "SparseVector", "StepPlan",
    "Structure", "sparse",
]  # fmt: skip

Structure = Any
Output = Any  # what is shown of a structure
Floats = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int64]  # of each draw: +1 from p_w, -1 from p_{-w}; those of -1 come last


class Draw(NamedTuple):
    """What an ask must keep until it is told: the draws, their propensities and E[phi], all under its weights."""

    structures: tuple[Structure, ...]
    codes: tuple[Any, ...]  # the structures as the space's ``gradient`` takes them
    log_probs: npt.NDArray[np.float64]  # of what is shown of them: log-propensities
    expected: tuple[npt.NDArray[Any], ...]  # the space's own form of E[phi], one or more arrays
    length: int  # of the output, in the units in which its entropy is reported
    entropy: float = 0.0  # of p_w
    own: npt.NDArray[np.float64] | None = (
        None  # log-probabilities of the structures, where others show the same
    )

    @property
    def densities(self) -> npt.NDArray[np.float64]:
        """The log-probabilities of the structures themselves."""
        return self.log_probs if self.own is None else self.own

    def after(self, n: int) -> Draw:
        """The same without the first ``n`` structures."""
        own = None if self.own is None else self.own[n:]
        return self._replace(
            structures=self.structures[n:], codes=self.codes[n:], log_probs=self.log_probs[n:], own=own
        )


class Examples:
    """Encoded inputs with their gold outputs, where there are any."""

    def __init__(self, inputs: Sequence[Any], golds: Sequence[Output] | None = None) -> None:
        self._inputs, self._golds = inputs, golds

    def __len__(self) -> int:
        return len(self._inputs)

    def __getitem__(self, i: int) -> Any:
        return self._inputs[i]

    @property
    def has_gold(self) -> bool:
        """Whether gold outputs are known."""
        return self._golds is not None

    def gold_of(self, i: int) -> Output:
        """The gold output of input ``i``."""
        if self._golds is None:
            raise InputError("these inputs come without gold outputs, so there is nothing to compare with")
        return self._golds[i]


class StepPlan(NamedTuple):
    """All that a step needs but the input and the feedback: the learner's state and its first-class functions."""

    weights: Weights
    signs: npt.NDArray[np.int64]
    hears: str
    rule: Any
    params: npt.NDArray[np.float64]
    centre: Any
    baseline: npt.NDArray[np.float64]
    update: Any
    control: npt.NDArray[np.float64]
    random: npt.NDArray[np.uint64]
    counters: npt.NDArray[np.int64]
    hear: Any  # what becomes of a judgement on its way
    habits: npt.NDArray[np.float64]  # the parameters of that
    chance: npt.NDArray[np.uint64]  # and its random numbers
    asking: npt.NDArray[
        np.float64
    ]  # by how much draws differed beforehand (`kibitz.spaces.step.worth_asking`)


class Distribution(ABC):
    """The Gibbs distribution of one input under one sign."""

    log_partition: float

    @abstractmethod
    def log_prob(self, y: Structure) -> float:
        """The log-probability of a structure; minus infinity where it is forbidden."""

    def log_propensity(self, shown: Output) -> float:
        """The log-probability that an output is shown, by whatever structure; minus infinity where none has it."""
        return self.log_prob(shown)

    @abstractmethod
    def sample(self, generator: Generator) -> Structure:
        """An exact draw."""

    @abstractmethod
    def argmax(self) -> Structure:
        """A most probable structure."""

    @abstractmethod
    def top_k(self, k: int) -> list[tuple[Structure, float]]:
        """The k most probable structures with their log-probabilities, best first."""

    @abstractmethod
    def expected_features(self) -> SparseVector:
        """E[phi(x, y)]."""

    @abstractmethod
    def entropy(self) -> float:
        """-E[log p(y)], of structures."""

    @abstractmethod
    def expected_loss(self, part_costs: Any) -> tuple[float, SparseVector]:
        """The mean of a loss that adds over parts, and its gradient in the weights."""

    def expected_parts(self) -> Floats:
        """E[parts(x, y)]: how often each part is used in the mean, laid out as the costs of :meth:`expected_loss`."""
        raise InputError(
            f"a {type(self).__name__} does not say how probable parts are: give it expected_parts"
        )


class Space(ABC):
    """The structures of inputs, the features of both, and what is shown of them."""

    kind: str

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of weights; it may grow as inputs bring new attributes."""

    @property
    def columns(self) -> int:
        """How many weights share a row (see :class:`Gradient`)."""
        return 1

    def enough(self, weights: Weights) -> Weights:
        """These weights, of which there must be one for every feature."""
        if len(weights.table) < self.size:
            raise InputError(f"{len(weights.table)} weights were given where there are {self.size}")
        return weights

    @abstractmethod
    def encode(self, raw: Any) -> Any:
        """An input as the space works with it; an encoded input is returned as it is."""

    @abstractmethod
    def distribution(self, x: Any, weights: Weights | Array, sign: int = 1) -> Distribution:
        """p_{sign w}(. | x)."""

    @abstractmethod
    def features(self, x: Any, y: Structure) -> SparseVector:
        """phi(x, y)."""

    @abstractmethod
    def structures(self, x: Any) -> Iterator[Structure]:
        """Every allowed structure, one after the other; only for inputs small enough."""

    def parts(self, x: Any, y: Structure) -> Floats:
        """How often a structure uses each part, laid out as the costs that ``expected_loss`` takes."""
        raise InputError(
            f"the space {self.kind!r} does not say what its structures are made of: give it parts"
        )

    def shown(self, x: Any, y: Structure) -> Output:
        """What a person sees of a structure, and losses compare: by default all of it."""
        return y

    def code(self, x: Any, y: Structure) -> Any:
        """A structure as :meth:`gradient` takes it."""
        return y

    def gold(self, x: Any, draw: Draw, shown: Output) -> Any:
        """An output that the learner was told, as :meth:`gradient` takes it.

        Where an output is shown of many structures, that is their mean under the weights of the draw: its phi is
        E[phi | shown].
        """
        return self.code(x, shown)

    def check_gold(self, x: Any, shown: Output) -> None:
        """Raise an ``InputError`` for an output that is shown of no structure."""
        self.code(x, shown)

    def target(self, x: Any, gold: Any, loss: Any) -> Output:
        """What full information tells of an input with this gold answer: the answer itself, where it is an output."""
        return gold

    def draw(
        self, x: Any, weights: Weights, signs: Signs, generator: Generator, coupling: int = INDEPENDENT,
        free: int = 0,
    ) -> Draw:  # fmt: skip
        """One structure for each sign, with what a later :meth:`gradient` needs of the weights of now.

        ``coupling`` says how they hang together (`kibitz.spaces.coupling`), all but the first ``free``.
        """
        models = {sign: self.distribution(x, weights, sign) for sign in dict.fromkeys(signs.tolist())}
        samplers = [models[sign].sample for sign in signs.tolist()]
        structures = drawn_together(samplers, lambda y: self.shown(x, y), generator, coupling, free)
        return self._drawn(x, weights, models, tuple(structures), signs)

    def recall(self, x: Any, structures: Sequence[Structure], weights: Weights, signs: Signs) -> Draw:
        """The draw that these structures would be under these weights, whatever they were drawn under."""
        models = {sign: self.distribution(x, weights, sign) for sign in dict.fromkeys(signs.tolist())}
        return self._drawn(x, weights, models, tuple(structures), signs)

    def _drawn(
        self, x: Any, weights: Weights, models: Mapping[int, Distribution], structures: tuple[Structure, ...],
        signs: Signs,
    ) -> Draw:  # fmt: skip
        pairs = [(models[sign], y) for sign, y in zip(signs.tolist(), structures, strict=True)]
        log_probs = np.array([model.log_propensity(self.shown(x, y)) for model, y in pairs])
        own = np.array([model.log_prob(y) for model, y in pairs])
        means = [model.expected_features() for model in models.values()]
        expected = tuple(part for mean in means for part in (mean.index, mean.value))
        entropy = _entropy(models[int(signs[0])], means[0], weights)
        return Draw(structures, structures, log_probs, expected, self.length(x), entropy, own)

    def best(self, x: Any, weights: Weights) -> Output:
        """What is shown of a most probable structure."""
        return self.shown(x, self.distribution(x, weights).argmax())

    def propose_best(self, x: Any, weights: Weights) -> Draw:
        """A most probable structure in place of a draw."""
        model = self.distribution(x, weights)
        y = model.argmax()
        mean = model.expected_features()
        log_probs = np.array([model.log_propensity(self.shown(x, y))])
        return Draw((y,), (y,), log_probs, (mean.index, mean.value), self.length(x))

    def gradient(
        self, x: Any, draw: Draw, codes: Sequence[Any], coefficients: Floats, signs: Signs
    ) -> Gradient:
        """sum_d c_d (phi(y_d) - E_{sign_d w}[phi]); where the c_d of one sign sum to 0, its mean cancels."""
        parts = [(float(c), self.features(x, y)) for c, y in zip(coefficients, codes, strict=True)]
        above, below = float(coefficients[signs > 0].sum()), float(coefficients[signs < 0].sum())
        if above != 0.0:
            parts.append((-above, SparseVector(*draw.expected[:2])))
        if below != 0.0:
            parts.append((-below, SparseVector(*draw.expected[-2:])))
        index = np.concatenate([vector.index for _, vector in parts])
        vector = sparse(index, np.concatenate([amount * vector.value for amount, vector in parts]))
        return Gradient.of(vector)

    def corpus(self, raws: Iterable[Any], golds: Iterable[Output] | None = None) -> Any:
        """Many inputs, encoded, with their gold outputs."""
        return Examples([self.encode(raw) for raw in raws], None if golds is None else list(golds))

    def predict(self, corpus: Any, weights: Weights | Array) -> list[Output]:
        """What is shown of a most probable structure of every input."""
        return [
            self.shown(corpus[i], self.distribution(corpus[i], weights).argmax()) for i in range(len(corpus))
        ]

    def score(self, corpus: Any, weights: Weights | Array, loss: Any) -> float:
        """The corpus metric of ``loss`` for what is predicted."""
        golds = [corpus.gold_of(i) for i in range(len(corpus))]
        return float(loss.corpus(self.predict(corpus, weights), golds))

    def runs(self, loss: Any) -> bool:
        """Whether :meth:`run` can hear this loss without going back to Python."""
        return False

    def run(
        self, corpus: Any, order: npt.NDArray[np.int64], step: StepPlan, loss: Any, budget: int
    ) -> tuple[int, int, float]:
        """Algorithm 1 over the inputs in ``order``, compiled whole: how many were used, and of these asked about (the
        model was not sure of them), and the sum of what was heard.
        """
        raise NotImplementedError(f"the space {self.kind!r} has no compiled run")

    def length(self, x: Any) -> int:
        """The size by which the entropy of an output is divided where it is traded against a loss."""
        return 1

    def key(self, x: Any) -> int:
        """A number from 0 to 65,535 by which an input is known again."""
        packed = self.pack(x)
        return zlib.crc32(b"".join(np.ascontiguousarray(packed[name]).tobytes() for name in packed)) & 0xFFFF

    def pack(self, x: Any) -> Mapping[str, npt.NDArray[Any]]:
        """An encoded input as arrays, so that a checkpoint can carry it while its answer is awaited."""
        if isinstance(x, Mapping):
            return x
        raise InputError(
            f"the space {self.kind!r} cannot save inputs that await an answer: give it pack and unpack"
        )

    def unpack(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Any:
        """The encoded input that :meth:`pack` wrote."""
        return dict(arrays)

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """All that is needed to make this space again, as JSON, but for its arrays."""

    @abstractmethod
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What ``settings`` cannot hold."""

    @classmethod
    @abstractmethod
    def restore(cls, settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Space:
        """The space that ``settings`` and ``arrays`` describe."""


def _entropy(model: Distribution, mean: SparseVector, weights: Weights) -> float:
    """H = log Z - w . E[phi]."""
    w = weights.table[mean.index].astype(np.float64)
    if len(weights.velocity):
        w += weights.scalars[REACH] * weights.velocity[mean.index]
    return float(model.log_partition - weights.scalars[SCALE] * (w @ mean.value))
