"""Every list of candidates that Hypothesis can think of agrees with enumeration; equal texts are one output."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.spaces.candidates import Candidate, Candidates, Lists, classes
from kibitz.spaces.generator import Generator
from kibitz.testing import Additive, Case, check_space

NAMES = ("u", "v", "w", "x", "y")
values = st.floats(-3.0, 3.0, width=32)
candidates = st.builds(
    Candidate,
    st.sampled_from(["", "a", "b c", "\U0001f600", "ü"]),
    st.dictionaries(st.sampled_from(NAMES), values),
)
lists = st.lists(candidates, min_size=1, max_size=7)
COSTS = Additive(lambda x: (x.length,), lambda x, y, costs: float(costs[y]))
TWICE = [
    Candidate("a", {"u": 1.0, "v": 0.5}),
    Candidate("b", {"v": 1.0}),
    Candidate("a", {"w": -1.0}),
    Candidate("c", {}),
]


@given(st.lists(lists, min_size=1, max_size=2), st.integers(0, 2**32), st.sampled_from([0.0, 1.0, 30.0, 1e4]))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_list_agrees_with_enumeration(raws: list[list[Candidate]], seed: int, scale: float) -> None:
    check_space(Candidates(), raws, seed=seed, scales=[scale], draws=200, additive=COSTS)


def test_equal_texts_are_one_output_with_the_sum_of_their_probabilities() -> None:
    space = Candidates()
    x = space.encode(TWICE)
    assert [space.shown(x, y) for y in space.structures(x)] == ["a", "b", "a", "c"]
    model = space.distribution(x, np.array([0.3, -0.2, 0.9]))
    together = np.exp(model.log_prob(0)) + np.exp(model.log_prob(2))
    assert np.exp(model.log_propensity("a")) == pytest.approx(together, abs=1e-12)
    assert model.log_propensity("d") == -np.inf


@pytest.mark.parametrize("scale", [1e4, -1e4])
def test_scores_of_ten_thousand_stay_finite_and_exact(scale: float) -> None:
    case = Case.of(Candidates(), TWICE, np.array([scale, -scale, scale / 2]))
    model = case.distribution()
    assert np.isfinite([model.log_partition, model.entropy(), *(model.log_prob(y) for y in range(4))]).all()
    assert np.exp([model.log_prob(y) for y in range(4)]).sum() == pytest.approx(1.0, abs=1e-9)
    assert model.sample(Generator(1)) == model.argmax()


def test_classes_are_candidates_with_their_label_in_every_feature() -> None:
    one, two = classes(["yes", "no"], ["long", "red"])
    assert (one.text, two.text) == ("yes", "no")
    assert one.features == {"long|yes": 1.0, "red|yes": 1.0}
    assert classes(["no"], {"size": 2.5})[0].features == {"size|no": 2.5}
    check_space(Candidates(), [classes("abc", ["long", "red"])], seed=1, additive=COSTS)


def test_features_that_a_frozen_space_has_never_seen_are_left_out() -> None:
    space = Candidates()
    space.encode(TWICE)
    space.vocabulary.freeze()
    x = space.encode([Candidate("n", {"u": 2.0, "new": 5.0})])
    assert space.features(x, 0).dense(space.size).tolist() == [2.0, 0.0, 0.0]


def same(left: Lists, right: Lists) -> bool:
    ours, theirs = left.arrays(), right.arrays()
    return ours.keys() == theirs.keys() and all(np.array_equal(ours[name], theirs[name]) for name in ours)


@given(st.lists(lists, min_size=1, max_size=4), st.data())
@settings(max_examples=40, deadline=None)
def test_a_corpus_is_stored_and_cut_without_loss(raws: list[list[Candidate]], data: st.DataObject) -> None:
    space = Candidates()
    golds = [{"a": 0.5} if number % 2 else "text" for number in range(len(raws))]
    corpus = space.corpus(raws, golds)
    assert same(Lists.restore(corpus.arrays()), corpus)
    chosen = data.draw(st.lists(st.integers(0, len(raws) - 1), min_size=1, max_size=3))
    space.vocabulary.freeze()
    again = space.corpus([raws[i] for i in chosen], [golds[i] for i in chosen])
    assert same(corpus.subset(chosen), again)


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ([], "no list of candidates"),
        ("text", "no list of candidates"),
        ([{"text": 3}], "a candidate has a"),
        ([{"text": "a", "features": [1]}], "are an object"),
        ([{"text": "a", "features": {"u": "1"}}], "'u' has the value '1'"),
        ([{"text": "a", "features": {"u": float("inf")}}], "'u' has the value inf"),
        ([{"text": "a", "features": {"u": 10**400}}], "'u' has the value 1000"),
        ([{"text": "a", "features": {"u": 1e39}}], r"'u' has the value 1e\+39"),
        ([Candidate("a", {"u": float("nan")})], "not a finite number"),
        ([Candidate("a", {"u": 1e300})], "not a finite number"),
    ],
)
def test_what_is_no_list_of_candidates_is_refused(raw: object, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Candidates().encode(raw)


def test_golds_are_counted() -> None:
    with pytest.raises(InputError, match="2 inputs but 1 gold"):
        Candidates().corpus([TWICE, TWICE], ["a"])
