"""All checks in one call."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from kibitz.spaces.generator import Generator
from kibitz.spaces.protocol import Space, Structure
from kibitz.testing import checks, steps, storage
from kibitz.testing.case import Additive, Case, label_costs
from kibitz.testing.enumerator import Enumeration

SCALES = (0.0, 1.0, 20.0)


def check_space(
    space: Space,
    raws: Sequence[Any],
    *,
    seed: int = 0,
    scales: Sequence[float] = SCALES,
    draws: int = 300,
    additive: Additive | None = None,
    forbidden: Callable[[Any], Iterable[Structure]] | None = None,
) -> None:
    """Checks a space against enumeration; an `AssertionError` says the first thing that is wrong.

    `raws` are inputs with few outputs (up to some thousands). Weights are drawn from the seed at each of the
    `scales`, in double and single precision, and every check runs under both signs. To test your own space:

        def test_my_space_is_exact():
            check_space(MySpace(...), [raw_input, another], additive=Additive(shape, loss))

    `additive` says what `expected_loss` takes; a space whose outputs are tuples of labels, and that has
    `labels`, needs none. `forbidden(x)` yields outputs that must have no probability; by default, for outputs
    that are tuples of the same length, every other tuple of the same labels.
    """
    if not raws:
        raise AssertionError("there is no input to check the space on: give some")
    if additive is None:
        labels = getattr(space, "labels", None)
        if labels is None:
            raise AssertionError(
                "the space has no labels, so say what expected_loss takes: give additive=Additive(...)"
            )
        additive = label_costs(space, labels)
    generator = Generator(seed)
    for raw in raws:  # all of them first: encoding may bring new weights
        space.encode(raw)
    cases = [Case.of(space, raw, np.zeros(space.size)) for raw in raws]
    for scale, dtype in itertools.product(scales, (np.float64, np.float32)):
        weights = np.array(
            [scale * (2.0 * generator.uniform() - 1.0) for _ in range(space.size)], dtype=dtype
        )
        for number, sign in itertools.product(range(len(raws)), (1, -1)):
            name = f"input {number}, seed {seed}, scale {scale:g}"
            case = cases[number].under(weights, sign, name)
            outside = forbidden(case.x) if forbidden else others(case.truth)
            check_case(case, raws[number], additive, outside, generator, draws)


def check_case(
    case: Case, raw: Any, additive: Additive, forbidden: Iterable[Structure], generator: Generator, draws: int
) -> None:
    """Every check on one input."""
    storage.check_untouched(case)
    checks.check_log_partition(case)
    checks.check_log_prob(case)
    checks.check_log_propensity(case)
    checks.check_forbidden(case, forbidden)
    checks.check_expected_features(case)
    checks.check_entropy(case)
    checks.check_argmax(case)
    checks.check_top_k(case)
    checks.check_expected_loss(case, additive, generator)
    checks.check_parts(case, additive, generator)
    checks.check_sampling(case, generator, draws)
    if case.sign == 1:  # what learners ask for is always beside +w
        steps.check_draw(case, generator, draws)
        steps.check_gradient(case, generator)
        steps.check_recall(case, generator)
        steps.check_best(case)
        steps.check_gold(case, generator)
        storage.check_corpus(case, raw)
    storage.check_encoded_once(case)
    storage.check_restored(case, raw)


def others(truth: Enumeration, most: int = 500) -> Iterable[Structure]:
    """Tuples made of the same labels that are no outputs, where outputs are tuples of the same length."""
    if not all(isinstance(y, tuple) and len(y) == len(truth.outputs[0]) for y in truth.outputs):
        return ()
    labels = sorted({label for y in truth.outputs for label in y})
    allowed = set(truth.outputs)
    every = itertools.product(labels, repeat=len(truth.outputs[0]))
    return itertools.islice((y for y in every if y not in allowed), most)
