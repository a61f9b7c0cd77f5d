"""Sentence BLEU by hand and beside sacrebleu; losses that came with the data."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from kibitz.errors import InputError
from kibitz.feedback import GivenLoss, Reported, SentenceBLEU, loss_from

LOSS = SentenceBLEU()
WORDS = st.lists(st.sampled_from("a b c d e".split()), max_size=9)
SACRE = BLEU(tokenize="none", smooth_method="floor", smooth_value=0.01, effective_order=True)


def test_zero_counts_are_replaced_by_a_hundredth() -> None:
    # a c b d against a b c d: 4 of 4 words, 0 of 3 pairs, 0 of 2, 0 of 1
    bleu = (4 / 4 * 0.01 / 3 * 0.01 / 2 * 0.01 / 1) ** (1 / 4)
    assert LOSS("a c b d", "a b c d") == pytest.approx(1 - bleu, abs=1e-12)


def test_a_short_output_is_judged_by_the_orders_it_has_and_its_brevity() -> None:
    assert LOSS("a b", "a b c d e") == pytest.approx(1 - math.exp(1 - 5 / 2), abs=1e-12)


def test_an_n_gram_counts_as_often_as_the_reference_has_it() -> None:
    assert LOSS("a a a", "a b") == pytest.approx(1 - (1 / 3 * 0.01 / 2 * 0.01 / 1) ** (1 / 3), abs=1e-12)


def test_texts_and_sequences_of_words_are_the_same() -> None:
    assert LOSS("a c b", "a b") == LOSS(("a", "c", "b"), ["a", "b"])
    with pytest.raises(InputError, match="not 3"):
        LOSS(3, "a b")


def test_an_output_without_words_is_as_bad_as_can_be_unless_nothing_was_wanted() -> None:
    assert LOSS("", "a") == 1.0
    assert LOSS("", "") == 0.0
    assert 0.9 < LOSS("a", "") < 1.0


@given(WORDS, WORDS)
def test_it_is_sacrebleu_with_a_floor_wherever_a_word_matches(output: list[str], gold: list[str]) -> None:
    loss = LOSS(output, gold)
    assert 0.0 <= loss <= 1.0
    if set(output) & set(gold):
        theirs = SACRE.sentence_score(" ".join(output), [" ".join(gold)]).score / 100
        assert loss == pytest.approx(1 - theirs, abs=1e-12)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_the_corpus_metric_is_that_of_sacrebleu(pairs: list[tuple[list[str], list[str]]]) -> None:
    outputs, golds = [[" ".join(words) for words in side] for side in zip(*pairs, strict=True)]
    theirs = BLEU(tokenize="none")
    score = theirs.corpus_score(outputs, [golds]).score / 100
    assert LOSS.corpus(outputs, golds) == pytest.approx(score, abs=1e-12)
    assert str(theirs.get_signature()) == LOSS.signature


@given(st.lists(WORDS, min_size=1, max_size=5), WORDS)
def test_many_outputs_at_once_are_judged_as_one_by_one(outputs: list[list[str]], gold: list[str]) -> None:
    assert LOSS.of_each(outputs, gold).tolist() == [LOSS(output, gold) for output in outputs]


def test_given_losses_are_looked_up() -> None:
    loss, gold = GivenLoss(), {"a": 0.25, "b": 1.0}
    assert loss("a", gold) == 0.25
    assert loss.of_each(["b", "a"], gold).tolist() == [1.0, 0.25]
    assert loss.corpus(["a", "b"], [gold, gold]) == 0.625
    with pytest.raises(InputError, match="no loss was given for the output 'c'"):
        loss("c", gold)
    with pytest.raises(InputError, match=r"is 1\.5"):
        loss("a", {"a": 1.5})


def test_one_loss_is_heard_and_another_reported() -> None:
    loss = Reported(GivenLoss(), LOSS)
    assert loss("a", {"a": 0.25}) == loss.of_each(["a"], {"a": 0.25})[0] == 0.25
    assert loss.corpus(["a b c d"], ["a b c d"]) == 1.0
    assert (loss.name, loss.metric, loss.higher_is_better) == ("bleu", "BLEU", True)
    assert loss_from(loss) is loss


def test_both_have_names() -> None:
    assert loss_from("bleu") == SentenceBLEU()
    assert loss_from("given") == GivenLoss()
