"""The page about forests: its pictures can be drawn, and its examples say the same in every format."""

from __future__ import annotations

import re
from typing import Any

from kibitz.analysis.drawing import as_svg
from kibitz.analysis.forest_summary import ForestSummary
from kibitz.data.forests import parse_forest

PICTURE = re.compile(
    r"^```\{forest\} [^\n]+\n:weights: (?P<weights>[^\n]+)\n\n(?P<forest>.*?)^```$", re.M | re.S
)
EXAMPLE = re.compile(r"^```(?:json|text)\n(?P<forest>(?:\{|\[|# target).*?)^```$", re.M | re.S)


def test_a_picture_of_the_page_cannot_be_drawn_or_its_weights_are_of_other_features(pages: Any) -> None:
    text = pages["docs/forests.md"].text
    pictures = list(PICTURE.finditer(text))
    assert len(pictures) == text.count("```{forest}") == 1
    for picture in pictures:
        forest = parse_forest(picture["forest"]).forest
        tokens = picture["weights"].split()
        weights = dict(zip(tokens[::2], map(float, tokens[1::2]), strict=True))
        assert set(weights) == set(forest.names)
        summary = ForestSummary(forest, weights)
        assert as_svg(summary.sketch(100)).count('way"') == len(forest)
        assert (len(forest.nodes), len(forest)) == (5, 7)  # as its text says
        assert summary.derivations == 4


def test_the_examples_of_the_formats_are_different_forests(pages: Any) -> None:
    text = pages["docs/forests.md"].text
    forests = [parse_forest(example["forest"]) for example in EXAMPLE.finditer(text)]
    assert len(forests) == 4
    assert all(forest == forests[0] for forest in forests)
