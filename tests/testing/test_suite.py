"""The contract suite passes an exact space and fails a broken one, each kind of breakage by its own check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Distribution, Draw, Gradient, Space, SparseVector, sparse
from kibitz.spaces.weights import Weights, effective
from kibitz.testing import Additive, Case, check_space, enumerate_outputs, finite_differences

Floats = npt.NDArray[np.float64]


class Point(NamedTuple):
    """An input: real-valued features, and the labels that may be said of it."""

    values: tuple[float, ...]
    allowed: tuple[str, ...]


class Categories(Space):
    """A categorical distribution over labels: phi(x, y) is the input's features in the block of label y."""

    kind = "categories"

    def __init__(self, labels: Sequence[str], width: int) -> None:
        self.names, self.width = tuple(labels), width

    @property
    def size(self) -> int:
        return len(self.names) * self.width

    def encode(self, raw: Any) -> Point:
        return raw if isinstance(raw, Point) else Point(*raw)

    def structures(self, x: Point) -> Iterator[str]:
        return (y for y in self.names if y in x.allowed)

    def features(self, x: Point, y: str) -> SparseVector:
        return sparse(np.arange(self.width) + self.width * self.names.index(y), x.values)

    def distribution(self, x: Point, weights: Any, sign: int = 1) -> Categorical:
        table = effective(weights) if isinstance(weights, Weights) else np.asarray(weights)
        return Categorical(self, x, table.astype(np.float64), sign)

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "labels": list(self.names), "width": self.width}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {}

    @classmethod
    def restore(cls, settings: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Categories:
        return cls(settings["labels"], settings["width"])


class Categorical(Distribution):
    """Everything from the vector of probabilities."""

    def __init__(self, space: Categories, x: Point, weights: Floats, sign: int) -> None:
        self.space, self.x, self.sign = space, x, sign
        scores = sign * weights[: space.size].reshape(len(space.names), space.width) @ np.array(x.values)
        scores[[y not in x.allowed for y in space.names]] = -np.inf
        self.log_partition = float(np.logaddexp.reduce(scores))
        self.logs = scores - self.log_partition

    def log_prob(self, y: str) -> float:
        return float(self.logs[self.space.names.index(y)])

    def sample(self, generator: Generator) -> str:
        reached = np.cumsum(np.exp(self.logs))
        return self.space.names[
            int(np.searchsorted(reached, generator.uniform() * reached[-1], side="right"))
        ]

    def argmax(self) -> str:
        return self.space.names[int(self.logs.argmax())]

    def top_k(self, k: int) -> list[tuple[str, float]]:
        order = np.argsort(-self.logs, kind="stable")[:k]
        return [(self.space.names[i], float(self.logs[i])) for i in order if self.logs[i] > -np.inf]

    def expected_features(self) -> SparseVector:
        return sparse(np.arange(self.space.size), np.outer(np.exp(self.logs), self.x.values).ravel())

    def entropy(self) -> float:
        return -float(sum(np.exp(v) * v for v in self.logs if v > -np.inf))

    def expected_loss(self, part_costs: Any) -> tuple[float, SparseVector]:
        p, costs = np.exp(self.logs), np.asarray(part_costs, np.float64)
        value = float(p @ costs)
        blocks = self.sign * np.outer(p * (costs - value), self.x.values)
        return value, sparse(np.arange(self.space.size), blocks.ravel())


LABELS = ("a", "b", "c", "d")
ADDITIVE = Additive(lambda x: (len(LABELS),), lambda x, y, costs: float(costs[LABELS.index(y)]))
RAWS = [((1.0, -0.5, 2.0), LABELS), ((0.3, 0.0, -1.0), ("b", "d")), ((1.0, 1.0, 1.0), ("c",))]


def check(space: Space) -> None:
    check_space(
        space, RAWS, seed=5, additive=ADDITIVE, forbidden=lambda x: (y for y in LABELS if y not in x.allowed)
    )


def broken(**methods: Any) -> Categories:
    """The exact space, but for methods of its distribution that are replaced."""
    model = type("Broken", (Categorical,), methods)

    class BrokenSpace(Categories):
        def distribution(self, x: Point, weights: Any, sign: int = 1) -> Categorical:
            table = effective(weights) if isinstance(weights, Weights) else np.asarray(weights)
            return model(self, x, table.astype(np.float64), sign)  # type: ignore[no-any-return]

    return BrokenSpace(LABELS, 3)


def space_with(**methods: Any) -> Categories:
    """The exact space, but for methods of its own that are replaced."""
    return type("BrokenSpace", (Categories,), methods)(LABELS, 3)  # type: ignore[no-any-return]


def test_an_exact_space_passes() -> None:
    check(Categories(LABELS, 3))


def forgets_the_sign(self: Categorical, part_costs: Any) -> tuple[float, SparseVector]:
    value, gradient = Categorical.expected_loss(self, part_costs)
    return value, SparseVector(gradient.index, self.sign * gradient.value)


def leaks(self: Categorical, y: str) -> float:
    """A finite "minus infinity"."""
    return max(Categorical.log_prob(self, y), -1e30)


def favours_the_first(self: Categorical, generator: Generator) -> str:
    y = Categorical.sample(self, generator)
    return self.x.allowed[0] if generator.uniform() < 0.2 else y


def shifted(method: str, by: float) -> Any:
    def wrong(self: Categorical) -> Any:
        right = getattr(Categorical, method)(self)
        return right + by if isinstance(right, float) else SparseVector(right.index, right.value + by)

    return wrong


BROKEN_DISTRIBUTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "entropy a little off": ({"entropy": shifted("entropy", 1e-3)}, "entropy is"),
    "entropy of the wrong sign": ({"entropy": lambda self: -Categorical.entropy(self)}, "entropy is"),
    "expected features a little off": (
        {"expected_features": shifted("expected_features", 1e-3)},
        "expected_features",
    ),
    "gradient without the sign": ({"expected_loss": forgets_the_sign}, "the gradient of expected_loss"),
    "forbidden by a large number": ({"log_prob": leaks}, "forbidden output .* not -inf"),
    "sampler that has a favourite": ({"sample": favours_the_first}, "does not follow the distribution"),
    "argmax of the opposite sign": (
        {
            "argmax": lambda self: self.space.names[
                int(np.where(self.logs > -np.inf, self.logs, np.inf).argmin())
            ]
        },
        "argmax",
    ),
    "argmax that is forbidden": (
        {
            "argmax": lambda self: next(
                (y for y in LABELS if y not in self.x.allowed), Categorical.argmax(self)
            )
        },
        "not an output",
    ),
    "top_k in rising order": ({"top_k": lambda self, k: Categorical.top_k(self, k)[::-1]}, "rank 0 in top_k"),
    "top_k that stops early": (
        {"top_k": lambda self, k: Categorical.top_k(self, min(k, 3))},
        "gives 3 outputs and not",
    ),
    "top_k that repeats itself": (
        {"top_k": lambda self, k: Categorical.top_k(self, k)[:1] * min(k, len(self.x.allowed))},
        "an output twice",
    ),
    "probabilities that do not sum to one": (
        {"log_prob": lambda self, y: Categorical.log_prob(self, y) + 1e-3},
        "log_prob of",
    ),
    "propensities that are not the sums of probabilities": (
        {"log_propensity": lambda self, shown: Categorical.log_prob(self, shown) - 1e-3},
        "log_propensity of",
    ),
    "unsorted indices": (
        {"expected_features": lambda self: SparseVector(np.array([2, 1]), np.array([0.0, 0.0]))},
        "not sorted",
    ),
}


@pytest.mark.parametrize("name", BROKEN_DISTRIBUTIONS)
def test_a_broken_distribution_is_caught_by_the_check_of_its_name(name: str) -> None:
    methods, message = BROKEN_DISTRIBUTIONS[name]
    with pytest.raises(AssertionError, match=message):
        check(broken(**methods))


class ForgetsThePartition(Categorical):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.log_partition += 1e-3


def keeps_the_model(self: Categories, x: Point, weights: Any, sign: int = 1) -> Categorical:
    """One scratch for all: the second question overwrites the first answer."""
    model = Categories.distribution(self, x, weights, sign)
    shared: Categorical = self.__dict__.setdefault("model", model)
    shared.__dict__.update(model.__dict__)
    shared.logs = model.logs + 0.01 * self.__dict__.setdefault("asked", 0)
    self.__dict__["asked"] += 1
    return shared


def changes_the_weights(self: Categories, x: Point, weights: Any, sign: int = 1) -> Categorical:
    model = Categories.distribution(self, x, weights, sign)
    (weights.table if isinstance(weights, Weights) else weights)[0] += 1e-12
    return model


def pushes_twice(self: Categories, x: Point, draw: Draw, codes: Any, c: Any, signs: Any) -> Gradient:
    return Categories.gradient(self, x, draw, codes, 2 * c, signs)


def one_mean_for_all(self: Categories, x: Point, draw: Draw, codes: Any, c: float, signs: Any) -> Gradient:
    """The mean of the first sign is subtracted from both outputs."""
    return Categories.gradient(self, x, draw, codes, c, abs(signs))


def no_anti_model(self: Categories, x: Point, weights: Weights, signs: Any, *how: Any) -> Draw:
    draw = Categories.draw(self, x, weights, signs, *how)
    if (signs > 0).all():
        return draw
    return draw._replace(structures=draw.structures[:1] * len(signs), codes=draw.codes[:1] * len(signs))


def no_second_draw(self: Categories, x: Point, weights: Weights, signs: Any, *how: Any) -> Draw:
    draw = Categories.draw(self, x, weights, signs, *how)
    return draw._replace(log_probs=draw.log_probs[[0] * len(signs)])


BROKEN_SPACES: dict[str, tuple[dict[str, Any], str]] = {
    "log_partition a little off": (
        {"distribution": lambda self, x, w, sign=1: ForgetsThePartition(self, x, np.asarray(w, float), sign)},
        "log_partition is",
    ),
    "distributions that share their scratch": ({"distribution": keeps_the_model}, "log_prob|distribution"),
    "a question that changes the weights": ({"distribution": changes_the_weights}, "the weights changed"),
    "a step of twice the length": ({"gradient": pushes_twice}, "the step of signs"),
    "a step with one mean for both signs": ({"gradient": one_mean_for_all}, "the step of signs"),
    "draws that know no anti-model": (
        {"draw": no_anti_model},
        r"output 1 of a draw under the signs \(1, -1\)",
    ),
    "the first log-probability for both": ({"draw": no_second_draw}, "the log-probability of output 1"),
    "a best output that is the worst": (
        {"best": lambda self, x, weights: Categories.distribution(self, x, weights, -1).argmax()},
        "the log-probability of best",
    ),
    "a corpus that mixes up its gold": (
        {"corpus": lambda self, raws, golds: Categories.corpus(self, raws, golds[::-1])},
        "other gold outputs",
    ),
    "predictions of the anti-model": (
        {
            "predict": lambda self, corpus, weights: [
                Categories.distribution(self, corpus[i], weights, -1).argmax() for i in range(len(corpus))
            ]
        },
        "the log-probability of what predict gives",
    ),
    "a gold output taken for another": (
        {"gold": lambda self, x, draw, shown: LABELS[LABELS.index(shown) - 1]},
        "the step towards the output",
    ),
    "outputs that look alike, though their propensities do not say so": (
        {"shown": lambda self, x, y: "a" if y == "b" else y},
        "log_propensity of",
    ),
    "codes of another output": (
        {"code": lambda self, x, y: LABELS[LABELS.index(y) - 1]},
        "the code of output 0",
    ),
    "settings that forget a label": (
        {"settings": lambda self: {"kind": "categories", "labels": list("abc"), "width": 3}},
        "restored space",
    ),
    "labels restored in another order": (
        {"settings": lambda self: {"kind": "categories", "labels": list("dcba"), "width": 3}},
        "restored space",
    ),
}


@pytest.mark.parametrize("name", BROKEN_SPACES)
def test_a_broken_space_is_caught(name: str) -> None:
    methods, message = BROKEN_SPACES[name]
    with pytest.raises(AssertionError, match=message):
        check(space_with(**methods))


def test_a_failure_says_what_differs_where_and_under_which_seed() -> None:
    with pytest.raises(
        AssertionError,
        match=r"entropy is .* should be .* \(input 0, seed 5, scale 0 under \+1 w of float64\)",
    ):
        check(broken(entropy=shifted("entropy", 1.0)))


def test_a_space_without_labels_must_say_what_its_parts_cost() -> None:
    with pytest.raises(AssertionError, match="give additive"):
        check_space(Categories(LABELS, 3), RAWS)


def test_nothing_to_check_is_a_failure_and_not_a_pass() -> None:
    with pytest.raises(AssertionError, match="no input"):
        check_space(Categories(LABELS, 3), [], additive=ADDITIVE)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_enumerators_gradient_and_expectation_are_the_derivatives_that_they_claim(sign: int) -> None:
    space = Categories(LABELS, 3)
    x, weights = space.encode(RAWS[0]), np.random.default_rng(4).normal(size=12)
    losses = [0.1, 0.9, 0.4, 0.3]
    truth = enumerate_outputs(space, x, weights, sign)
    of_mean = finite_differences(lambda w: enumerate_outputs(space, x, w, sign).mean(losses), weights)
    of_log_z = finite_differences(lambda w: enumerate_outputs(space, x, w, sign).log_partition, weights)
    assert truth.gradient_of_mean(losses) == pytest.approx(of_mean, abs=1e-9)
    assert sign * truth.expected_features() == pytest.approx(of_log_z, abs=1e-9)
    assert np.abs(of_mean).max() > 1e-3


def test_the_enumerator_by_hand() -> None:
    space = Categories(("no", "yes"), 1)
    truth = enumerate_outputs(space, Point((1.0,), ("no", "yes")), np.array([0.0, np.log(3.0)]))
    assert truth.probabilities == pytest.approx([0.25, 0.75])
    assert truth.log_partition == pytest.approx(np.log(4.0))
    assert truth.entropy() == pytest.approx(-(0.25 * np.log(0.25) + 0.75 * np.log(0.75)))
    assert truth.expected_features() == pytest.approx([0.25, 0.75])
    assert [y for y, _ in truth.top(5)] == ["yes", "no"]
    assert truth.log_prob("maybe") == -np.inf


def test_the_enumerator_refuses_inputs_with_too_many_outputs() -> None:
    names = [f"label {k}" for k in range(20_001)]
    with pytest.raises(ValueError, match="more than 20000 outputs"):
        enumerate_outputs(EveryLabel(names, 1), Point((1.0,), ()), np.zeros(20_001))


class EveryLabel(Categories):
    def structures(self, x: Point) -> Iterator[str]:
        return iter(self.names)


def test_single_checks_take_a_case() -> None:
    case = Case.of(Categories(LABELS, 3), RAWS[0], np.zeros(12, np.float32), -1)
    assert case.truth.entropy() == pytest.approx(np.log(4))
    case.same("a number within rounding", 1.0 + 1e-7, 1.0)
    with pytest.raises(AssertionError, match="a number is"):
        case.same("a number", 1.001, 1.0)
    with pytest.raises(AssertionError, match="shape"):
        case.same("two numbers", [1.0, 2.0], [1.0])
    with pytest.raises(AssertionError, match="is nan"):
        case.same("no number", float("nan"), 1.0)
