"""Linear-chain models: label sequences scored by attributes and, through transitions, by neighbouring labels."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.features.extractor import Extractor, extractor_from
from kibitz.features.plain import Plain
from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.attributed import Attributed
from kibitz.spaces.chain import draws, lattice, loop, viterbi
from kibitz.spaces.chain.corpus import ChainInput, Corpus
from kibitz.spaces.chain.distribution import ChainDistribution
from kibitz.spaces.chain.encoding import encode_all
from kibitz.spaces.chain.scratch import Scratch, allocate
from kibitz.spaces.chain.topology import SPECIALISED_UP_TO, build_topology
from kibitz.spaces.coupling import INDEPENDENT
from kibitz.spaces.first_class import RATIO, TALLY, CompiledLoss, first_class
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Draw, Floats, Gradient, Signs, SparseVector, StepPlan
from kibitz.spaces.rows import Rows, key_of
from kibitz.spaces.sharing import HEARS
from kibitz.spaces.weights import Array, Weights, as_weights

Labels = tuple[str, ...]


class Chain(Attributed):
    """A linear-chain Gibbs model of order 1 or 2 on label sequences.

    ``forbidden`` lists steps (label, next label) that never happen; ``initial`` and ``final`` the labels that may open
    and close a sequence (all, unless given). ``start`` is the label that stands before the first one: steps forbidden
    after it cannot open. ``transitions`` adds a weight for each step.
    """

    kind = "chain"

    def __init__(
        self,
        labels: Sequence[str],
        extractor: Extractor | None = None,
        *,
        order: int = 1,
        forbidden: Iterable[tuple[str, str]] = (),
        initial: Iterable[str] | None = None,
        final: Iterable[str] | None = None,
        start: str | None = None,
        transitions: bool = True,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self.labels: Labels = tuple(labels)
        self._number = {label: i for i, label in enumerate(self.labels)}
        if len(self.labels) < 2 or len(self._number) != len(self.labels):
            raise InputError("a chain needs at least two labels, each named once")
        if order not in (1, 2):
            raise InputError(f"the order of a chain is 1 or 2, not {order}")
        self.order, self.start, self.transitions = order, start, transitions
        self.extractor: Extractor = extractor if extractor is not None else Plain()
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self.forbidden = tuple(sorted((a, b) for a, b in forbidden))
        self.initial = self.labels if initial is None else tuple(initial)
        self.final = self.labels if final is None else tuple(final)
        self.topology = build_topology(
            labels=len(self.labels),
            order=order,
            forbidden=frozenset((self._label(a), self._label(b)) for a, b in self.forbidden),
            initial=[self._label(a) for a in self.initial],
            final=[self._label(a) for a in self.final],
            start=None if start is None else self._label(start),
            transitions=transitions,
        )
        self._names = [self.labels[k] for k in self.topology.label.tolist()]  # of each state
        columns = self.topology.columns
        self.shape: tuple[int, ...] = (0,) * columns if columns <= SPECIALISED_UP_TO else ()
        self._scratch = allocate(self.topology, 64 + self.topology.contexts)
        self.pairs = self._pairs()

    def _label(self, label: str) -> int:
        if label not in self._number:
            raise InputError(f"the label {label!r} is not one of this chain's: {', '.join(self.labels)}")
        return self._number[label]

    def _pairs(self) -> npt.NDArray[np.int32]:
        """pairs[a, b]: the state of label b after a, -1 where there is none; the last row is for the first label."""
        K, topology = len(self.labels), self.topology
        pairs = np.full((K + 1, K), -1, np.int32)
        if self.order == 1:
            pairs[:] = np.arange(K)
        else:
            pairs[topology.before, topology.label] = np.arange(topology.columns)
            if self.start is not None:
                pairs[K] = pairs[self._number[self.start]]
        return pairs

    @property
    def rows(self) -> int:
        """The number of weight rows: one for each context of a transition, then one for each attribute."""
        return self.topology.contexts + len(self.vocabulary)

    @property
    def size(self) -> int:
        return self.rows * self.topology.columns

    @property
    def columns(self) -> int:
        return self.topology.columns

    def encode(self, raw: Any) -> ChainInput:
        return raw if isinstance(raw, ChainInput) else self.corpus([raw])[0]

    def corpus(self, raws: Iterable[Any], golds: Iterable[Sequence[str]] | None = None) -> Corpus:
        """Encode many inputs; an attribute gets its number at first sight, unless the vocabulary is frozen."""
        return encode_all(self.extractor, self.vocabulary, self.topology.contexts, self.labels, raws, golds)

    def restore_corpus(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Corpus:
        return Corpus.restore(arrays)

    def scratch(self, positions: int, outputs: int = 2) -> Scratch:
        """Room for an input of so many positions, and so many draws."""
        have, room = self._scratch.states.shape
        if have < outputs or room < positions:
            self._scratch = allocate(self.topology, max(room, 2 * positions), max(have, outputs))
        return self._scratch

    def distribution(self, x: Any, weights: Weights | Array, sign: int = 1) -> ChainDistribution:
        encoded = self.encode(x)
        return ChainDistribution(self, encoded, self.enough(as_weights(weights)), sign)

    def states(self, x: ChainInput, y: Sequence[str]) -> npt.NDArray[np.int32] | None:
        """The state sequence of a labelling; None where it is forbidden."""
        if len(y) != x.length:
            raise InputError(f"{len(y)} labels were given for {x.length} tokens")
        labels = np.array([self._number.get(label, -1) for label in y], np.int32)
        states = np.empty(len(labels), np.int32)
        allowed = loop.states_of(self.topology, labels, 0, len(labels), self.pairs, states)
        return states if allowed else None

    def code(self, x: ChainInput, y: Sequence[str]) -> npt.NDArray[np.int32]:
        states = self.states(x, y)
        if states is None:
            raise InputError(f"the labelling {' '.join(y)} has an unknown label or a forbidden step")
        return states

    def labels_of(self, states: npt.NDArray[np.int32]) -> Labels:
        """The labels of a state sequence."""
        names = self._names
        return tuple([names[state] for state in states.tolist()])

    def flatten(self, x: ChainInput, values: npt.NDArray[np.float64]) -> SparseVector:
        """Values by position and column as a vector over the weights."""
        return Gradient(x.x, x.lo, x.hi, self.topology.columns, values).vector()

    def features(self, x: Any, y: Sequence[str]) -> SparseVector:
        encoded = self.encode(x)
        counts = np.zeros((encoded.hi - encoded.lo) * self.topology.columns)
        lattice.add_counts(self.topology, encoded.length, self.shape, self.code(encoded, y), 1.0, counts)
        vector = self.flatten(encoded, counts)
        present = vector.value != 0
        return SparseVector(vector.index[present], vector.value[present])

    def parts(self, x: Any, y: Sequence[str]) -> Floats:
        """1 where a token has a label, as an array [tokens, labels]."""
        return np.array([[float(own == label) for label in self.labels] for own in y])

    def structures(self, x: Any) -> Iterator[Labels]:
        encoded = self.encode(x)
        for y in itertools.product(self.labels, repeat=encoded.length):
            if self.states(encoded, y) is not None:
                yield y

    def draw(
        self, x: ChainInput, weights: Weights, signs: Signs, generator: Generator, coupling: int = INDEPENDENT,
        free: int = 0,
    ) -> Draw:  # fmt: skip
        k = len(signs)
        room = self.scratch(x.hi - x.lo, k)
        entropy = draws.ask(
            weights,
            x.x,
            x.lo,
            x.hi,
            self.topology,
            self.shape,
            signs,
            float(coupling),
            free,
            generator.state,
            room,
        )
        codes = tuple([states[: x.length].copy() for states in room.states[:k]])
        structures = tuple([self.labels_of(states) for states in codes])
        return self._kept(x, structures, codes, signs, entropy)

    def recall(self, x: ChainInput, structures: Sequence[Labels], weights: Weights, signs: Signs) -> Draw:
        room = self.scratch(x.hi - x.lo, len(signs))
        codes = tuple([self.code(x, y) for y in structures])
        for states, code in zip(room.states, codes, strict=False):
            states[: x.length] = code
        entropy = draws.recall(weights, x.x, x.lo, x.hi, self.topology, self.shape, signs, room)
        return self._kept(x, tuple(structures), codes, signs, entropy)

    def _kept(
        self, x: ChainInput, structures: tuple[Labels, ...], codes: tuple[Any, ...], signs: Signs, entropy: float
    ) -> Draw:  # fmt: skip
        """What the working space holds, as a draw."""
        room, size = self._scratch, (x.hi - x.lo) * self.topology.columns
        expected: tuple[npt.NDArray[Any], ...] = (room.plus.expected[:size].copy(),)
        if signs[-1] < 0:
            expected += (room.minus.expected[:size].copy(),)
        log_probs = room.log_probs[: len(signs)].copy()
        return Draw(structures, codes, log_probs, expected, x.length, float(entropy))

    def best(self, x: ChainInput, weights: Weights) -> Labels:
        room = self.scratch(x.hi - x.lo)
        states = np.empty(x.length, np.int32)
        values, back = room.plus.psi, room.back
        viterbi.best_of(
            weights, x.x, x.lo, x.hi, self.topology, self.shape, (room.score, values, back), states
        )
        return self.labels_of(states)

    def propose_best(self, x: ChainInput, weights: Weights) -> Draw:
        model = self.distribution(x, weights)
        states = self.code(x, model.argmax())
        expected = model.expected_counts()
        return Draw(
            (self.labels_of(states),), (states,), np.array([model.log_prob_of(states)]), (expected,), x.length
        )

    def key(self, x: ChainInput) -> int:
        return int(key_of(x.x, x.lo, x.hi))

    def gradient(
        self, x: ChainInput, draw: Draw, codes: Sequence[Any], coefficients: Floats, signs: Signs
    ) -> Gradient:
        values = np.empty((x.hi - x.lo) * self.topology.columns)
        states = codes[0][None] if len(codes) == 1 else np.array(codes, np.int32)
        plus, minus = draw.expected[0], draw.expected[-1]
        draws.combine(self.topology, x.length, self.shape, signs, coefficients, plus, minus, states, values)
        return Gradient(x.x, x.lo, x.hi, self.topology.columns, values)

    def predict_numbers(self, corpus: Corpus, weights: Weights | Array) -> npt.NDArray[np.int32]:
        """The most probable labels of every input, numbered, laid out as ``corpus.gold`` is."""
        room = self.scratch(corpus.longest)
        states = np.zeros(int(corpus.starts[-1]), np.int32)
        ready, space = self.enough(as_weights(weights)), (room.score, room.plus.psi, room.back)
        viterbi.best_of_all(ready, corpus.x, corpus.starts, self.topology, self.shape, space, states)
        return self.topology.label[states]

    def predict(self, corpus: Corpus, weights: Weights | Array) -> list[Labels]:
        numbers = self.predict_numbers(corpus, weights)
        return [corpus.split(numbers, i) for i in range(len(corpus))]

    def score(self, corpus: Corpus, weights: Weights | Array, loss: Any) -> float:
        if not self.runs(loss):
            return super().score(corpus, weights, loss)
        return float(loss.score(self.counts(corpus, weights, loss).sum(axis=0)))

    def counts(self, corpus: Corpus, weights: Weights | Array, loss: CompiledLoss) -> npt.NDArray[np.float64]:
        """What ``loss`` counts in the most probable output of every input, a row each."""
        if not corpus.has_gold:
            raise InputError("these inputs come without gold outputs, so there is nothing to compare with")
        counts = np.zeros((len(corpus), 4))
        numbers = self.predict_numbers(corpus, weights)
        tally = first_class(loss.tally, TALLY)
        loop.tally_all(
            tally, numbers, corpus.gold, corpus.starts, corpus.contexts, loss.table(corpus.labels), counts
        )
        return counts

    def runs(self, loss: Any) -> bool:
        return hasattr(loss, "tally") and hasattr(loss, "ratio") and hasattr(loss, "table")

    def run(
        self, corpus: Corpus, order: npt.NDArray[np.int64], step: StepPlan, loss: CompiledLoss, budget: int
    ) -> tuple[int, int, float]:
        used, asked, heard = loop.run(
            step.weights, corpus.x, corpus.starts, corpus.gold, order, self.topology, self.pairs, self.shape,
            self.scratch(corpus.longest, len(step.signs)), step.signs, HEARS[step.hears],
            first_class(loss.tally, TALLY), first_class(loss.ratio, RATIO), loss.table(corpus.labels), step.rule,
            step.params, step.centre, step.baseline, step.update, step.control, step.random, step.counters, step.hear,
            step.habits, step.chance, step.asking, budget,
        )  # fmt: skip
        return int(used), int(asked), float(heard)

    def length(self, x: ChainInput) -> int:
        return x.length

    def pack(self, x: ChainInput) -> dict[str, npt.NDArray[Any]]:
        first, last = x.x.ptr[x.lo], x.x.ptr[x.hi]
        values = x.x.values[first:last] if len(x.x.values) else x.x.values
        return {"ptr": x.x.ptr[x.lo : x.hi + 1] - first, "rows": x.x.rows[first:last], "values": values}

    def unpack(self, arrays: Mapping[str, npt.NDArray[Any]]) -> ChainInput:
        positions = len(arrays["ptr"]) - 1
        x = Rows(arrays["ptr"], arrays["rows"], arrays["values"])
        return ChainInput(x, 0, positions, positions - self.topology.contexts)

    def settings(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "labels": list(self.labels), "order": self.order,
            "forbidden": [list(step) for step in self.forbidden], "initial": list(self.initial),
            "final": list(self.final), "start": self.start, "transitions": self.transitions,
            "extractor": self.extractor.settings(), "frozen": self.vocabulary.frozen,
        }  # fmt: skip

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"vocabulary": np.frombuffer(self.vocabulary.to_bytes(), np.uint8)}

    @classmethod
    def restore(cls, settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Chain:
        vocabulary = Vocabulary.from_bytes(arrays["vocabulary"].tobytes())
        if not settings["frozen"]:
            vocabulary = Vocabulary(vocabulary.names())
        return cls(
            settings["labels"], extractor_from(settings["extractor"]), order=settings["order"],
            forbidden=[(a, b) for a, b in settings["forbidden"]], initial=settings["initial"],
            final=settings["final"], start=settings["start"], transitions=settings["transitions"],
            vocabulary=vocabulary,
        )  # fmt: skip
