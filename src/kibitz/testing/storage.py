"""What any space must satisfy as a thing that is asked, saved and made again."""

from __future__ import annotations

import json

import numpy as np

from kibitz.spaces.protocol import Space
from kibitz.testing.case import Case
from kibitz.testing.steps import check_shown_best


def check_untouched(case: Case) -> None:
    """Asking changes neither the weights nor the space, and the same question has the same answer."""
    before, size = case.weights.copy(), case.space.size
    first = case.distribution()
    known = first.log_partition
    first.expected_features()
    first.top_k(2)
    again = case.distribution()
    again.argmax()
    case.holds(np.array_equal(before, case.weights), "the weights changed while a distribution was asked")
    case.holds(case.space.size == size, "the number of weights changed while a distribution was asked")
    case.holds(
        again.log_partition == known, "the same distribution has another log_partition the second time"
    )
    case.holds(first.log_partition == known, "a distribution changed when another one was asked for")
    y = case.truth.outputs[0]
    case.same(
        "the log_prob of a distribution asked before another one", first.log_prob(y), case.truth.log_prob(y)
    )


def check_encoded_once(case: Case) -> None:
    """An encoded input is encoded as itself."""
    again = case.space.distribution(case.space.encode(case.x), case.weights, case.sign)
    case.holds(
        again.log_partition == case.distribution().log_partition, "encode changes an input that is encoded"
    )


def check_restored(case: Case, raw: object) -> None:
    """`restore` of settings (through JSON) and of copies of the arrays gives the same space, bit for bit."""
    settings = json.loads(json.dumps(case.space.settings()))
    arrays = {name: array.copy() for name, array in case.space.arrays().items()}
    twin: Space = type(case.space).restore(settings, arrays)
    case.holds(
        twin.size == case.space.size, f"the restored space has {twin.size} weights, not {case.space.size}"
    )
    ours, theirs = case.distribution(), twin.distribution(twin.encode(raw), case.weights, case.sign)
    case.holds(ours.log_partition == theirs.log_partition, "the restored space has another log_partition")
    case.holds(ours.argmax() == theirs.argmax(), "the restored space has another argmax")
    same = json.loads(json.dumps(twin.settings())) == settings
    case.holds(same, "the settings of the restored space are not those that it was restored from")


def check_corpus(case: Case, raw: object) -> None:
    """A corpus has its inputs and gold outputs in order, and `predict` shows a best structure of each."""
    golds = [case.truth.shown[0], case.truth.shown[-1]]
    corpus = case.space.corpus([raw, raw], golds)
    case.holds(len(corpus) == 2, f"a corpus of 2 inputs has the length {len(corpus)}")
    case.holds(
        [corpus.gold_of(i) for i in (0, 1)] == golds, "a corpus gives other gold outputs than it was given"
    )
    predicted = list(case.space.predict(corpus, case.weights))
    case.holds(len(predicted) == 2, f"predict gives {len(predicted)} outputs for 2 inputs")
    for shown in predicted:
        check_shown_best(case, "what predict gives", shown)
