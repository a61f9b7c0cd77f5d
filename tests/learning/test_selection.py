"""From many weights to one: dev, last, average, random."""

from __future__ import annotations

import signal
from collections import Counter
from typing import Any

import numpy as np
import pytest
from worlds import HAMMING, Shortlist, chain, learner_of, rank_loss, sentences, shortlists

from kibitz.feedback import ChunkF1
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.learning.selection import RULES, Selection
from kibitz.learning.simulation import Simulation, simulate


def run(iterations: int = 50, seed: int = 3, **settings: Any) -> Simulation:
    space = chain()
    train = space.corpus(*sentences())
    learner = learner_of(space, "el mean", "adagrad")
    learner.seed = seed
    return simulate(
        learner,
        train,
        HAMMING,
        **{"iterations": iterations, "every": 5, "keep": 50, "dev": train, **settings},
    )


def test_dev_keeps_the_weights_of_the_best_evaluation() -> None:
    found = run()
    scores = [point.dev for point in found.curve]
    assert found.best_dev == min(scores) < scores[-1]  # Hamming loss: lower is better
    assert found.best_iteration == found.curve[scores.index(min(scores))].iteration
    kept = dict(found.iterates)
    assert found.choices["dev"].tobytes() == kept[found.best_iteration].tobytes()


def test_dev_keeps_the_highest_where_the_metric_is_better_so() -> None:
    selection = Selection(seed=0, higher_is_better=ChunkF1().higher_is_better)
    for t, score in enumerate([0.2, 0.7, 0.7, 0.3]):
        selection.evaluate(t, np.full(2, float(t)), score, second_half=False)
    assert (selection.best_iteration, selection.best_score) == (1, 0.7)  # the first of equals
    np.testing.assert_array_equal(selection.choices(np.zeros(2))["dev"], [1.0, 1.0])


def test_last_is_the_learners_own_and_average_is_the_mean_of_evaluations_in_the_second_half() -> None:
    found = run()
    kept = dict(found.iterates)
    assert found.choices["last"].tobytes() == found.learner.weights.tobytes() == kept[50].tobytes()
    late = np.mean([kept[t].astype(float) for t in (25, 30, 35, 40, 45, 50)], axis=0)
    np.testing.assert_allclose(found.choices["average"], late, rtol=1e-6, atol=1e-7)
    assert found.choices["average"].dtype == np.float32


def test_the_second_half_of_a_budget_is_that_of_its_judgements() -> None:
    """A run that ends by its budget of judgements is over long before its iterations are."""
    space = chain()
    train = space.corpus(*sentences())
    learner = learner_of(space, "pr-bin signed self")
    found = simulate(learner, train, HAMMING, feedback=10, every=1, keep=1000)
    assert found.iterations < 100
    kept = dict(found.iterates)
    late = [kept[point.iteration].astype(float) for point in found.curve if point.feedback >= 5]
    assert len(late) < len(found.curve) - 4
    np.testing.assert_allclose(found.choices["average"], np.mean(late, axis=0), rtol=1e-6, atol=1e-7)


def test_without_dev_data_the_rules_that_need_none_are_there() -> None:
    found = run(dev=None)
    assert set(found.choices) == set(RULES) - {"dev"}
    assert found.best_dev is None


@pytest.mark.parametrize("seed", range(8))
def test_random_is_the_iterate_of_its_place(seed: int) -> None:
    found = run(seed=seed)
    chosen = found.choices["random"].tobytes()
    start = np.zeros(len(found.learner.weights), np.float32)
    places = [t for t, weights in [(0, start), *found.iterates] if weights.tobytes() == chosen]
    assert len(places) == 1  # it is one of w_0 ... w_T


def test_random_takes_every_iterate_with_the_same_probability_wherever_the_run_ends() -> None:
    """Of T + 1 = 8 iterates each in an eighth of 4,000 runs, within five standard deviations."""
    places: Counter[int] = Counter()
    for seed in range(4000):
        selection = Selection(seed, higher_is_better=True)
        while selection.draws_at <= 7:
            selection.draw(np.zeros(0))
        places[selection.random_at] += 1
    assert sorted(places) == list(range(8))
    spread = 5 * np.sqrt(4000 * (1 / 8) * (7 / 8))
    assert all(abs(count - 500) < spread for count in places.values())


def test_a_run_interrupted_early_still_offers_its_last_weights() -> None:
    found = run(progress=lambda point: signal.raise_signal(signal.SIGINT))
    assert found.interrupted
    assert found.iterations == 0
    assert set(found.choices) == {"last", "dev", "random"}


def test_a_vocabulary_that_grows_under_way_does_not_stop_the_run() -> None:
    """Whoever watches may ask for a prediction with words that were never seen."""
    space = chain()
    train = space.corpus(*sentences())
    learner = learner_of(space, "el")
    words = iter(range(1000))

    def watch(point: Any) -> None:
        learner.predict([[f"unseen {next(words)}"]])

    found = simulate(learner, train, HAMMING, iterations=20, every=2, dev=train, progress=watch)
    assert {len(weights) for weights in found.choices.values()} == {space.size}
    assert space.score(train, found.choices["average"], HAMMING) < 1.0


def test_the_curve_has_the_mean_of_what_was_heard_and_the_metric() -> None:
    raws, golds = shortlists()
    heard: list[float] = []

    def loss(output: int, gold: int) -> float:
        heard.append(rank_loss(output, gold))
        return heard[-1]

    learner = Learner(Shortlist(5), "el", optimizer=SGD(0.1), seed=3)
    found = simulate(learner, list(zip(raws, golds, strict=True)), loss, iterations=20, every=8)
    assert [point.iteration for point in found.curve] == [0, 8, 16, 20]
    assert [point.feedback for point in found.curve] == [0, 8, 16, 20]
    expected = [np.mean(heard[:8]), np.mean(heard[8:16]), np.mean(heard[16:])]
    assert [point.heard for point in found.curve] == [None, *map(pytest.approx, expected)]
    assert [point.dev for point in found.curve] == [None] * 4
