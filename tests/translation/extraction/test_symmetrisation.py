"""Symmetrised alignments are those of the definition."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from aligned_pairs import links_of
from by_definition import Link, Pair, grow_diag_final_and
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.translation.alignment.links import check_links, parse_links
from kibitz.translation.alignment.symmetrise import symmetrise

cells = st.tuples(st.integers(0, 5), st.integers(0, 5))
alignments = st.lists(
    st.tuples(st.frozensets(cells, max_size=9), st.frozensets(cells, max_size=9)), max_size=3
)


def _links(alignments: Iterable[Iterable[Link]]) -> list[str]:
    return [" ".join(f"{i}-{j}" for i, j in sorted(links)) for links in alignments]


def _symmetrised(alignments: list[tuple[frozenset[Link], frozenset[Link]]]) -> list[str]:
    forward, backward = ([Pair((), (), both[k]) for both in alignments] for k in (0, 1))
    return symmetrise(links_of(forward), links_of(backward)).lines()


@given(alignments)
def test_links_differ_from_those_of_the_pseudocode(
    alignments: list[tuple[frozenset[Link], frozenset[Link]]],
) -> None:
    expected = [grow_diag_final_and(set(forward), set(backward)) for forward, backward in alignments]
    assert _symmetrised(alignments) == _links(expected)


@pytest.mark.parametrize(
    ("forward", "backward", "expected"),
    [
        ({(0, 0)}, {(0, 0)}, "0-0"),  # both directions
        ({(0, 0), (1, 1)}, {(0, 0)}, "0-0 1-1"),  # beside a chosen one, and new words
        ({(0, 0), (1, 0)}, {(0, 0)}, "0-0 1-0"),  # beside it, and one new word
        ({(0, 0), (1, 1), (0, 1)}, {(0, 0), (1, 1)}, "0-0 1-1"),  # beside them, and no new word
        ({(0, 0), (3, 3)}, {(0, 0)}, "0-0 3-3"),  # far, and two new words
        ({(0, 0), (0, 3)}, {(0, 0)}, "0-0"),  # far, and one new word
        (set(), set(), ""),
    ],
)
def test_each_step_by_hand(forward: set[Link], backward: set[Link], expected: str) -> None:
    assert _symmetrised([(frozenset(forward), frozenset(backward))]) == [expected]
    assert _symmetrised([(frozenset(backward), frozenset(forward))]) == [expected]


@given(st.lists(st.frozensets(cells), max_size=4))
def test_links_that_are_written_read_back_otherwise(alignments: list[frozenset[Link]]) -> None:
    links = links_of([Pair((), (), each) for each in alignments])
    again = parse_links(links.lines(), "links")
    assert again.lines() == links.lines() == _links(alignments)
    assert again.ptr.tolist() == links.ptr.tolist()


@pytest.mark.parametrize("line", ["0-0 1", "0-0 -1", "a-b", "0-0-0", "0_0", "0-0 1-", "٣-٣", "999999-0"])
def test_what_is_no_link_is_taken_for_one(line: str) -> None:
    with pytest.raises(InputError, match=r"^links:2: .*is no link"):
        parse_links(["0-0", line], "links")


@pytest.mark.parametrize(("link", "named"), [("2-0", "source word 2"), ("0-1", "target word 1")])
def test_a_link_to_no_word_is_taken(link: str, named: str) -> None:
    links = parse_links(["0-0", link], "links")
    with pytest.raises(InputError, match=rf"^links:9: .*{named}"):
        check_links(links, ["a", "a b"], ["c", "d"], "links", [4, 9])
