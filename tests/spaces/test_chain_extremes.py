"""Long inputs, large weights, many labels: the chain stays finite and right.

The reference is forward-backward in log space over a dense array of steps, in plain NumPy. That each weight
is at its place is the matter of test_chain_contract.py; here the reference reads the table of weights as the
chain lays it out.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kibitz.spaces.chain import Chain
from kibitz.spaces.generator import Generator
from kibitz.testing import Case, check_forbidden, check_log_prob

Floats = npt.NDArray[np.float64]
BIO = {"forbidden": [("O", "I")], "start": "O"}


def total(values: Floats, axis: int) -> Floats:
    """log sum exp, where a sum of nothing is minus infinity."""
    top = np.maximum(values.max(axis), -1e300)
    with np.errstate(divide="ignore"):
        return top + np.log(np.exp(values - np.expand_dims(top, axis)).sum(axis))


def disorder(p: Floats) -> Floats:
    """-sum p log p of each column."""
    return -(p * np.log(np.where(p > 0.0, p, 1.0))).sum(0)


@dataclass
class Reference:
    """A chain written out: score[n, s] of states at tokens and step[s, t], minus infinity where forbidden."""

    score: Floats
    step: Floats
    labels: list[int]

    @classmethod
    def of(cls, chain: Chain, raw: list[list[Any]], weights: npt.NDArray[Any], sign: int) -> Reference:
        """States are (label before, label); for order 1 the label before does not matter and is left at 0."""
        K, forbidden = len(chain.labels), {tuple(map(chain.labels.index, step)) for step in chain.forbidden}
        edge = K if chain.start is None else chain.labels.index(chain.start)
        befores = (chain.topology.before % (K + 1)).tolist() if chain.order == 2 else [0] * K
        states = list(zip(befores, chain.topology.label.tolist(), strict=True))
        table = sign * np.asarray(weights, np.float64).reshape(-1, len(states))
        step = np.full((len(states), len(states)), -np.inf)
        for (i, s), (j, t) in itertools.product(enumerate(states), repeat=2):
            if (s[1], t[1]) not in forbidden and (chain.order == 1 or t[0] == s[1]):
                context = s[1] if chain.order == 1 else s[0]
                step[i, j] = table[context, j] if chain.transitions else 0.0
        rows = chain.rows - len(chain.vocabulary)
        score = np.zeros((len(raw), len(states)))
        for n, tokens in enumerate(raw):
            for a in tokens:
                score[n] += table[rows + chain.vocabulary.number(a)]
        opens = [(edge, b) not in forbidden and (chain.order == 1 or before == edge) for before, b in states]
        score[0][~np.array(opens)] = -np.inf
        return cls(score, step, [b for _, b in states])

    def forward(self) -> Floats:
        alpha = np.empty_like(self.score)
        alpha[0] = self.score[0]
        for n in range(1, len(alpha)):
            alpha[n] = total(alpha[n - 1][:, None] + self.step, 0) + self.score[n]
        return alpha

    def marginals(self, alpha: Floats) -> Floats:
        beta = np.zeros_like(alpha)
        for n in range(len(alpha) - 2, -1, -1):
            beta[n] = total(self.step + (self.score[n + 1] + beta[n + 1])[None, :], 1)
        joint = alpha + beta
        return np.exp(joint - total(joint, 1)[:, None])

    def entropy(self, alpha: Floats, marginals: Floats) -> float:
        """H(last) + sum_n E[H(y_n | y_n+1)]: conditional entropies, which no large score can spoil."""
        sizes = [disorder(np.exp(alpha[-1] - total(alpha[-1], 0))[:, None])[0]]
        for n in range(1, len(alpha)):
            ways = alpha[n - 1][:, None] + self.step
            reached = marginals[n] > 0.0
            shares = np.exp(ways[:, reached] - total(ways[:, reached], 0))
            sizes.append(marginals[n][reached] @ disorder(shares))
        return float(np.sum(sizes))

    def best(self) -> float:
        value = self.score[0]
        for row in self.score[1:]:
            value = (value[:, None] + self.step).max(0) + row
        return float(value.max())

    def by_label(self, chain: Chain, marginals: Floats) -> Floats:
        out = np.zeros((len(marginals), len(chain.labels)))
        for state, label in enumerate(self.labels):
            out[:, label] += marginals[:, state]
        return out


def random_input(seed: int, tokens: int, names: int = 40, width: int = 3) -> list[list[str]]:
    generator = np.random.default_rng(seed)
    return [
        [f"a{k}" for k in generator.integers(0, names, generator.integers(0, width + 1))]
        for _ in range(tokens)
    ]


def check_against_reference(chain: Chain, raw: list[list[Any]], weights: npt.NDArray[Any], sign: int) -> None:
    distribution = chain.distribution(chain.encode(raw), weights, sign)
    truth = Reference.of(chain, raw, weights, sign)
    alpha = truth.forward()
    log_z = float(total(alpha[-1], 0))
    rounding = 1e-13 if weights.dtype == np.float64 else 1e-7
    close = 10 * rounding * len(raw) * (1.0 + float(np.abs(weights).max(initial=0.0)))
    assert distribution.log_partition == pytest.approx(log_z, abs=close)

    marginals = distribution.marginals()
    assert np.isfinite(marginals).all()
    assert marginals.sum(1) == pytest.approx(np.ones(len(raw)), abs=1e-7)
    if weights.dtype == np.float64:
        assert marginals == pytest.approx(truth.by_label(chain, truth.marginals(alpha)), abs=max(1e-9, close))

    best = distribution.argmax()
    assert distribution.log_prob(best) == pytest.approx(truth.best() - log_z, abs=2 * close)
    assert distribution.top_k(2)[0][1] == pytest.approx(truth.best() - log_z, abs=2 * close)
    expected = distribution.expected_features()
    assert np.isfinite(expected.value).all()
    if weights.dtype == np.float64:
        assert distribution.entropy() == pytest.approx(
            truth.entropy(alpha, truth.marginals(alpha)), rel=1e-6, abs=1e-4
        )
    generator = Generator(3)
    for _ in range(3):
        drawn = distribution.sample(generator)
        log_prob = distribution.log_prob(drawn)
        assert np.isfinite(log_prob)
        assert log_prob <= distribution.log_prob(best) + 2 * close


def weights_of(chain: Chain, kind: str, seed: int = 1, dtype: Any = np.float64) -> npt.NDArray[Any]:
    generator = np.random.default_rng(seed)
    if kind == "zero":
        return np.zeros(chain.size, dtype)
    if kind == "signs of 50":
        return (50.0 * generator.choice([-1.0, 1.0], chain.size)).astype(dtype)
    return (float(kind) * generator.uniform(-1, 1, chain.size)).astype(dtype)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("kind", ["zero", "1.0", "50.0", "signs of 50", "1e4"])
@pytest.mark.parametrize("order", [1, 2])
def test_ten_thousand_tokens_are_finite_and_right(order: int, kind: str, sign: int) -> None:
    chain = Chain("BIO", order=order, **BIO)
    raw = random_input(5, 10_000)
    chain.encode(raw)
    check_against_reference(chain, raw, weights_of(chain, kind), sign)


@pytest.mark.parametrize("order", [1, 2])
def test_ten_thousand_tokens_in_single_precision_are_finite(order: int) -> None:
    chain = Chain("BIO", order=order, **BIO)
    raw = random_input(6, 10_000)
    chain.encode(raw)
    check_against_reference(chain, raw, weights_of(chain, "signs of 50", dtype=np.float32), 1)


@pytest.mark.parametrize("order", [1, 2])
def test_ten_thousand_tokens_without_transition_weights(order: int) -> None:
    chain = Chain("BIO", order=order, transitions=False, **BIO)
    raw = random_input(7, 10_000)
    chain.encode(raw)
    for kind in ("zero", "signs of 50"):
        check_against_reference(chain, raw, weights_of(chain, kind), 1)


@pytest.mark.parametrize("order", [1, 2])
def test_a_long_input_with_costs_on_parts_has_a_finite_expected_loss(order: int) -> None:
    chain = Chain("BIO", order=order, **BIO)
    x = chain.encode(random_input(8, 2_000))
    for kind in ("zero", "signs of 50"):
        distribution = chain.distribution(x, weights_of(chain, kind))
        costs = np.random.default_rng(2).uniform(size=(2_000, 3))
        value, gradient = distribution.expected_loss(costs)
        assert value == pytest.approx(float((distribution.marginals() * costs).sum()), rel=1e-9)
        assert np.isfinite(gradient.value).all()


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("size", [1.0, 800.0, 1e5])
@pytest.mark.parametrize("order", [1, 2])
def test_no_weight_of_either_sign_lifts_a_forbidden_step(order: int, size: float, sign: int) -> None:
    """Everything that leads towards the step O I is made as attractive, or as repulsive, as can be."""
    chain = Chain("BIO", order=order, **BIO)
    raw = [["u"], [], ["v"], ["u"]]
    x = chain.encode(raw)
    for direction in (1.0, -1.0):
        weights = np.full(chain.size, -direction * size)
        for y in [("O", "O", "O", "O"), ("B", "I", "I", "I")]:
            weights[chain.features(x, y).index] = direction * size
        case = Case.of(chain, raw, weights, sign)
        forbidden = [
            y for y in itertools.product("BIO", repeat=4) if ("O", "I") in itertools.pairwise(("O", *y))
        ]
        check_forbidden(case, forbidden)
        check_log_prob(case)
        distribution, generator = case.distribution(), Generator(1)
        drawn = {distribution.sample(generator) for _ in range(200)} | {y for y, _ in distribution.top_k(100)}
        assert not drawn & set(forbidden)
        assert distribution.marginals()[0, 1] == 0.0  # I cannot open


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("size", [300.0, 800.0, 1e4, 1e6])
def test_where_scaled_probabilities_underflow_the_answers_stay_right(order: int, size: float) -> None:
    chain = Chain("abcd", order=order, forbidden=[("a", "b"), ("c", "c")])
    raw = random_input(9, 60, names=6)
    chain.encode(raw)
    for seed in range(3):
        for sign in (1, -1):
            check_against_reference(chain, raw, weights_of(chain, str(size), seed), sign)


@pytest.mark.parametrize("late", [200.0, 600.0, 1500.0])
def test_a_hopeless_beginning_that_the_end_makes_certain_is_not_lost(late: float) -> None:
    """The first token all but excludes "b", no step changes the label, and the last token decides for "b"."""
    chain = Chain("ab")
    raw = [["first"], *[[]] * 50, ["last"]]
    x = chain.encode(raw)
    weights = np.zeros(chain.size)
    weights[chain.features(chain.encode([["first"]]), ("a",)).index] = late
    weights[chain.features(chain.encode([["last"]]), ("b",)).index] = late + 2.0
    for step in (("a", "b"), ("b", "a")):
        weights[chain.features(chain.encode([[], []]), step).index] = -2 * late
    distribution = chain.distribution(x, weights)
    check_against_reference(chain, raw, weights, 1)
    assert distribution.argmax() == ("b",) * 52
    assert distribution.log_prob(("b",) * 52) == pytest.approx(-np.log1p(np.exp(-2.0)), abs=1e-9)
    assert distribution.marginals()[0] == pytest.approx(
        [1 / (1 + np.exp(2.0)), 1 / (1 + np.exp(-2.0))], abs=1e-9
    )


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("attributes", [[], ["u"], ["u", ("v", -2.5)]])
def test_a_single_token_is_a_softmax(order: int, attributes: list[Any]) -> None:
    chain = Chain("BIO", order=order, **BIO)
    x = chain.encode([attributes])
    weights = weights_of(chain, "5.0")
    distribution = chain.distribution(x, weights)
    phis = [chain.features(x, (y,)) for y in "BO"]
    scores = np.array([float(weights[phi.index] @ phi.value) for phi in phis])
    p = np.exp(scores) / np.exp(scores).sum()
    assert distribution.marginals()[0] == pytest.approx([p[0], 0.0, p[1]], abs=1e-12)
    assert distribution.entropy() == pytest.approx(-float(p @ np.log(p)))
    assert distribution.log_prob(("I",)) == -np.inf


def test_two_hundred_labels() -> None:
    labels = [f"label {k}" for k in range(200)]
    chain = Chain(labels, forbidden=[(labels[k], labels[k + 1]) for k in range(199)])
    raw = random_input(10, 300, names=8)
    chain.encode(raw)
    for kind in ("zero", "signs of 50"):
        x, weights = chain.encode(raw), weights_of(chain, kind)
        distribution = chain.distribution(x, weights)
        truth = Reference.of(chain, raw, weights, 1)
        alpha = truth.forward()
        assert distribution.log_partition == pytest.approx(float(total(alpha[-1], 0)), rel=1e-12)
        assert distribution.marginals() == pytest.approx(truth.marginals(alpha), abs=1e-8)
        best = distribution.argmax()
        assert distribution.log_prob(best) == pytest.approx(
            truth.best() - distribution.log_partition, abs=1e-7
        )
        drawn = distribution.sample(Generator(1))
        assert distribution.log_prob(drawn) > -np.inf


@pytest.mark.parametrize("kind", ["zero", "signs of 50"])
def test_order_two_with_twelve_labels(kind: str) -> None:
    chain = Chain("abcdefghijkl", order=2, forbidden=[("a", "b"), ("b", "c"), ("l", "a")])
    raw = random_input(11, 300, names=6)
    chain.encode(raw)
    check_against_reference(chain, raw, weights_of(chain, kind), 1)


@pytest.mark.parametrize("order", [1, 2])
def test_tokens_without_attributes_are_decided_by_their_neighbours_alone(order: int) -> None:
    chain = Chain("BIO", order=order, **BIO)
    chain.encode([["u"]])
    raw: list[list[str]] = [[] for _ in range(40)]
    for kind in ("zero", "1.0", "50.0"):
        check_against_reference(chain, raw, weights_of(chain, kind), 1)
    everywhere = chain.distribution(chain.encode(raw), weights_of(chain, "zero"))
    ends = {"O": 1, "B": 0, "I": 0}  # the number of labellings by their last label
    for _ in raw:
        every = sum(ends.values())
        ends = {"O": every, "B": every, "I": every - ends["O"]}
    assert everywhere.log_partition == pytest.approx(np.log(float(sum(ends.values()))), rel=1e-12)
