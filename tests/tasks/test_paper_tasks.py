"""Chunking and handwriting: the paper's own numbers of sentences, attributes and weights."""

from __future__ import annotations

from kibitz.data import Split
from kibitz.tasks.catalogue import build
from kibitz.tasks.recipe import Recipe


def test_chunking_has_the_paper_s_split_templates_and_states(conll: Split) -> None:
    task = build(Recipe("chunking"))
    assert task.dev is not None
    assert task.test is not None
    assert (len(task.train), len(task.dev), len(task.test)) == (7936, 1000, 2012)
    assert len(task.space.vocabulary) == 300_550
    assert task.space.topology.columns == 8  # pairs of labels, but for the impossible OI
    assert task.space.order == 2
    rows = len(task.train.x.rows) - task.space.topology.contexts * len(task.train)
    assert round(rows / len(task.train)) == 402


def test_chunking_of_order_one_has_a_weight_for_each_label(conll: Split) -> None:
    task = build(Recipe("chunking", order=1))
    assert task.space.topology.columns == 3


def test_no_phrase_begins_inside(conll: Split) -> None:
    for order in (1, 2):
        task = build(Recipe("chunking", order=order))
        model = task.space.distribution([("the", "DT"), ("market", "NN")], [0.0] * task.space.size)
        assert model.log_prob(("I", "I")) == model.log_prob(("O", "I")) == float("-inf")
        assert len(model.top_k(9)) == 5  # BB BI BO OB OO


def test_every_phrase_of_the_gold_is_possible(conll: Split) -> None:
    task = build(Recipe("chunking"))
    for i in range(0, len(task.train), 397):
        assert task.space.states(task.train[i], task.train.gold_of(i)) is not None


def test_handwriting_has_a_weight_a_pixel_or_more_with_pairs(letters: Split) -> None:
    pixels = build(Recipe("handwriting"))
    pairs = build(Recipe("handwriting", features="pairs"))
    assert (len(pixels.train), pixels.space.order) == (5546, 1) or len(pixels.train) == 5547
    assert len(pixels.space.vocabulary) <= 129
    assert len(pairs.space.vocabulary) > 3 * len(pixels.space.vocabulary)
    assert pixels.space.topology.columns == 26
