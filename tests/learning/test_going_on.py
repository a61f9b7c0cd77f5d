"""k steps, save, load in a new process and the other steps are all steps at once, bit for bit."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import elsewhere
import pytest
from elsewhere import RUN, STEPS, hexadecimal, outcome, simulated
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import HAMMING, OBJECTIVES, OPTIMIZERS, allowed, chain, follow, learner_of, sentences

from kibitz.errors import InputError
from kibitz.learning import run as run_module
from kibitz.learning.checkpoint import load
from kibitz.learning.plan import Point
from kibitz.learning.simulation import simulate

ALL = [
    *product(OBJECTIVES, ("momentum sqrt l2", "adagrad")),
    *product(("el mean", "pr-bin signed self"), OPTIMIZERS),
]


def golds_for(objective: str) -> list[tuple[str, ...]]:
    golds = sentences()[1]
    return allowed(golds) if objective == "likelihood" else golds


def in_a_new_process(command: str, folder: Path, described: dict[str, Any]) -> dict[str, Any]:
    (folder / "settings.json").write_text(json.dumps(described))
    subprocess.run([sys.executable, elsewhere.__file__, command, str(folder)], check=True)
    found: dict[str, Any] = json.loads((folder / "found.json").read_text())
    return found


def test_asks_and_late_tells_go_on_in_a_new_process_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """Every objective, every optimizer, saved at another step each, with three asks awaiting their answers."""
    expected, described = {}, {}
    raws = sentences()[0]
    for number, (objective, optimizer) in enumerate(ALL):
        name, start = f"{number} {objective} {optimizer}", 4 + number % 30
        golds = golds_for(objective)
        learner = learner_of(chain(), objective, optimizer, horizon=STEPS)
        follow(learner, raws, golds, 0, start)
        learner.save(tmp_path / name)
        assert len(learner.pending) == 3
        follow(learner, raws, golds, start, STEPS)
        expected[name] = hexadecimal(learner)
        described[name] = {"start": start, "golds": golds}
    found = in_a_new_process("talks", tmp_path, described)
    for name, bits in expected.items():
        assert found[name] == bits, name


def test_interrupted_simulations_go_on_in_a_new_process_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """Ctrl-C at another evaluation each; then the curve, the iterates and every selection are the same."""
    expected, described = {}, {}
    for number, (objective, optimizer) in enumerate(ALL):
        name, golds = f"{number} {objective} {optimizer}", golds_for(objective)
        whole = simulated(tmp_path / f"whole {name}", objective, optimizer, golds)
        expected[name] = json.loads(json.dumps(outcome(whole)))
        stop = (number * 6) % 36

        def interrupt(point: Point, stop: int = stop) -> None:
            if point.iteration == stop:
                signal.raise_signal(signal.SIGINT)

        part = simulated(tmp_path / name, objective, optimizer, golds, progress=interrupt)
        assert part.interrupted
        assert part.iterations == stop
        described[name] = {"objective": objective, "optimizer": optimizer, "golds": golds}
    found = in_a_new_process("runs", tmp_path, described)
    for name, whole in expected.items():
        assert set(whole["choices"]) == {"dev", "last", "average", "random"}
        for part in whole:
            assert found[name][part] == whole[part], f"{part} of {name}"


@settings(max_examples=12)
@given(st.integers(1, STEPS - 1), st.sampled_from(["el mean", "pr-cont shortfall contrast"]))
def test_ctrl_c_in_the_middle_of_a_python_loss_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, calls: int, objective: str
) -> None:
    folder = tmp_path_factory.mktemp("run")
    space = chain()
    train = space.corpus(*sentences())
    left = calls

    def loss(output: Any, gold: Any) -> float:
        nonlocal left
        left -= 1
        if left == 0:
            signal.raise_signal(signal.SIGINT)
        return HAMMING(output, gold)

    def run(folder: Path | None) -> Any:
        learner = learner_of(space, objective, "adagrad")
        return simulate(learner, train, loss, checkpoint=folder, dev=train, **RUN)

    while (part := run(folder)).iterations < STEPS:
        assert part.interrupted
        left = 17
    left = -1
    assert outcome(run(folder)) == outcome(run(None))


def test_a_crash_falls_back_on_the_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "SAVE_EVERY", 0.0)

    class CrashError(Exception):
        pass

    def crash(point: Point) -> None:
        if point.iteration == 24:
            raise CrashError

    golds = sentences()[1]
    with pytest.raises(CrashError):
        simulated(tmp_path / "run", "el", "momentum", golds, progress=crash)
    assert 18 <= load(next((tmp_path / "run").glob("learner-*"))).updates < 24
    resumed = simulated(tmp_path / "run", "el", "momentum", golds)
    assert outcome(resumed) == outcome(simulated(tmp_path / "whole", "el", "momentum", golds))


def test_a_finished_run_called_again_gives_the_same_and_learns_nothing_more(tmp_path: Path) -> None:
    golds = sentences()[1]
    first = simulated(tmp_path, "ce", "adagrad", golds)
    assert outcome(simulated(tmp_path, "ce", "adagrad", golds)) == outcome(first)
    assert len(list(tmp_path.glob("learner-*"))) == 1  # older ones were taken away


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"iterations": 41}, "iterations=40, not 41"),
        ({"every": 7}, "every=6, not 7"),
        ({"inputs": "random"}, "inputs"),
        ({"keep": None}, "keep"),
        ({"feedback": 30}, "feedback"),
        ({"loss": "01"}, "loss"),
        ({"objective": "ce"}, "objective"),
        ({"optimizer": "adagrad"}, "optimizer"),
        ({"dtype": "float64"}, "dtype"),
        ({"seed": 4}, "seed"),
        ({"train": 15}, "examples"),
        ({"labels": "ABD"}, "labels"),
        ({"words": "b"}, "features"),
    ],
)
def test_a_run_is_not_resumed_with_other_settings(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    def run(
        objective: str = "el", optimizer: str = "sgd", seed: int = 3, dtype: str = "float32", train: int = 16,
        labels: str = "ABC", words: str = "a", loss: Any = "hamming", **changed: Any,
    ) -> None:  # fmt: skip
        raws, golds = sentences()
        space = type(chain())(labels)
        renamed = [[[name.replace("a", words) for name in token] for token in raw] for raw in raws]
        corpus = space.corpus(renamed[:train], golds[:train])
        kwargs = {**RUN, **changed}
        learner = learner_of(space, objective, optimizer, dtype=dtype)
        learner.seed = seed
        simulate(learner, corpus, loss, checkpoint=tmp_path, **kwargs)

    run()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=named):
        run(**change)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
