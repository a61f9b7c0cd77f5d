"""Every chain that Hypothesis can think of agrees with enumeration, whatever its constraints and weights."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.spaces.chain import Chain
from kibitz.spaces.schemes import scheme_from
from kibitz.testing import check_space

LABELS = ("a", "b", "c", "d")
NAMES = ("u", "v", "w", "x", "y")
MOST_OUTPUTS = 300

binary = st.sampled_from(NAMES)
valued = st.tuples(binary, st.floats(-3.0, 3.0, width=32))


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    labels = LABELS[: draw(st.integers(2, 4))]
    steps = list(itertools.product(labels, labels))
    some = st.lists(st.sampled_from(labels), min_size=1, unique=True)
    return Chain(
        labels,
        order=draw(st.sampled_from([1, 2])),
        forbidden=draw(
            st.one_of(st.just([]), st.lists(st.sampled_from(steps), unique=True, max_size=len(steps) // 2))
        ),
        initial=draw(st.none() | some),
        final=draw(st.none() | some),
        start=draw(st.none() | st.sampled_from(labels)),
        transitions=draw(st.booleans()),
    )


@st.composite
def sentences(draw: st.DrawFn, longest: int) -> list[list[Any]]:
    attribute = draw(st.sampled_from([binary, valued, binary | valued]))
    return draw(st.lists(st.lists(attribute, max_size=3), min_size=1, max_size=longest))


def allowed(chain: Chain, n: int) -> set[tuple[str, ...]]:
    """Y(x) as the constructor's arguments define it, with nothing of the chain's own machinery."""
    return {
        y
        for y in itertools.product(chain.labels, repeat=n)
        if y[0] in chain.initial
        and (chain.start, y[0]) not in chain.forbidden
        and y[-1] in chain.final
        and not any(step in chain.forbidden for step in itertools.pairwise(y))
    }


@given(data=st.data(), chain=chains(), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_chain_agrees_with_enumeration(data: st.DataObject, chain: Chain, seed: int) -> None:
    longest = 5 if len(chain.labels) < 4 else 4
    raws = [
        raw
        for raw in data.draw(st.lists(sentences(longest), min_size=1, max_size=2))
        if allowed(chain, len(raw))
    ]
    assume(raws)
    assume(all(len(allowed(chain, len(raw))) <= MOST_OUTPUTS for raw in raws))
    for raw in raws:
        found = list(chain.structures(chain.encode(raw)))
        assert len(found) == len(set(found))
        assert set(found) == allowed(chain, len(raw))
    scale = data.draw(st.sampled_from([0.0, 0.1, 1.0, 5.0, 30.0, 300.0]))
    check_space(chain, raws, seed=seed, scales=[scale], draws=200)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("scheme", ["bio", "iob1", "iobes"])
def test_a_chain_under_a_scheme_gives_exactly_the_labellings_that_the_scheme_can_write(
    scheme: str, order: int
) -> None:
    rules = scheme_from(scheme)
    labels = ["O", "B-X", "I-X", *(["E-X", "S-X"] if scheme == "iobes" else [])]
    chain = Chain(
        labels,
        order=order,
        forbidden=rules.forbidden(labels),
        initial=rules.initial(labels),
        final=rules.final(labels),
        start="O",
    )
    raw = [["first"], ["u", "v"], [], ["last"]][: 3 if scheme == "iobes" else 4]
    x = chain.encode(raw)
    possible = {
        y
        for y in itertools.product(labels, repeat=len(raw))
        if all(rules.allows(*step) for step in itertools.pairwise(["O", *y, "O"]))
    }
    assert set(chain.structures(x)) == possible
    check_space(chain, [raw, raw[:1]], seed=7)


@pytest.mark.parametrize("order", [1, 2])
def test_an_input_without_any_allowed_labelling_is_refused_in_one_sentence(order: int) -> None:
    chain = Chain("ab", order=order, forbidden=[("a", "a"), ("a", "b")], initial=["a"])
    one, two = chain.encode([["u"]]), chain.encode([["u"], ["u"]])
    weights = np.zeros(chain.size)
    assert chain.distribution(one, weights).argmax() == ("a",)
    with pytest.raises(InputError, match="no allowed labelling of 2 tokens"):
        chain.distribution(two, weights)
