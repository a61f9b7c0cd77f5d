"""The losses of single outputs, their corpus metrics, and users' own functions."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.feedback import ChunkF1, CompiledLoss, FunctionLoss, Hamming, ZeroOne, loss_from
from kibitz.feedback.chunk_f1 import BEGINS, ENDS, INSIDE, TYPE

COMPILED: list[CompiledLoss] = [ChunkF1(), Hamming(), ZeroOne()]
LABELS = ["O", "B", "I"]


def test_chunk_loss_is_one_minus_f1_of_the_sentence() -> None:
    gold = ["B", "I", "O", "B", "I", "O"]
    output = ["B", "I", "O", "B", "O", "B"]
    assert ChunkF1()(output, gold) == pytest.approx(1 - 2 * 1 / (3 + 2))


def test_two_sentences_without_a_span_agree_and_one_with_a_span_does_not() -> None:
    assert ChunkF1()(["O", "O"], ["O", "O"]) == 0.0
    assert ChunkF1()(["O", "B"], ["O", "O"]) == 1.0
    assert ChunkF1()(["O", "O"], ["O", "B"]) == 1.0


def test_chunk_loss_sees_the_type_and_both_ends() -> None:
    loss = ChunkF1()
    assert loss(["B-NP", "I-NP"], ["B-VP", "I-VP"]) == 1.0
    assert loss(["B-NP", "O"], ["B-NP", "I-NP"]) == 1.0
    assert loss(["O", "B-NP"], ["B-NP", "I-NP"]) == 1.0


def test_hamming_and_zero_one_by_hand() -> None:
    assert Hamming()("abcd", "abxx") == 0.5
    assert ZeroOne()("abcd", "abxx") == 1.0
    assert Hamming()("abcd", "abcd") == ZeroOne()("abcd", "abcd") == 0.0
    assert Hamming()("", "") == ZeroOne()("", "") == 0.0


def test_corpus_metrics_count_over_all_outputs_and_are_no_means_of_losses() -> None:
    outputs, golds = [["a"], ["b", "b", "b"]], [["b"], ["b", "b", "b"]]
    assert Hamming().corpus(outputs, golds) == 0.25
    assert ZeroOne().corpus(outputs, golds) == 0.5
    outputs, golds = [["B"], ["B", "B", "B"]], [["O"], ["B", "B", "B"]]
    assert ChunkF1().corpus(outputs, golds) == pytest.approx(2 * 3 / (4 + 3))


@pytest.mark.parametrize("loss", COMPILED, ids=lambda loss: loss.name)
def test_an_empty_corpus_has_a_metric_and_not_a_division_by_zero(loss: CompiledLoss) -> None:
    assert loss.corpus([], []) == loss.score(np.zeros(4)) == 0.0


@pytest.mark.parametrize("loss", COMPILED, ids=lambda loss: loss.name)
@given(data=st.data())
def test_numbers_and_labels_give_the_same_loss(loss: CompiledLoss, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 9))
    ids = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    output, gold = data.draw(ids), data.draw(ids)
    padded = np.array([1, 2, *gold, 1], dtype=np.int32)
    counts = np.zeros(4)
    loss.tally(np.array([*output, 0], dtype=np.int32), padded, 2, n, loss.table(LABELS), counts)
    words = [LABELS[k] for k in output], [LABELS[k] for k in gold]
    assert loss.ratio(counts) == loss(*words)
    assert loss.score(counts) == loss.corpus([words[0]], [words[1]])
    assert 0.0 <= loss.ratio(counts) <= 1.0


@pytest.mark.parametrize("loss", COMPILED, ids=lambda loss: loss.name)
def test_tally_and_ratio_compile_to_the_same_numbers_and_the_signature_a_loop_calls(
    loss: CompiledLoss,
) -> None:
    ints, floats = numba.types.int32[::1], numba.types.float64[::1]
    tally = numba.njit(numba.void(ints, ints, numba.int64, numba.int64, ints, floats))(loss.tally)
    ratio, score = (numba.njit(numba.float64(floats))(part) for part in (loss.ratio, loss.score))
    generator = np.random.default_rng(3)
    table, fast, slow = loss.table(LABELS), np.zeros(4), np.zeros(4)
    for _ in range(200):
        n = int(generator.integers(0, 8))
        output, gold = (generator.integers(0, 3, 9).astype(np.int32) for _ in range(2))
        tally(output, gold, 1, n, table, fast)
        loss.tally(output, gold, 1, n, table, slow)
    assert fast.tolist() == slow.tolist()
    assert fast[1] > 0
    assert ratio(fast) == loss.ratio(slow)
    assert score(fast) == loss.score(slow)
    assert ratio(np.zeros(4)) == 0.0


@pytest.mark.parametrize("loss", COMPILED, ids=lambda loss: loss.name)
def test_sequences_of_different_lengths_are_refused_with_both_lengths(loss: CompiledLoss) -> None:
    with pytest.raises(InputError, match=r"2 labels and the gold answer 1"):
        loss(["O", "O"], ["O"])
    with pytest.raises(InputError, match=r"1 sequences and the gold answer 0"):
        loss.corpus([["O"]], [])


def test_chunk_table_tells_prefixes_and_types_apart() -> None:
    table = ChunkF1("iobes").table(["O", "B-NP", "I-NP", "E-VP", "S", "I-VP"])
    assert (table % TYPE).tolist() == [
        ENDS | BEGINS, BEGINS | INSIDE, INSIDE, ENDS | INSIDE, ENDS | BEGINS | INSIDE, INSIDE,
    ]  # fmt: skip
    kinds = (table // TYPE).tolist()
    assert kinds[1] == kinds[2]
    assert kinds[3] == kinds[5]
    assert len({kinds[1], kinds[3], kinds[4]}) == 3


def test_chunk_f1_refuses_labels_that_its_scheme_does_not_have() -> None:
    with pytest.raises(InputError, match=r"'S-NP'.*'bio'"):
        ChunkF1("bio").table(["O", "S-NP"])
    with pytest.raises(InputError, match="no label scheme called 'bilou'"):
        ChunkF1("bilou")


def test_a_users_function_is_a_loss_whose_corpus_metric_is_the_mean() -> None:
    def share_of_long_words(output: list[str], gold: list[str]) -> float:
        return abs(len(output) - len(gold)) / 10

    loss = loss_from(share_of_long_words)
    assert isinstance(loss, FunctionLoss)
    assert loss(["a", "b"], ["a"]) == pytest.approx(0.1)
    assert loss.corpus([["a", "b"], ["a"]], [["a"], ["a"]]) == pytest.approx(0.05)
    assert not hasattr(loss, "tally")


@pytest.mark.parametrize("value", [math.nan, -0.1, 1.0001, math.inf, "bad", None])
def test_a_users_loss_outside_zero_to_one_is_refused_by_name(value: Any) -> None:
    def my_loss(output: object, gold: object) -> Any:
        return value

    with pytest.raises(InputError, match=r"'my_loss' returned .* for the output \['x'\]"):
        loss_from(my_loss)(["x"], ["x"])


def test_losses_come_by_name_and_pass_through_as_they_are() -> None:
    assert loss_from("f1", scheme="iobes") == ChunkF1("iobes")
    assert loss_from("hamming") == Hamming()
    assert loss_from("01") == ZeroOne()
    assert [loss_from(loss) for loss in COMPILED] == COMPILED
    assert [loss_from(loss.name).name for loss in COMPILED] == [loss.name for loss in COMPILED]


@pytest.mark.parametrize("wrong", ["f2", 3])
def test_what_is_no_loss_is_refused_with_the_choices(wrong: Any) -> None:
    with pytest.raises(InputError, match="f1, hamming"):
        loss_from(wrong)
