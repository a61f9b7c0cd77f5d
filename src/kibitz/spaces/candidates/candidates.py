"""Lists of candidates: n-best lists of some system, or the classes that an input may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.attributed import Attributed
from kibitz.spaces.candidates import loop
from kibitz.spaces.candidates.corpus import ListInput, Lists, packed, unpacked
from kibitz.spaces.candidates.distribution import CandidatesDistribution
from kibitz.spaces.candidates.encoding import encode_lists
from kibitz.spaces.coupling import INDEPENDENT
from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Draw, Floats, Gradient, Output, Signs, SparseVector, StepPlan
from kibitz.spaces.rows import key_of
from kibitz.spaces.sharing import HEARS
from kibitz.spaces.weights import Array, Weights, as_weights


class Candidates(Attributed):
    """A Gibbs model on the candidates of a list, each with a text, which is shown, and features by name.

    An input is a list of :class:`Candidate`, or of mappings with ``text`` and ``features``. A structure is the number
    of a candidate; candidates with the same text are one output.
    """

    kind = "candidates"

    def __init__(self, *, vocabulary: Vocabulary | None = None) -> None:
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self._scratch = loop.allocate(128)

    @property
    def size(self) -> int:
        return len(self.vocabulary)

    def encode(self, raw: Any) -> ListInput:
        return raw if isinstance(raw, ListInput) else self.corpus([raw])[0]

    def corpus(self, raws: Iterable[Any], golds: Iterable[Any] | None = None) -> Lists:
        """Encode many lists; a feature gets its number at first sight, unless the vocabulary is frozen."""
        return encode_lists(self.vocabulary, raws, golds)

    def restore_corpus(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Lists:
        return Lists.restore(arrays)

    def scratch(self, candidates: int, outputs: int = 2) -> loop.Scratch:
        """Room for a list of so many candidates, and so many draws."""
        room, have = len(self._scratch.score), len(self._scratch.drawn)
        if room < candidates or have < outputs:
            self._scratch = loop.allocate(max(room, 2 * candidates), max(have, outputs))
        return self._scratch

    def distribution(self, x: Any, weights: Weights | Array, sign: int = 1) -> CandidatesDistribution:
        encoded = self.encode(x)
        return CandidatesDistribution(encoded, self.enough(as_weights(weights)), sign)

    def features(self, x: Any, y: int) -> SparseVector:
        encoded = self.encode(x)
        lo = encoded.lo + y
        return Gradient(encoded.x, lo, lo + 1, 1, np.ones(1)).vector()

    def parts(self, x: Any, y: int) -> Floats:
        """A candidate is all of one piece."""
        counts = np.zeros(self.encode(x).length)
        counts[y] = 1.0
        return counts

    def structures(self, x: Any) -> Iterator[int]:
        return iter(range(self.encode(x).length))

    def shown(self, x: Any, y: int) -> str:
        encoded = self.encode(x)
        return encoded.text(int(encoded.groups[y]))

    def gold(self, x: ListInput, draw: Draw, shown: Output) -> npt.NDArray[np.float64]:
        shares = np.empty(x.length)
        loop.text_shares(draw.expected[0], x.group, x.lo, x.length, self._group(x, shown), shares)
        return shares

    def target(self, x: ListInput, gold: Any, loss: Any) -> Output:
        """The text of least loss: a reference need not be among the candidates."""
        texts = x.outputs()
        return texts[int(np.argmin([loss(text, gold) for text in texts]))]

    def check_gold(self, x: ListInput, shown: Output) -> None:
        self._group(x, shown)

    def _group(self, x: ListInput, shown: Output) -> int:
        group = x.group_of(shown)
        if group < 0:
            raise InputError(f"none of the {x.length} candidates has the text {shown!r}")
        return group

    def draw(
        self, x: ListInput, weights: Weights, signs: Signs, generator: Generator, coupling: int = INDEPENDENT,
        free: int = 0,
    ) -> Draw:  # fmt: skip
        n, room = x.length, self.scratch(x.length, len(signs))
        entropy = loop.ask(
            weights, x.x, x.lo, x.hi, x.group, signs, float(coupling), free, generator.state, room
        )
        drawn = tuple(room.drawn[: len(signs)].tolist())
        expected: tuple[npt.NDArray[Any], ...] = (room.plus[:n].copy(),)
        if signs[-1] < 0:
            expected += (room.minus[:n].copy(),)
        own = _of_each(drawn, expected, signs)
        return Draw(drawn, drawn, room.log_probs[: len(signs)].copy(), expected, 1, float(entropy), own)

    def recall(self, x: ListInput, structures: Sequence[int], weights: Weights, signs: Signs) -> Draw:
        models = {sign: self.distribution(x, weights, sign) for sign in dict.fromkeys((1, *signs.tolist()))}
        drawn, expected = tuple(structures), tuple(model.logs for model in models.values())
        pairs = zip(drawn, signs.tolist(), strict=True)
        log_probs = np.array([models[sign].log_propensity_of(y) for y, sign in pairs])
        own = _of_each(drawn, expected, signs)
        return Draw(drawn, drawn, log_probs, expected, 1, models[1].entropy(), own)

    def propose_best(self, x: ListInput, weights: Weights) -> Draw:
        model = self.distribution(x, weights)
        y = model.argmax()
        return Draw((y,), (y,), np.array([model.log_propensity(self.shown(x, y))]), (model.logs,), 1)

    def key(self, x: ListInput) -> int:
        return int(key_of(x.x, x.lo, x.hi))

    def gradient(
        self, x: ListInput, draw: Draw, codes: Sequence[Any], coefficients: Floats, signs: Signs
    ) -> Gradient:
        values, plus, minus = np.empty(x.length), draw.expected[0], draw.expected[-1]
        if isinstance(codes[0], np.ndarray):
            loop.combine_shares(float(coefficients[0]), x.length, plus, codes[0], values)
        else:
            loop.combine(signs, coefficients, x.length, plus, minus, np.array(codes, np.int64), values)
        return Gradient(x.x, x.lo, x.hi, 1, values)

    def predict(self, corpus: Lists, weights: Weights | Array) -> list[str]:
        best = np.empty(len(corpus), np.int64)
        ready, score = self.enough(as_weights(weights)), self.scratch(corpus.longest).score
        loop.best_of_all(ready, corpus.x, corpus.starts, score, best)
        return [self.shown(corpus[i], y) for i, y in enumerate(best.tolist())]

    def runs(self, loss: Any) -> bool:
        return hasattr(loss, "of_each")

    def run(
        self, corpus: Lists, order: npt.NDArray[np.int64], step: StepPlan, loss: Any, budget: int
    ) -> tuple[int, int, float]:
        used, asked, heard = loop.run(
            step.weights, corpus.x, corpus.starts, corpus.group, corpus.losses(loss), order,
            self.scratch(corpus.longest, len(step.signs)), step.signs, HEARS[step.hears], step.rule, step.params,
            step.centre, step.baseline, step.update, step.control, step.random, step.counters, step.hear,
            step.chance, step.habits, step.asking, budget,
        )  # fmt: skip
        return int(used), int(asked), float(heard)

    def pack(self, x: ListInput) -> dict[str, npt.NDArray[Any]]:
        return packed(x)

    def unpack(self, arrays: Mapping[str, npt.NDArray[Any]]) -> ListInput:
        return unpacked(arrays)

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "frozen": self.vocabulary.frozen}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"vocabulary": np.frombuffer(self.vocabulary.to_bytes(), np.uint8)}

    @classmethod
    def restore(cls, settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Candidates:
        vocabulary = Vocabulary.from_bytes(arrays["vocabulary"].tobytes())
        return cls(vocabulary=vocabulary if settings["frozen"] else Vocabulary(vocabulary.names()))


def _of_each(drawn: Sequence[int], logs: Sequence[Floats], signs: Signs) -> Floats:
    """The log-probabilities of candidates, drawn by the logs of +w or, last, of -w."""
    return np.array([logs[0 if sign > 0 else -1][y] for y, sign in zip(drawn, signs.tolist(), strict=True)])
