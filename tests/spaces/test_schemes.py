"""The schemes forbid exactly what no spans can be written as."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.feedback.spans import Span, spans
from kibitz.spaces.schemes import Fault, Scheme, check, scheme_from

LABELS = {
    "bio": ["O", "B-N", "I-N", "B-V", "I-V"],
    "iob1": ["O", "B-N", "I-N", "B-V", "I-V"],
    "iobes": ["O", "B-N", "I-N", "E-N", "S-N", "S-V"],
}


def write(found: list[Span], n: int, scheme: str) -> tuple[str, ...]:
    """The one way in which the scheme writes these spans."""
    labels = ["O"] * n
    for before, span in zip([None, *found], found, strict=False):
        kind = f"-{span.type}"
        inner = range(span.start, span.stop)
        for i in inner:
            labels[i] = "I" + kind
        touches = before is not None and before.stop == span.start and before.type == span.type
        if scheme == "bio" or (scheme == "iob1" and touches) or scheme == "iobes":
            labels[span.start] = "B" + kind
        if scheme == "iobes":
            labels[span.stop - 1] = "E" + kind
            if len(inner) == 1:
                labels[span.start] = "S" + kind
    return tuple(labels)


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_sequence_is_possible_exactly_where_the_scheme_writes_its_spans_so(name: str, n: int) -> None:
    scheme, labels = scheme_from(name), LABELS[name]
    forbidden = set(scheme.forbidden(labels))
    initial, final = scheme.initial(labels), scheme.final(labels)
    possible = 0
    for sequence in itertools.product(labels, repeat=n):
        ours = (
            sequence[0] in initial
            and sequence[-1] in final
            and not any(step in forbidden for step in itertools.pairwise(sequence))
        )
        assert ours == (write(spans(sequence), n, name) == sequence), sequence
        assert ours == (check(sequence, scheme) is None), sequence
        possible += ours
    assert 0 < possible < len(labels) ** n


def test_the_chunking_labels_forbid_only_i_after_o() -> None:
    scheme = scheme_from("bio")
    assert scheme.forbidden(["B", "I", "O"]) == (("O", "I"),)
    assert scheme.initial(["B", "I", "O"]) == ("B", "O")
    assert scheme.final(["B", "I", "O"]) == ("B", "I", "O")


def test_an_untyped_inside_does_not_go_on_a_typed_span() -> None:
    assert not scheme_from("bio").allows("B-NP", "I")
    assert scheme_from("bio").allows("B-PER-X", "I-PER-X")
    assert not scheme_from("bio").allows("B-PER-X", "I-PER-Y")


def test_schemes_come_by_name_in_any_case_and_others_are_refused_with_the_choices() -> None:
    assert scheme_from("IOB2") == scheme_from("bio") == Scheme("bio")
    assert scheme_from("iobes").name == "iobes"
    with pytest.raises(
        InputError, match="no label scheme called 'bilou': choose one of bio, iob1, iobes, iob2"
    ):
        scheme_from("bilou")


@pytest.mark.parametrize("label", ["", "X-NP", "NP", "BNP", "S-NP", "O-NP", "-NP", "BI-NP", "b-NP"])
def test_a_label_that_the_scheme_does_not_have_is_refused_by_name(label: str) -> None:
    with pytest.raises(InputError, match=f"the label '{label}' is not one of the scheme 'bio'"):
        scheme_from("bio").forbidden(["O", label])


@pytest.mark.parametrize(
    ("name", "labels", "expected"),
    [
        ("bio", ["O", "B-N", "I-V", "I-N"], Fault(2, "'I-V' cannot follow 'B-N' in the scheme 'bio'")),
        ("bio", ["I-N"], Fault(0, "'I-N' cannot open a sentence in the scheme 'bio'")),
        ("iob1", ["I-N", "O", "B-N"], Fault(2, "'B-N' cannot follow 'O' in the scheme 'iob1'")),
        ("iobes", ["S-N", "B-N"], Fault(1, "'B-N' cannot close a sentence in the scheme 'iobes'")),
        ("iobes", ["B-N", "O"], Fault(1, "'O' cannot follow 'B-N' in the scheme 'iobes'")),
        ("iobes", [], None),
    ],
)
def test_the_first_fault_of_a_sequence_is_named_with_its_place(
    name: str, labels: list[str], expected: Fault | None
) -> None:
    assert check(labels, scheme_from(name)) == expected


@given(st.lists(st.sampled_from(LABELS["iobes"]), max_size=8))
def test_the_fault_is_the_first_one(labels: list[str]) -> None:
    scheme = scheme_from("iobes")
    fault = check(labels, scheme)
    if fault is not None and "close" not in fault.message:
        before = check(labels[: fault.position], scheme)
        assert before is None or "close" in before.message
