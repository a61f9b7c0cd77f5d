"""The oracle: every structure of a small input written out, and every quantity as a plain sum over them.

Nothing here is clever, so that a reader can see that it is right. It asks a space only for `structures`, `features`
and what is `shown`:

    s(y) = sign w . phi(x, y)        log Z = log sum_y exp s(y)        log p(y) = s(y) - log Z
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kibitz.spaces.protocol import Output, Space, Structure
from kibitz.spaces.weights import Array

Floats = npt.NDArray[np.float64]

MOST = 20_000


@dataclass(frozen=True, slots=True)
class Enumeration:
    """All structures of one input with their features and log-probabilities under `sign * weights`."""

    outputs: tuple[Structure, ...]
    shown: tuple[Output, ...]  # of each structure
    group: npt.NDArray[np.int64]  # of each structure: the number of what is shown, by first sight
    features: Floats  # [structures, size]
    scores: Floats
    log_partition: float
    log_probs: Floats
    sign: int

    def under(self, weights: Array, sign: int) -> Enumeration:
        """The same structures under other weights or the other sign."""
        scores = sign * (self.features @ np.asarray(weights, dtype=np.float64)[: self.features.shape[1]])
        top = scores.max()
        log_partition = float(top + np.log(np.sum(np.exp(scores - top))))
        log_probs = scores - log_partition
        return replace(self, scores=scores, log_partition=log_partition, log_probs=log_probs, sign=sign)

    @property
    def probabilities(self) -> Floats:
        """p(y), output by output."""
        return np.exp(self.log_probs)

    def log_prob(self, y: Structure) -> float:
        """log p(y); minus infinity where y is no structure of the input."""
        return float(self.log_probs[self.outputs.index(y)]) if y in self.outputs else -np.inf

    def log_propensity(self, shown: Output) -> float:
        """log sum of p(y) over the structures of which this is shown; minus infinity where there is none."""
        return float(np.logaddexp.reduce(self.log_probs[self.showing(shown)], initial=-np.inf))

    @property
    def log_propensities(self) -> Floats:
        """The log-propensity of what is shown of each structure."""
        sums = np.full(len(self.shown), -np.inf)
        np.logaddexp.at(sums, self.group, self.log_probs)
        return sums[self.group]

    def showing(self, shown: Output) -> npt.NDArray[np.bool_]:
        """Of which structures this is shown."""
        place = self.shown.index(shown) if shown in self.shown else -1
        return np.asarray(self.group == (self.group[place] if place >= 0 else -1))

    def given(self, shown: Output) -> Floats:
        """p(y | shown): the probabilities of the structures of which this is shown, 0 for the others."""
        showing = self.showing(shown)
        shares = np.zeros(len(self.outputs))
        shares[showing] = np.exp(self.log_probs[showing] - self.log_propensity(shown))
        return shares

    def mean(self, values: Sequence[float] | Floats) -> float:
        """E[f(y)], given f of every structure."""
        return float(self.probabilities @ np.asarray(values, dtype=np.float64))

    def expected_features(self) -> Floats:
        """E[phi(x, y)], as a dense vector."""
        return self.probabilities @ self.features

    def entropy(self) -> float:
        """-sum_y p(y) log p(y), with 0 log 0 = 0."""
        p = self.probabilities
        return float(-np.sum(p[p > 0.0] * self.log_probs[p > 0.0]))

    def top(self, k: int) -> list[tuple[Output, float]]:
        """The k most probable structures and their log-probabilities, best first."""
        order = np.argsort(-self.log_probs, kind="stable")[:k]
        return [(self.outputs[i], float(self.log_probs[i])) for i in order]

    def gradient_of_mean(self, values: Sequence[float] | Floats) -> Floats:
        """The gradient of E[f(y)], f free of the weights: sign (E[f phi] - E[f] E[phi])."""
        f = np.asarray(values, dtype=np.float64)
        weighed = self.probabilities * (f - self.mean(f))
        return self.sign * (weighed @ self.features)


def enumerate_outputs(space: Space, x: object, weights: Array, sign: int = 1) -> Enumeration:
    """All of Y(x) under `sign * weights`, a flat array that has a number for each of the space's weights."""
    outputs: list[Structure] = []
    for y in space.structures(x):
        outputs.append(y)
        if len(outputs) > MOST:
            raise ValueError(f"the input has more than {MOST} outputs: enumerate smaller ones")
    features = np.array([space.features(x, y).dense(space.size) for y in outputs])
    nothing = np.zeros(len(outputs))
    shown = tuple(space.shown(x, y) for y in outputs)
    number: dict[Output, int] = {}
    group = np.array([number.setdefault(each, len(number)) for each in shown])
    return Enumeration(tuple(outputs), shown, group, features, nothing, 0.0, nothing, sign).under(
        weights, sign
    )


def finite_differences(value: Callable[[Floats], float], weights: Floats, step: float = 1e-5) -> Floats:
    """The gradient of `value` at `weights` by central differences, a weight at a time."""
    gradient = np.zeros(len(weights))
    for i in range(len(weights)):
        moved = weights.copy()
        moved[i] = weights[i] + step
        above = value(moved)
        moved[i] = weights[i] - step
        gradient[i] = (above - value(moved)) / (2.0 * step)
    return gradient
