"""Replay: the mean of a remembered judgement's step is that of a new one, and a memory is saved whole."""

from __future__ import annotations

from itertools import combinations, product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from worlds import (
    HAMMING,
    LAG,
    OBJECTIVES,
    Shortlist,
    chain,
    fingerprint,
    follow,
    learner_of,
    rank_loss,
    sentences,
    shortlists,
)

from kibitz.analysis.exact import exact_gradient
from kibitz.analysis.mean_step import chances
from kibitz.errors import InputError
from kibitz.learning.answer import Answer
from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.learning.memory import Memory, Replay
from kibitz.learning.optimizers import SGD
from kibitz.learning.remembered import Remembered
from kibitz.learning.replay import replayed
from kibitz.learning.simulation import simulate
from kibitz.objectives import objective_from
from kibitz.spaces.candidates import Candidates
from kibitz.spaces.hypergraph import ForestBuilder, Hypergraph

Floats = Any
FOREVER = Replay(steps=1, clip=0.0)
RULES = [name for name in OBJECTIVES if name != "likelihood"]


def of_words(shown: Any) -> float:
    return len("".join(map(str, shown))) % 5 / 4


def worlds() -> dict[str, tuple[Any, Any, Any]]:
    """A small input of each space, and a loss."""
    texts = [
        {"text": "a", "features": {"f": 1.0}}, {"text": "bbb", "features": {"g": 0.5}},
        {"text": "a", "features": {"f": -1.0, "g": 1.0}},
    ]  # fmt: skip
    builder = ForestBuilder()
    for word, name in (("a", "x"), ("a", "y"), ("bb", "z")):
        builder.edge("N", output=[word], features={name: 1.0})
    builder.edge("S", ["N"], features={"once": 0.5})
    builder.edge("S", ["N"], output=["c", 0], features={"more": -0.5, "x": 1.0})
    return {
        "forest": (Hypergraph(), builder.build("S"), of_words),
        "chain": (chain(), sentences()[0][0][:2], of_words),
        "list": (Candidates(), texts, of_words),
        "one's own": (Shortlist(5), shortlists()[0][1], lambda y: rank_loss(y, 0)),
    }


@pytest.mark.parametrize("world", ["chain", "forest", "list", "one's own"])
def test_the_mean_of_a_replayed_step_is_the_gradient_at_the_weights_of_now(world: str) -> None:
    """Over all draws that could have been made under earlier weights, without clipping."""
    space, raw, loss = worlds()[world]
    x = space.encode(raw)
    random = np.random.default_rng(4)
    then, now = (random.normal(size=space.size) for _ in range(2))
    for name in RULES:
        objective = OBJECTIVES[name]
        learner = Learner(space, objective, optimizer=SGD(1.0), replay=FOREVER, dtype="float64")
        learner.use(now)
        if objective.baseline in ("mean", "optimal"):
            learner.baseline[:] = 1.0, 0.3  # whatever it has learnt from other draws
        signs = objective.signs
        models = [space.distribution(x, then, sign) for sign in signs]
        chance, mean = chances(space, x, objective.coupling, models), np.zeros(space.size)
        for drawn in product(space.structures(x), repeat=len(signs)):
            likely = list(zip(models, drawn, strict=True))
            densities = tuple(p.log_prob(y) for p, y in likely)
            log_probs = tuple(p.log_propensity(space.shown(x, y)) for p, y in likely)
            losses = [loss(space.shown(x, y)) for y in drawn]
            if objective.hears == "pair":
                losses = [one - other for one, other in combinations(losses, 2)]
            answer = Answer(objective.hears, values=tuple(losses))
            mean += chance(drawn) * step_of(learner, Remembered(x, drawn, densities, log_probs, answer, 1))
        expected = exact_gradient(space, x, now, objective, loss)
        np.testing.assert_allclose(mean, expected, atol=1e-9, err_msg=name)


def step_of(learner: Learner, entry: Remembered) -> Floats:
    assert learner.memory is not None
    gradient = replayed(
        entry, learner.memory, learner._weighing, learner.state, learner._control, learner.updates
    )
    return np.zeros(learner.space.size) if gradient is None else gradient.vector().dense(learner.space.size)


def test_the_entropy_term_of_a_replayed_step_is_that_of_now() -> None:
    space, raw, loss = worlds()["chain"]
    x = space.encode(raw)
    random = np.random.default_rng(5)
    then, now = (random.normal(size=space.size) for _ in range(2))
    for name in ("el", "pr-cont signed self"):
        objective = OBJECTIVES[name]
        learner = Learner(space, objective, replay=FOREVER, temperature=0.7, dtype="float64")
        learner.use(now)
        model, mean = space.distribution(x, then), np.zeros(space.size)
        for drawn in product(space.structures(x), repeat=len(objective.signs)):
            densities = tuple(model.log_prob(y) for y in drawn)
            losses = [loss(y) for y in drawn]
            answer = (
                Answer("pair", losses[0] - losses[1])
                if len(losses) > 1
                else Answer("loss", values=(losses[0],))
            )
            mean += exp(sum(densities)) * step_of(
                learner, Remembered(x, drawn, densities, densities, answer, 1)
            )
        amount = 0.7 / space.length(x)
        np.testing.assert_allclose(
            mean, exact_gradient(space, x, now, objective, loss, entropy=amount), atol=1e-9
        )


def test_a_told_output_is_replayed_as_the_likelihood_of_now() -> None:
    space, raw, loss = worlds()["chain"]
    x = space.encode(raw)
    now = np.random.default_rng(6).normal(size=space.size)
    learner = Learner(space, "el", replay=FOREVER, dtype="float64")
    learner.use(now)
    y = next(space.structures(x))
    entry = Remembered(x, (y,), (-3.0,), (-3.0,), Answer("gold", output=y), 1)
    expected = exact_gradient(space, x, now, "likelihood", loss, gold=y)
    np.testing.assert_allclose(step_of(learner, entry), expected, atol=1e-9)


@pytest.mark.parametrize(
    "objective", ["el mean", "pr-bin signed self", "likelihood", "el leave-one-out of 3"]
)
def test_a_replay_takes_steps_and_leaves_version_and_judgements_alone(objective: str) -> None:
    space = chain()
    raws, golds = sentences()
    golds = [tuple("A" if label == "B" else label for label in gold) for gold in golds]
    plain, again = (learner_of(space, objective, "adagrad", replay=r) for r in (None, Replay(2)))
    for learner in (plain, again):
        follow(learner, raws, golds, 0, LAG + 1)
    assert again.updates == plain.updates
    assert again.judgements == plain.judgements
    if plain.weights.any():
        assert plain.weights.tobytes() != again.weights.tobytes()


@pytest.mark.parametrize("variate", ["score", "parts"])
def test_a_control_variate_is_of_new_judgements_alone(variate: str) -> None:
    """A replayed step is that of the coefficients, and teaches the variate nothing."""
    space = chain()
    raws, golds = sentences()
    objective = objective_from("el", control_variate=variate)
    plain, again = (
        Learner(space, objective, optimizer=SGD(0.1), seed=3, replay=r) for r in (None, Replay(2))
    )
    for learner in (plain, again):
        follow(learner, raws, golds, 0, LAG + 1)
    assert plain.variate.state.tobytes() == again.variate.state.tobytes()
    assert plain.weights.tobytes() != again.weights.tobytes()


def test_clipping_cuts_weights_off_and_normalising_divides_by_their_mean() -> None:
    plain, cut = Memory(Replay(clip=0.0), 0), Memory(Replay(clip=2.0, normalised=True), 0)
    assert plain.share(7.0) == 7.0
    assert [cut.share(u) for u in (1.0, 7.0, 3.0)] == pytest.approx([1.0, 2.0 / 1.5, 2.0 / (5.0 / 3.0)])
    assert Memory(Replay(normalised=True), 0).share(0.0) == 0.0


def judged(number: int, values: tuple[float, ...] = (0.5,), raw: int = 0) -> Remembered:
    x = Shortlist(5).encode(shortlists()[0][raw])
    log_probs = (-1.0,) * len(values)
    return Remembered(
        x, tuple(range(len(values))), log_probs, log_probs, Answer("loss", values=values), number
    )


def test_old_judgements_are_forgotten_by_age_and_by_number() -> None:
    space = Shortlist(5)
    memory = Memory(Replay(steps=50, age=3, size=4), 0)
    for number in range(1, 8):
        memory.keep(judged(number), space)
    assert [entry.judgement for entry in memory.entries] == [4, 5, 6, 7]
    assert {entry.judgement for entry in memory.chosen(8)} == {5, 6, 7}
    assert not list(memory.chosen(20))


def test_of_each_input_the_best_output_is_kept_and_a_later_one_as_good_takes_its_place() -> None:
    space = Shortlist(5)
    memory = Memory(Replay(of="best"), 0)
    for number, (values, raw) in enumerate([((0.5,), 0), ((0.9, 0.2), 1), ((0.6,), 0), ((0.2, 0.3), 1)]):
        memory.keep(judged(number, values, raw), space)
    assert [(e.judgement, e.structures, e.answer.value) for e in memory.entries] == [
        (2, (0,), 0.5),
        (3, (0,), 0.2),
    ]
    assert [(e.count, e.gain) for e in memory.entries] == [(2, pytest.approx(0.05)), (4, pytest.approx(0.2))]
    assert len(memory.best) == 2


def test_of_comparisons_the_output_preferred_last_is_the_best_and_a_tie_changes_nothing() -> None:
    space, x = Shortlist(5), Shortlist(5).encode(shortlists()[0][0])
    memory = Memory(Replay(of="best"), 0)
    for number, difference in enumerate((-0.9, 0.4, 0.0)):
        entry = Remembered(x, (0, 1), (-1.0,) * 2, (-1.0,) * 2, Answer("pair", difference), number)
        memory.keep(entry, space)
    (entry,) = memory.entries
    assert entry.structures == (1,)
    assert entry.gain == pytest.approx(0.5)


def test_of_several_outputs_compared_the_one_preferred_most_is_the_best() -> None:
    space, x = Shortlist(5), Shortlist(5).encode(shortlists()[0][0])
    memory = Memory(Replay(of="best"), 0)
    answer = Answer("pair", values=(0.1, -0.2, -0.9))  # the second beats the first, the first the third
    memory.keep(Remembered(x, (2, 0, 1), (-1.0,) * 3, (-1.0,) * 3, answer, 1), space)
    (entry,) = memory.entries
    assert (entry.structures, entry.answer.value, entry.count) == ((0,), 0.0, 3)
    assert entry.gain == pytest.approx(0.5)


def test_an_input_judged_once_gains_nothing_and_one_that_was_told_all() -> None:
    space, memory = Shortlist(5), Memory(Replay(of="best"), 0)
    memory.keep(judged(1, (0.7,)), space)
    assert memory.entries[0].gain == 0.0
    told = Remembered(memory.entries[0].x, (0,), (0.0,), (0.0,), Answer("gold", output=2), 2)
    memory.keep(told, space)
    assert [(e.gain, e.answer.output) for e in memory.entries] == [(1.0, 2)]


def test_a_replay_of_the_best_goes_towards_it_by_what_it_gained() -> None:
    space, raw, loss = worlds()["chain"]
    x = space.encode(raw)
    now = np.random.default_rng(7).normal(size=space.size)
    learner = Learner(space, "el", replay=Replay(of="best"), dtype="float64")
    learner.use(now)
    y, other = tuple(space.structures(x))[:2]
    assert learner.memory is not None
    for number, (drawn, heard) in enumerate(((other, 0.9), (y, 0.2), (other, 0.7))):
        answer = Answer("loss", values=(heard,))
        learner.memory.keep(Remembered(x, (drawn,), (-1.0,), (-1.0,), answer, number), space)
    expected = 0.4 * exact_gradient(space, x, now, "likelihood", loss, gold=y)
    np.testing.assert_allclose(step_of(learner, learner.memory.entries[0]), expected, atol=1e-9)


@pytest.mark.parametrize("objective", ["el linear", "pr-cont shortfall contrast", "el leave-one-out of 3"])
@pytest.mark.parametrize("replay", [Replay(3, age=20, normalised=True), Replay(2, of="best", size=5)])
def test_a_memory_is_saved_and_goes_on_bit_for_bit(objective: str, replay: Replay, tmp_path: Path) -> None:
    raws, golds = sentences()
    whole = learner_of(chain(), objective, "adagrad", replay=replay)
    follow(whole, raws, golds, 0, 40)
    part = learner_of(chain(), objective, "adagrad", replay=replay)
    follow(part, raws, golds, 0, 23)
    part.save(tmp_path)
    after = load(tmp_path)
    assert after.memory is not None
    assert after.memory.replay == replay
    follow(after, raws, golds, 23, 40)
    theirs = fingerprint(whole)
    for name, bits in fingerprint(after).items():
        assert bits == theirs[name], name
    assert whole.memory is not None
    assert after.memory.random.state.tobytes() == whole.memory.random.state.tobytes()
    assert [e.judgement for e in after.memory.entries] == [e.judgement for e in whole.memory.entries]


def test_a_simulation_with_replay_is_interrupted_and_goes_on_bit_for_bit(tmp_path: Path) -> None:
    space = chain()
    train = space.corpus(*sentences())
    settings: dict[str, Any] = {"iterations": 40, "every": 10, "dev": train}
    runs = []
    for folder, stops in ((tmp_path / "a", (40,)), (tmp_path / "b", (20, 40))):
        for stop in stops:
            learner = learner_of(space, "el mean", "adagrad", replay=Replay(2))

            def interrupt(point: Any, stop: int = stop) -> None:
                if point.iteration == stop < 40:
                    import signal

                    signal.raise_signal(signal.SIGINT)

            run = simulate(learner, train, HAMMING, checkpoint=folder, progress=interrupt, **settings)
            assert run.interrupted == (stop < 40)
        runs.append(run)
    assert fingerprint(runs[0].learner) == fingerprint(runs[1].learner)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"steps": 0}, "steps"), ({"age": 0}, "age"), ({"clip": -1.0}, "clipped"), ({"of": "all"}, "best")],
)
def test_a_replay_that_cannot_be_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Replay(**wrong)
