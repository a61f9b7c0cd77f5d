"""Pictures are PNG files, drawn from what they are given, and labels do not lie on each other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.analysis.bars import estimate_bars
from kibitz.analysis.gains import gain_bars
from kibitz.analysis.numbers import Spread
from kibitz.analysis.pictures import Word, words
from kibitz.analysis.plots import Curve, learning_curves
from kibitz.analysis.style import spread_apart

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def curve(label="EL", seeds=3, reference=None):
    runs = [[(x, 0.9 - 0.5 / (1 + x) + 0.01 * s) for x in range(0, 1000, 100)] for s in range(seeds)]
    return Curve.of(label, runs, reference)


def test_a_curve_takes_the_iterations_that_every_seed_has():
    both = Curve.of("EL", [[(0, 0.1), (10, 0.2), (20, 0.3)], [(0, 0.3), (20, 0.5)]])
    assert both.iterations.tolist() == [0, 20]
    assert both.runs.tolist() == [[0.1, 0.3], [0.3, 0.5]]


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_curves_are_drawn_the_same_every_time(scale):
    first = learning_curves([curve(reference=0.8), curve("CE", 1)], scale=scale, references={"full": 0.95})
    assert first.startswith(SIGNATURE)
    assert first == learning_curves(
        [curve(reference=0.8), curve("CE", 1)], scale=scale, references={"full": 0.95}
    )
    assert first != learning_curves(
        [curve(reference=0.7), curve("CE", 1)], scale=scale, references={"full": 0.95}
    )


def test_a_curve_of_a_single_point_is_drawn():
    assert learning_curves([Curve.of("EL", [[(0, 0.5)]])], scale="log").startswith(SIGNATURE)


def test_bars_take_gaps_zeros_and_deviations_beyond_the_mean():
    panels = {"L": {"CE": [1.6, Spread(2.0, 3.0, 3)], "EL": [None, 0.0]}, "empty": {"CE": [None, None]}}
    assert estimate_bars(panels, ["paper", "here"], title="t").startswith(SIGNATURE)


def test_bars_of_gains_take_losses_and_systems_that_changed_nothing():
    scores = {"EL": Spread(0.27, 0.01, 3), "CE": Spread(0.25), "worse": Spread(0.2)}
    assert gain_bars(scores, "start", 0.25).startswith(SIGNATURE)
    assert gain_bars(scores, "start", 0.25) != gain_bars(scores, "start", 0.26)


def test_words_take_flat_and_square_letters_and_mark_what_is_wrong():
    letters = [np.eye(16, 8), np.ones(128)]
    right = words([Word(letters, "ab", (("before", "ab"),))])
    assert right.startswith(SIGNATURE)
    assert right != words([Word(letters, "ab", (("before", "xb"),))])
    assert words([]).startswith(SIGNATURE)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_labels_stand_apart_in_their_order_and_stay_where_there_is_room(positions):
    placed = spread_apart(positions, 0.05)
    in_order = [placed[i] for i in sorted(range(len(positions)), key=lambda i: positions[i])]
    assert all(b - a >= 0.05 - 1e-9 for a, b in itertools.pairwise(in_order))
    assert np.mean(placed) == pytest.approx(np.mean(positions), abs=1e-9)
    ordered = sorted(positions)
    if all(b - a >= 0.05 for a, b in itertools.pairwise(ordered)):
        assert placed == pytest.approx(positions)
