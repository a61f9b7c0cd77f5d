"""The sparse steps are those of dense NumPy: heavy ball, AdaGrad, Adam, normalized AdaGrad, l2, and the schedules."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from worlds import HAMMING, Shortlist, chain, learner_of, rank_loss, sentences, shortlists

from kibitz.errors import InputError
from kibitz.learning.checkpoint import load
from kibitz.learning.control import control_of
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import OPTIMIZERS, SGD, AdaGrad, Adam, Normalized, Optimizer, optimizer_from
from kibitz.learning.simulation import simulate
from kibitz.objectives import objective_from
from kibitz.spaces import step
from kibitz.spaces.first_class import direct
from kibitz.spaces.protocol import Gradient
from kibitz.spaces.rows import Rows
from kibitz.spaces.weights import CLOCK, LOG_SCALE, SCALE, WITH_MEMORY, effective
from kibitz.tasks.run import settle

ROWS, POSITIONS = 6, 4


def gradients(columns: int, count: int, seed: int = 0) -> Iterator[Gradient]:
    """Gradients in which a row stands several times at one position, and at several positions."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        ptr = np.arange(0, 3 * POSITIONS + 1, 3, dtype=np.int32)
        rows = random.integers(0, ROWS, 3 * POSITIONS).astype(np.uint32)
        rows[1] = rows[0]
        values = random.normal(size=len(rows)).astype(np.float32) if columns == 2 else np.empty(0, np.float32)
        yield Gradient(
            Rows(ptr, rows, values), 0, POSITIONS, columns, random.normal(size=POSITIONS * columns)
        )


def both(
    optimizer: Optimizer, columns: int, count: int, dense: Any, *, l2: float = 0.0, horizon: int | None = None,
    clock: float = 0.0,
) -> tuple[Any, Any]:  # fmt: skip
    """Weights after the same gradients, by the kernels and by `dense(weights, s, rate, t)`."""
    size = ROWS * columns
    state = optimizer.start(size, columns, np.dtype("float64"))
    start = np.random.default_rng(9).normal(size=size)
    state.table[:], state.scalars[CLOCK] = start, clock
    control, counters = control_of(optimizer, horizon, None, l2, 0.0), np.zeros(2, np.int64)
    update = direct(optimizer.update)
    expected = start.copy()
    for t, gradient in enumerate(gradients(columns, count)):
        rate = step.advance(state, control, counters)
        update(state, gradient.x, gradient.lo, gradient.hi, columns, gradient.values, rate)
        expected = dense(expected, gradient.vector().dense(size), rate, t)
    assert counters[step.UPDATES] == count
    return effective(state), expected


@pytest.mark.parametrize("columns", [2, 3, 5])
def test_sgd_is_the_dense_step(columns: int) -> None:
    found, expected = both(SGD(0.1), columns, 30, lambda w, s, rate, t: w - 0.1 * s)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("momentum", [0.5, 0.9])
@pytest.mark.parametrize("columns", [2, 3])
def test_momentum_is_the_dense_heavy_ball(momentum: float, columns: int) -> None:
    """m <- mu m + s, w <- w - rate m; long enough for the power of mu to be written into the velocity."""
    m = np.zeros(ROWS * columns)

    def heavy_ball(w: Any, s: Any, rate: float, t: int) -> Any:
        m[:] = momentum * m + s
        return w - 0.1 * m

    count = 3 * math.ceil(math.log(1e-20) / math.log(momentum))
    found, expected = both(SGD(0.1, momentum=momentum), columns, count, heavy_ball)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_momentum_with_a_decaying_rate_lets_the_momentum_in_flight_decay_along() -> None:
    """w = z + rate_t mu / (1 - mu) m, where z has moved by rate_t / (1 - mu) s."""
    m, z = np.zeros(ROWS * 3), np.zeros(ROWS * 3)

    def reference(w: Any, s: Any, rate: float, t: int) -> Any:
        if t == 0:
            z[:] = w
        assert rate == pytest.approx(0.1 / math.sqrt(1 + t / 5))
        m[:] = 0.8 * m + s
        z[:] = z - rate / 0.2 * s
        return z + rate * 0.8 / 0.2 * m

    optimizer = SGD(0.1, momentum=0.8, schedule="sqrt", decay_from=5.0)
    found, expected = both(optimizer, 3, 200, reference)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_l2_shrinks_what_has_arrived_and_not_the_momentum_in_flight() -> None:
    m, z = np.zeros(ROWS * 3), np.zeros(ROWS * 3)

    def reference(w: Any, s: Any, rate: float, t: int) -> Any:
        if t == 0:
            z[:] = w
        m[:] = 0.8 * m + s
        z[:] = (1 - 0.1 * 0.3) * z - 0.1 / 0.2 * s
        return z + 0.1 * 0.8 / 0.2 * m

    found, expected = both(SGD(0.1, momentum=0.8), 3, 400, reference, l2=0.3)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("exponent", [0.25, 0.375])
def test_a_smaller_exponent_is_only_partially_adaptive(exponent: float) -> None:
    G = np.zeros(ROWS * 3)

    def dense(w: Any, s: Any, rate: float, t: int) -> Any:
        G[:] += s * s
        return w - 0.1 * s / (G + 1e-8) ** exponent

    found, expected = both(AdaGrad(0.1, exponent=exponent), 3, 50, dense)
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("columns", [2, 3])
def test_adagrad_is_dense_adagrad_with_equal_places_added_up_first(columns: int) -> None:
    G = np.zeros(ROWS * columns)

    def dense(w: Any, s: Any, rate: float, t: int) -> Any:
        G[:] += s * s
        return w - 0.1 * s / np.sqrt(G + 1e-8)

    found, expected = both(AdaGrad(0.1), columns, 50, dense)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


class DenseAdam:
    """The moments of every weight decay at every step; those weights move whose gradient is not 0."""

    def __init__(self, columns: int) -> None:
        self.m, self.v = np.zeros(ROWS * columns), np.zeros(ROWS * columns)

    def __call__(self, w: Any, s: Any, rate: float, t: int) -> Any:
        self.m = 0.8 * self.m + 0.2 * s
        self.v = 0.95 * self.v + 0.05 * s * s
        mean, square = self.m / (1 - 0.8 ** (t + 1)), self.v / (1 - 0.95 ** (t + 1))
        return np.where(s != 0.0, w - rate * mean / (np.sqrt(square) + 1e-8), w)


ADAM = Adam(0.1, beta_1=0.8, beta_2=0.95)


@pytest.mark.parametrize("columns", [2, 3])
def test_adam_makes_up_for_the_decay_of_the_steps_that_a_weight_missed(columns: int) -> None:
    missed = [len(set(range(ROWS)) - set(g.x.rows.tolist())) for g in gradients(columns, 50)]
    assert max(missed) > 0
    found, expected = both(ADAM, columns, 50, DenseAdam(columns))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_adam_loses_nothing_when_its_clock_starts_again() -> None:
    """Weights that were never touched are as old as the clock."""
    found, expected = both(ADAM, 3, 50, DenseAdam(3), clock=2.0**23 - 25)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("columns", [2, 3])
def test_normalized_adagrad_is_its_formula_in_dense_numpy(columns: int) -> None:
    """Two columns have values, of which the largest may grow; three have none."""
    G, z, counted = np.zeros(ROWS * columns), np.zeros(ROWS * columns), np.zeros(2)
    stream = gradients(columns, 50)

    def dense(w: Any, s: Any, rate: float, t: int) -> Any:
        x = next(stream).x
        values = abs(x.values.astype(float)) if columns == 2 else np.ones(len(x.rows))
        w = w.copy()
        counted[0] += POSITIONS
        for row, value in zip(x.rows, values, strict=True):
            place = slice(row * columns, (row + 1) * columns)
            largest = np.maximum(z[place], value)
            w[place] *= np.where(z[place] > 0.0, z[place] / largest, 1.0)
            z[place] = largest
            counted[1] += (value / z[place][0]) ** 2
        G[:] += s * s
        scale = np.where(s != 0.0, z * np.sqrt(G), 1.0)
        return w - rate * np.sqrt(counted[0] / counted[1]) * s / scale

    found, expected = both(Normalized(0.5), columns, 50, dense)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_normalized_adagrad_scores_alike_whatever_the_unit_of_an_attribute() -> None:
    """Metres or millimetres: the weights are a thousandth, the draws and the predictions the same."""
    raws, golds = sentences(valued=True)
    learners = []
    for unit in (1.0, 1024.0):
        scaled = [
            [[(n, v * unit if n in ("a1", "a5") else v) for n, v in token] for token in raw] for raw in raws
        ]
        space = chain()
        learner = Learner(space, "el", optimizer=Normalized(), seed=2, dtype="float64")
        simulate(learner, space.corpus(scaled, golds), HAMMING, iterations=60)
        learners.append((learner, scaled))
    (one, plain), (other, scaled) = learners
    assert one.weights.any()
    for a, b in zip(plain, scaled, strict=True):
        x, y = one.space.distribution(a, one.weights), other.space.distribution(b, other.weights)
        assert x.log_partition == pytest.approx(y.log_partition, rel=1e-6)
        assert x.argmax() == y.argmax()


def test_what_is_remembered_of_a_weight_stays_with_it_when_the_model_grows_and_is_saved(
    tmp_path: Path,
) -> None:
    """Some optimizers keep several numbers a weight."""
    raws = [[[f"a{t}", "always"], [f"b{t % 5}"], [f"a{t // 2}"]] for t in range(16)]
    golds = [("A", "A", "C")] * 16
    for optimizer in ("adam l2", "normalized"):
        early, late = (learner_of(chain(), "el", optimizer, temperature=0.0) for _ in range(2))
        for raw in raws:  # the one knows all attributes beforehand, the other meets them as they come
            early.space.encode(raw)
        early.fit()
        for t in range(2):
            for learner in (early, late):
                learner.tell(learner.ask(raws[t]), loss=HAMMING(("A",) * len(golds[t]), golds[t]))
        size = late.space.size
        assert size < early.space.size
        late.save(tmp_path / optimizer)
        np.testing.assert_array_equal(load(tmp_path / optimizer).weights, early.weights[:size])
        again = load(tmp_path / optimizer)
        for learner in (early, late, again):
            for t in range(2, 16):
                learner.tell(learner.ask(raws[t]), loss=HAMMING(("A",) * len(golds[t]), golds[t]))
        np.testing.assert_array_equal(late.weights, early.weights[: late.space.size])
        np.testing.assert_array_equal(again.weights, late.weights)


@pytest.mark.parametrize("optimizer", [SGD(0.1), AdaGrad(0.1)])
@pytest.mark.parametrize("l2", [0.02, 5.0, 9.9])
def test_l2_is_the_dense_shrink_even_where_little_is_left_of_the_weights(
    optimizer: Optimizer, l2: float
) -> None:
    """w <- (1 - rate l2) w - step; at 9.9 a hundredth is left at each step, so the scale is written down."""
    G = np.zeros(ROWS * 3)

    def dense(w: Any, s: Any, rate: float, t: int) -> Any:
        G[:] += s * s
        step_of = s if isinstance(optimizer, SGD) else s / np.sqrt(G + 1e-8)
        return (1 - 0.1 * l2) * w - 0.1 * step_of

    found, expected = both(optimizer, 3, 60, dense, l2=l2)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_shrink_too_small_for_a_float_is_not_lost() -> None:
    """The paper's own settings: rate * lambda / T = 1.7e-19, and 1 - 1.7e-19 rounds to 1."""
    optimizer = SGD(1e-6)
    state = optimizer.start(3, 3, np.dtype("float64"))
    control = control_of(optimizer, 5_900_000, None, 1e-6, 0.0)
    counters = np.zeros(2, np.int64)
    amount = 1e-6 * 1e-6 / 5_900_000
    assert 1.0 - amount == 1.0
    assert amount == pytest.approx(1.7e-19, rel=0.01)
    for _ in range(1000):
        step.advance(state, control, counters)
    assert state.scalars[LOG_SCALE] == pytest.approx(-1000 * amount, rel=1e-9)
    assert 1.0 - 1e-15 < state.scalars[SCALE] < 1.0


def test_a_simulation_divides_l2_by_its_iterations_and_a_learner_alone_does_not() -> None:
    """With every loss 0 nothing else moves the weights."""
    space = chain()
    raws, _ = sentences()
    train = space.corpus(raws, [tuple("A" * len(raw)) for raw in raws])
    start = np.linspace(-1, 1, space.size)
    simulated, alone = (Learner(space, "el", optimizer=SGD(0.5), l2=1.5, dtype="float64") for _ in range(2))
    for learner in (simulated, alone):
        learner.use(start)
    simulate(simulated, train, lambda output, gold: 0.0, iterations=20)
    np.testing.assert_allclose(simulated.weights, start * (1 - 0.5 * 1.5 / 20) ** 20, rtol=1e-12)
    for i in range(20):
        alone.tell(alone.ask(train[i % 16]), loss=0.0)
    np.testing.assert_allclose(alone.weights, start * (1 - 0.5 * 1.5) ** 20, rtol=1e-9)


@pytest.mark.parametrize(
    ("optimizer", "formula"),
    [
        (SGD(0.4), lambda t: 0.4),
        (SGD(0.4, schedule="sqrt", decay_from=3.0), lambda t: 0.4 / math.sqrt(1 + t / 3)),
        (AdaGrad(0.4, schedule="inverse", decay_from=10.0), lambda t: 0.4 / (1 + t / 10)),
        (SGD(0.4, schedule="linear"), lambda t: 0.4 * max(0.0, 1 - t / 50)),
    ],
)
def test_rates_follow_their_schedule(optimizer: Optimizer, formula: Any) -> None:
    state = optimizer.start(1, 1, np.dtype("float64"))
    control, counters = control_of(optimizer, 50, None, 0.0, 0.0), np.zeros(2, np.int64)
    rates = [step.advance(state, control, counters) for _ in range(60)]
    np.testing.assert_allclose(rates, [formula(t) for t in range(60)], rtol=1e-12)


def test_the_temperature_cools_with_the_cube_root_of_the_epoch() -> None:
    """T0 / cuberoot(epoch + 1), times log p plus the entropy over the length; of two draws half their difference."""
    control = control_of(SGD(0.1), None, 4, 0.0, 0.4)
    for t in range(12):
        heat = 0.4 / np.cbrt(t // 4 + 1)
        one = step.entropy_term(-1.5, 0.5, 3, control, t)
        assert one == pytest.approx(heat * (-1.5 + 0.5) / 3, rel=1e-12)
        own = step.entropy_term_of_pair(-1.5 + 0.25, 3, control, t)
        assert own == pytest.approx(heat * 0.5 * (-1.5 + 0.25) / 3, rel=1e-12)


@pytest.mark.parametrize("optimizer", ["adam l2", "normalized"])
def test_a_model_that_settles_on_earlier_weights_takes_no_wild_step_afterwards(optimizer: str) -> None:
    """What is counted beside the memory, such as the time, goes with it."""
    raws, golds = sentences()
    learner = learner_of(chain(), "el", optimizer, temperature=0.0)
    train = learner.space.corpus(raws, golds)
    simulate(learner, train, HAMMING, iterations=300)
    memory, earlier = learner.state.memory.copy(), 0.5 * learner.weights
    counted = learner.state.scalars[WITH_MEMORY].copy()
    settle(learner, earlier)
    np.testing.assert_array_equal(learner.state.memory, memory[: len(learner.state.memory)])
    np.testing.assert_array_equal(learner.state.scalars[WITH_MEMORY], counted)
    learner.tell(learner.ask(raws[0]), loss=0.5)
    step_taken = np.abs(learner.weights - earlier).max()
    assert 0.0 < step_taken < 1.0


def test_an_optimizer_that_forgets_starts_afresh_from_other_weights() -> None:
    learner = learner_of(Shortlist(5), "el", "adagrad")
    raws, golds = shortlists()
    first = learner.weights
    simulate(learner, list(zip(raws, golds, strict=True)), rank_loss, iterations=30)
    assert learner.state.memory.any()
    learner.use(first)
    assert not learner.state.memory.any()
    assert not learner.weights.any()


@pytest.mark.parametrize(
    "settings",
    [
        {"rate": -0.1},
        {"rate": 0.0},
        {"rate": math.nan},
        {"rate": math.inf},
        {"rate": 0.1, "schedule": "cosine"},
        {"rate": 0.1, "decay_from": 0.0},
        {"rate": 0.1, "momentum": 1.0},
        {"rate": 0.1, "momentum": -0.1},
        {"rate": 0.1, "name": "adagrad", "momentum": 0.9},
        {"rate": 0.1, "name": "adagrad", "epsilon": 0.0},
        {"rate": 0.1, "name": "adamant"},
        {"rate": 0.1, "name": "adam", "beta_1": 1.0},
        {"rate": 0.1, "name": "adam", "beta_2": -0.1},
        {"rate": 0.1, "name": "adam", "epsilon": 0.0},
        {"rate": 0.0, "name": "normalized"},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        optimizer_from(**{"name": "sgd", **settings})


def test_settings_come_back_as_the_same_optimizer() -> None:
    known = (
        SGD(0.3, "sqrt", 2.0, momentum=0.5),
        AdaGrad(0.1, epsilon=1e-4),
        Adam(0.1, beta_1=0.5),
        Normalized(0.4),
    )
    assert {optimizer.name for optimizer in known} == set(OPTIMIZERS)
    for optimizer in known:
        assert optimizer_from(**optimizer.settings()) == optimizer


def test_options_of_other_optimizers_are_left_out_and_those_of_none_refused() -> None:
    assert optimizer_from("sgd", rate=0.1, exponent=0.375, beta_1=0.5) == SGD(0.1)
    assert optimizer_from("normalized", momentum=0.0) == Normalized()
    with pytest.raises(TypeError):
        optimizer_from("sgd", rate=0.1, tare=0.1)


def test_l2_that_leaves_nothing_of_the_weights_is_refused_unless_a_horizon_divides_it() -> None:
    space = Shortlist(5)
    raws, golds = shortlists()
    learner = Learner(space, objective_from("el"), optimizer=SGD(0.5), l2=2.0)
    with pytest.raises(InputError, match="rate times l2"):
        learner.tell(learner.ask(raws[0]), loss=0.5)
    assert not learner.weights.any()
    assert learner.updates == 0
    simulate(learner, list(zip(raws, golds, strict=True)), rank_loss, iterations=10)
    assert np.isfinite(learner.weights).all()


def test_a_linear_schedule_needs_a_horizon() -> None:
    learner = Learner(Shortlist(5), optimizer=SGD(0.3, schedule="linear"))
    raws, golds = shortlists()
    with pytest.raises(InputError, match="horizon"):
        learner.tell(learner.ask(raws[0]), loss=0.5)
    simulate(learner, list(zip(raws, golds, strict=True)), rank_loss, iterations=10)
    assert learner.horizon == 10
    before = learner.weights
    learner.tell(learner.ask(raws[0]), loss=1.0)
    np.testing.assert_array_equal(learner.weights, before)  # the rate has come down to 0


def test_a_rate_that_is_too_large_is_named_before_it_spoils_a_model() -> None:
    space = chain()
    train = space.corpus(*sentences())
    learner = Learner(space, "el", optimizer=SGD(1e39), seed=3)
    with pytest.raises(InputError, match="smaller rate"):
        simulate(learner, train, HAMMING, iterations=50, every=1)
