"""Pictures of forests: everything is on them, in its place, and nothing lies on anything else."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from kibitz.analysis.drawing import as_dot, as_svg, sketch
from kibitz.analysis.drawing.layers import crossings, layers
from kibitz.analysis.drawing.places import apart_enough
from kibitz.analysis.drawing.sketch import columns, shortened
from kibitz.spaces.hypergraph.builder import ForestBuilder
from kibitz.spaces.hypergraph.forest import Forest

SVG = "{http://www.w3.org/2000/svg}"


def chart(words: str) -> Forest:
    """All binary bracketings of a sentence: every part of it is a node, and most are shared."""
    said = words.split()
    builder = ForestBuilder()
    for i, word in enumerate(said):
        builder.edge(f"{i}-{i + 1}", [], [word], {"word": 1})
    for size in range(2, len(said) + 1):
        for i in range(len(said) - size + 1):
            for k in range(i + 1, i + size):
                builder.edge(f"{i}-{i + size}", [f"{i}-{k}", f"{k}-{i + size}"], features={"join": size})
    return builder.build()


@st.composite
def forests(draw: st.DrawFn) -> Forest:
    builder = ForestBuilder()
    nodes = draw(st.integers(1, 6))
    for v in range(nodes):
        for _ in range(draw(st.integers(1, 3))):
            tails = draw(st.lists(st.integers(0, v - 1), max_size=3)) if v else []
            output: list[str | int] = list(draw(st.permutations(range(len(tails)))))
            output += draw(st.lists(st.text(max_size=30), max_size=2))
            builder.edge(f"N{v}", [f"N{t}" for t in tails], output)
    return builder.build(f"N{nodes - 1}")


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """Left, right, top and bottom of every box but the sheet."""
    found = []
    for box in ET.fromstring(svg).iter(f"{SVG}rect"):
        if box.get("class") != "sheet":
            x, y, wide, high = (float(box.get(key) or "nan") for key in ("x", "y", "width", "height"))
            found.append((x, x + wide, y, y + high))
    return found


@given(forests())
def test_two_boxes_of_a_picture_overlap_or_one_is_missing(forest: Forest) -> None:
    found = boxes(as_svg(sketch(forest)))
    assert len(found) == len(forest.nodes) + len(forest)
    for a, b in combinations(found, 2):
        assert a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
    assert all(box[0] >= -0.1 and box[2] >= -0.1 for box in found)


@given(forests())
def test_a_line_goes_up_or_skips_a_row_or_ends_elsewhere(forest: Forest) -> None:
    drawn = sketch(forest)
    order = layers(drawn)
    row = {thing: r for r, things in enumerate(order.rows) for thing in things}
    assert order.rows[0] == (len(drawn.names) - 1,)
    assert all(row[link.lower] == row[link.upper] + 1 for link in order.links)
    ends = sorted((line.things[0], line.things[-1]) for line in order.lines)
    joined = [(way.head, len(drawn.names) + w) for w, way in enumerate(drawn.ways)]
    joined += [(len(drawn.names) + w, tail) for w, way in enumerate(drawn.ways) for tail in way.tails]
    assert ends == sorted(joined)
    walked = [pair for line in order.lines for pair in pairwise(line.things)]
    assert sorted(walked) == sorted((link.upper, link.lower) for link in order.links)


def test_the_words_of_a_sentence_stand_in_their_order() -> None:
    svg = as_svg(sketch(chart("the old house stands")))
    at = {text.text: float(text.get("x") or "nan") for text in ET.fromstring(svg).iter(f"{SVG}text")}
    places = [at[word] for word in "the old house stands".split()]
    assert places == sorted(places)


def test_rows_are_left_in_an_order_that_crosses_more() -> None:
    drawn = sketch(chart("a b c d"))
    order = layers(drawn)
    as_numbered = [sorted(row) for row in order.rows]
    assert crossings(order.rows, order.links) < crossings(as_numbered, order.links)


@given(st.data())
def test_boxes_stand_elsewhere_than_where_the_least_squares_are(data: st.DataObject) -> None:
    some = st.floats(-100, 100)
    wanted = data.draw(st.lists(some, min_size=1, max_size=8))
    n = len(wanted)
    pull = data.draw(st.lists(st.floats(0.5, 8), min_size=n, max_size=n))
    apart = data.draw(st.lists(st.floats(1, 50), min_size=n - 1, max_size=n - 1))
    offset = np.concatenate([[0.0], np.cumsum(apart)])
    least = isotonic_regression(np.array(wanted) - offset, weights=np.array(pull)).x + offset
    assert np.allclose(apart_enough(wanted, pull, apart), least, atol=1e-9)


def test_probabilities_and_the_best_derivation_are_on_the_picture() -> None:
    forest = chart("a b c")
    probabilities = [1.0, 1.0, 0.25, 1.0, 0.75, 0.25, 0.75]
    best = [e for e, p in enumerate(probabilities) if p >= 0.75]
    drawn = sketch(forest, probabilities=probabilities, best=best)
    svg, dot = as_svg(drawn, title="Three words"), as_dot(drawn)
    assert sorted(
        t.text for t in ET.fromstring(svg).iter(f"{SVG}text") if t.get("class") == "odds"
    ) == sorted(["1", "1", "0.25", "1", "0.75", "0.25", "0.75"])
    assert svg.count('class="best way"') == len(best)
    assert dot.count('label="0.75"') == 2
    assert dot.count("color=") == svg.count('class="best ')
    assert ">Three words</title>" in svg
    assert "probability 0.75\njoin = 3" in svg


def test_a_part_of_a_forest_says_how_much_is_left_out() -> None:
    forest = chart("a b c")
    whole = [
        e for e, edge in enumerate(forest.edges()) if edge.head not in ("0-2",) and "0-2" not in edge.tails
    ]
    svg = as_svg(sketch(forest, edges=whole))
    assert "0-3 +1" in svg
    assert "0-2" not in svg
    assert len(boxes(svg)) == 2 * len(whole)


def test_markup_and_control_characters_break_no_picture() -> None:
    builder = ForestBuilder()
    builder.edge('<"\\&>\x00\n', output=["a<b", "\x1b[1m", 'c"d\\'], features={"<f>\x0b": 1})
    drawn = sketch(builder.build(), probabilities=[1.0])
    texts = [text.text for text in ET.fromstring(as_svg(drawn)).iter(f"{SVG}text")]
    assert texts == ['a<b �[1m c"d\\', "1", '<"\\&>��']
    labels = re.findall(r'label=("(?:[^"\\]|\\.)*")', as_dot(drawn))
    assert labels == ['"<\\"\\\\&>��"', '"a<b �[1m c\\"d\\\\"', '"1"']


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("house", 5, "house"),
        ("houses", 5, "hous…"),
        ("the old", 5, "the…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
    ],
)
def test_a_long_text_is_cut_by_columns(text: str, limit: int, short: str) -> None:
    assert shortened(text, limit) == short
    assert columns(short) <= limit


def test_a_tail_is_left_out_of_a_long_output() -> None:
    builder = ForestBuilder()
    builder.edge("NP", output=["x"])
    builder.edge("S", ["NP", "NP"], output=[*"word" * 20, 0, *"word" * 20, 1, "end"])
    way = sketch(builder.build()).ways[-1]
    assert [piece.tail for piece in way.pieces] == [None, 0, None, 1, None]
    assert columns(way.said) <= 60
