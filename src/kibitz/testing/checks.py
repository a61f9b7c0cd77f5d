"""What any distribution must satisfy; each check fails with an `AssertionError` that says what differs.

case = Case.of(space, raw, weights, sign=-1)
check_entropy(case)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Space, SparseVector, Structure
from kibitz.testing.case import Additive, Case
from kibitz.testing.chi_square import p_value

SUSPICIOUS = 1e-6


def check_log_partition(case: Case) -> None:
    """log Z is that of enumeration."""
    case.same("log_partition", case.distribution().log_partition, case.truth.log_partition)


def check_log_prob(case: Case) -> None:
    """Every output has its log-probability, and together they have all of the probability."""
    distribution = case.distribution()
    found = np.array([distribution.log_prob(y) for y in case.truth.outputs])
    for y, ours, true in zip(case.truth.outputs, found, case.truth.log_probs, strict=True):
        case.same(f"log_prob of {y!r}", ours, true)
    case.same("the sum of all probabilities", np.exp(found).sum(), 1.0)


def check_log_propensity(case: Case) -> None:
    """What is shown has the probability of all structures of which it is shown."""
    distribution = case.distribution()
    truth = dict(zip(case.truth.shown, case.truth.log_propensities.tolist(), strict=True))
    for shown, true in truth.items():
        case.same(f"log_propensity of {shown!r}", distribution.log_propensity(shown), true)


def check_forbidden(case: Case, forbidden: Iterable[Structure]) -> None:
    """A forbidden output has the log-probability minus infinity, whatever the weights."""
    distribution = case.distribution()
    for y in forbidden:
        log_prob = distribution.log_prob(y)
        case.holds(
            log_prob == -np.inf, f"the forbidden output {y!r} has the log-probability {log_prob!r}, not -inf"
        )


def check_expected_features(case: Case) -> None:
    """E[phi] is that of enumeration."""
    found = _dense(case, "expected_features", case.distribution().expected_features())
    case.same("expected_features", found, case.truth.expected_features(), case.largest_feature)


def check_entropy(case: Case) -> None:
    """The entropy is that of enumeration."""
    case.same("entropy", case.distribution().entropy(), case.truth.entropy())


def check_argmax(case: Case) -> None:
    """argmax is an output, and none is more probable."""
    best = case.distribution().argmax()
    case.holds(best in case.truth.outputs, f"argmax gives {best!r}, which is not an output")
    case.same(
        f"the log-probability of argmax {best!r}", case.truth.log_prob(best), case.truth.log_probs.max()
    )


def check_top_k(case: Case) -> None:
    """top_k gives the k best once each, best first, with their log-probabilities; all where k is larger."""
    total = len(case.truth.outputs)
    for k in sorted({1, 2, max(1, total // 2), total, total + 3}):
        found = case.distribution().top_k(k)
        expected = case.truth.top(k)
        case.holds(
            len(found) == len(expected), f"top_k({k}) gives {len(found)} outputs and not {len(expected)}"
        )
        case.holds(len({y for y, _ in found}) == len(found), f"top_k({k}) gives an output twice")
        for rank, ((y, log_prob), (_, true)) in enumerate(zip(found, expected, strict=True)):
            case.same(f"the log-probability of rank {rank} in top_k({k})", log_prob, true)
            case.same(f"the log-probability that top_k({k}) gives {y!r}", log_prob, case.truth.log_prob(y))


def check_expected_loss(case: Case, additive: Additive, generator: Generator) -> None:
    """E[loss] of random part costs, and its gradient in the weights, are those of enumeration."""
    shape = additive.shape(case.x)
    costs = np.array([generator.uniform() for _ in range(int(np.prod(shape)))]).reshape(shape)
    losses = [additive.loss(case.x, y, costs) for y in case.truth.outputs]
    value, gradient = case.distribution().expected_loss(costs)
    scale = 1.0 + max(losses)
    case.same("the value of expected_loss", value, case.truth.mean(losses), scale)
    found = _dense(case, "the gradient of expected_loss", gradient)
    case.same(
        "the gradient of expected_loss",
        found,
        case.truth.gradient_of_mean(losses),
        scale * case.largest_feature,
    )


def check_parts(case: Case, additive: Additive, generator: Generator) -> None:
    """The parts of a structure, and how often each is used in the mean, for spaces that say what they are made of."""
    if type(case.space).parts is Space.parts:
        return
    shape = additive.shape(case.x)
    costs = np.array([generator.uniform() for _ in range(int(np.prod(shape)))]).reshape(shape)
    every = [np.asarray(case.space.parts(case.x, y)) for y in case.truth.outputs]
    case.holds(
        every[0].shape == tuple(shape), f"parts has the shape {every[0].shape} and should have {shape}"
    )
    for y, parts in zip(case.truth.outputs, every, strict=True):
        case.same(f"the cost of the parts of {y!r}", (parts * costs).sum(), additive.loss(case.x, y, costs))
    mean = np.tensordot(case.truth.probabilities, np.array(every), 1)
    case.same("expected_parts", case.distribution().expected_parts(), mean, 1.0 + float(mean.max()))


def check_sampling(case: Case, generator: Generator, draws: int = 1000) -> None:
    """Draws are outputs, and as frequent as their probabilities say (chi-square test)."""
    distribution = case.distribution()
    check_frequencies(case, "sample", Counter(distribution.sample(generator) for _ in range(draws)))


def check_frequencies(case: Case, what: str, drawn: Counter[Structure]) -> None:
    """The counts of draws pass the chi-square test against the true probabilities."""
    for y in drawn:
        case.holds(y in case.truth.outputs, f"{what} gives {y!r}, which is not an output")
    p = p_value([drawn[y] for y in case.truth.outputs], case.truth.probabilities.tolist())
    case.holds(
        p >= SUSPICIOUS,
        f"{what} does not follow the distribution: {sum(drawn.values())} draws have p = {p:.1e}",
    )


def _dense(case: Case, what: str, vector: SparseVector) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    sorted_once = bool(np.all(np.diff(vector.index) > 0))
    case.holds(sorted_once, f"the indices of {what} are not sorted, each once")
    in_range = len(vector.index) == 0 or (vector.index[0] >= 0 and vector.index[-1] < case.space.size)
    case.holds(in_range, f"the indices of {what} leave the {case.space.size} weights")
    return vector.dense(case.space.size)
