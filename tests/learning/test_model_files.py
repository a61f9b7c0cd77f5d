"""Saved models: whole or not at all, no pickle, and one sentence where one is damaged."""

from __future__ import annotations

import errno
import json
import os
import pickletools
import resource
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from elsewhere import simulated
from hypothesis import given
from hypothesis import strategies as st
from worlds import (
    HAMMING,
    Shortlist,
    chain,
    fingerprint,
    follow,
    learner_of,
    rank_loss,
    sentences,
    shortlists,
)

from kibitz.errors import InputError
from kibitz.features import Vocabulary
from kibitz.learning import folder as folder_module
from kibitz.learning import run as run_module
from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.learning.simulation import simulate
from kibitz.objectives import Objective
from kibitz.spaces.chain import Chain

RAWS, GOLDS = sentences()


def trained(steps: int = 12) -> Learner:
    learner = learner_of(chain(), "pr-cont shortfall contrast", "momentum sqrt l2", horizon=40)
    follow(learner, RAWS, GOLDS, 0, steps)
    return learner


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved model with pending asks, not to be written to."""
    folder = tmp_path_factory.mktemp("saved") / "model"
    trained().save(folder)
    return folder


@pytest.fixture
def copy(model: Path, tmp_path: Path) -> Path:
    """One that may be spoilt."""
    folder = tmp_path / "model"
    folder.mkdir()
    for path in model.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refuses(folder: Path, *words: str) -> None:
    with pytest.raises(InputError) as caught:
        load(folder)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_what_was_saved_comes_back_to_the_bit(model: Path) -> None:
    learner, again = trained(), load(model)
    assert fingerprint(again) == fingerprint(learner)
    assert list(again.pending) == list(learner.pending)
    for key, pending in learner.pending.items():
        assert again.pending[key].proposal == pending.proposal
    assert again.answered == learner.answered
    assert again.next_id == learner.next_id
    follow(learner, RAWS, GOLDS, 12, 20)
    follow(again, RAWS, GOLDS, 12, 20)
    assert fingerprint(again) == fingerprint(learner)


def test_what_was_answered_is_remembered(model: Path) -> None:
    again = load(model)
    before = fingerprint(again)
    key = next(key for key, answer in again.answered.items() if answer.kind == "pair" and answer.value < 0)
    again.tell(key, prefer=0, by=-again.answered[key].value)
    with pytest.raises(InputError, match="answered before"):
        again.tell(key, prefer=1)
    assert fingerprint(again) == before


def test_saving_again_leaves_one_model_and_saving_the_same_writes_the_same(copy: Path) -> None:
    learner = load(copy)
    before = contents(copy)
    learner.save(copy)
    assert contents(copy) == before
    follow(learner, RAWS, GOLDS, 12, 13)
    learner.save(copy)
    assert len(contents(copy)) == 2
    assert fingerprint(load(copy)) == fingerprint(learner)


def test_weights_grow_after_a_model_is_loaded(tmp_path: Path) -> None:
    """New attributes after load find the room they would have found without it."""
    whole = learner_of(Chain("ABC"), "el mean", "adagrad", horizon=60)
    raws = [[[f"a{3 * t + i}" for i in range(3)] for _ in range(2)] for t in range(60)]
    for t, raw in enumerate(raws):
        if t == 25:
            whole.save(tmp_path)
            part = load(tmp_path)
        for learner in (whole,) if t < 25 else (whole, part):
            learner.tell(learner.ask(raw), loss=t % 5 / 4)
    assert part.space.size == whole.space.size == 3 * (3 + 180)
    assert fingerprint(part) == fingerprint(whole)


def test_a_frozen_vocabulary_stays_frozen(tmp_path: Path) -> None:
    vocabulary = Vocabulary(["a0", "a1"])
    vocabulary.freeze()
    learner = learner_of(Chain("ABC", vocabulary=vocabulary))
    learner.tell(learner.ask(RAWS[0]), loss=0.5)
    learner.save(tmp_path)
    again = load(tmp_path)
    again.tell(again.ask(RAWS[1]), loss=0.5)
    assert again.space.size == learner.space.size == 3 * 5


def test_there_is_no_pickle_inside(model: Path) -> None:
    for path in model.iterdir():
        if path.suffix == ".json":
            json.loads(path.read_text())
            continue
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                data = archive.read(name)
                assert data.startswith(b"\x93NUMPY")
                assert b"'descr': '|O'" not in data[:200]
                with pytest.raises((ValueError, IndexError)):
                    list(pickletools.genops(data))
        with np.load(path, allow_pickle=False) as arrays:
            assert all(not arrays[name].dtype.hasobject for name in arrays)


# ---- damage


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    refuses(tmp_path, str(tmp_path), "no saved model")
    refuses(tmp_path / "nowhere", str(tmp_path / "nowhere"), "no saved model")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"null",
        b"\xff\xfe",
        b'{"format": 1}',
        b'{"format": "x", "arrays": 3}',
        b"<html>",
    ],
)
def test_a_file_that_is_no_model_is_named(copy: Path, text: bytes) -> None:
    (copy / "model.json").write_bytes(text)
    refuses(copy, str(copy / "model.json"))


def test_a_model_of_a_later_version_is_named(copy: Path) -> None:
    path = copy / "model.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    refuses(copy, str(path), "later version", "format 2", "upgrade")


def test_missing_arrays_are_named(copy: Path) -> None:
    arrays = next(copy.glob("*.npz"))
    arrays.unlink()
    refuses(copy, str(arrays))


@given(st.data())
def test_a_file_cut_short_anywhere_is_named(model: Path, tmp_path_factory: Any, data: st.DataObject) -> None:
    spoilt(model, tmp_path_factory, data, lambda whole: whole[: data.draw(st.integers(0, len(whole) - 1))])


@given(st.data())
def test_a_single_flipped_bit_anywhere_is_named(
    model: Path, tmp_path_factory: Any, data: st.DataObject
) -> None:
    def flip(whole: bytes) -> bytes:
        place = data.draw(st.integers(0, 8 * len(whole) - 1))
        spoilt = bytearray(whole)
        spoilt[place // 8] ^= 1 << (place % 8)
        return bytes(spoilt)

    spoilt(model, tmp_path_factory, data, flip)


def spoilt(model: Path, tmp_path_factory: Any, data: st.DataObject, change: Any) -> None:
    folder = tmp_path_factory.mktemp("spoilt")
    name = data.draw(st.sampled_from(sorted(path.name for path in model.iterdir())))
    for path in model.iterdir():
        whole = path.read_bytes()
        (folder / path.name).write_bytes(change(whole) if path.name == name else whole)
    refuses(folder, str(folder))


def test_arrays_of_another_model_are_not_taken_for_its_own(copy: Path) -> None:
    learner = load(copy)
    follow(learner, RAWS, GOLDS, 12, 13)
    mine, theirs = next(copy.glob("*.npz")).name, copy.parent / "other"
    learner.save(theirs)
    (copy / mine).write_bytes(next(theirs.glob("*.npz")).read_bytes())
    refuses(copy, mine)


# ---- saves that fail


def a_full_disk(monkeypatch: pytest.MonkeyPatch, call: str, at: int) -> None:
    """The `at`-th call of that name fails, as on a full disk."""
    real, calls = getattr(os, call), iter(range(100))

    def fail(*args: Any) -> Any:
        if next(calls) == at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*args)

    monkeypatch.setattr(os, call, fail)


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_save_that_fails_midway_leaves_the_old_model_as_it_was(
    copy: Path, monkeypatch: pytest.MonkeyPatch, call: str, at: int
) -> None:
    before, learner = contents(copy), load(copy)
    follow(learner, RAWS, GOLDS, 12, 16)
    a_full_disk(monkeypatch, call, at)
    with pytest.raises(InputError, match=r"nothing could be saved .* No space left"):
        learner.save(copy)
    assert contents(copy) == before
    assert fingerprint(load(copy)) == fingerprint(trained())
    monkeypatch.undo()
    learner.save(copy)
    assert fingerprint(load(copy)) == fingerprint(learner)


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file may grow beyond 1,000 bytes: writing stops in its middle."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("small_files")
def test_a_first_save_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing could be saved"):
        trained().save(tmp_path / "model")
    assert list((tmp_path / "model").iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InputError, match="file"):
        trained().save(tmp_path / "file")
    with pytest.raises(InputError, match="file"):
        trained().save(tmp_path / "file" / "model")


def test_a_run_whose_last_save_fails_goes_on_from_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The save of the learner succeeds and that of the run fails: the run still finds its own learner."""
    whole = simulated(tmp_path / "whole", "el", "adagrad", GOLDS)
    monkeypatch.setattr(run_module, "SAVE_EVERY", 0.0)
    for at in range(8, 12):
        folder = tmp_path / f"run {at}"
        with monkeypatch.context() as patch:
            a_full_disk(patch, "replace", at)
            with pytest.raises(InputError, match="nothing could be saved"):
                simulated(folder, "el", "adagrad", GOLDS)
        resumed = simulated(folder, "el", "adagrad", GOLDS)
        assert fingerprint(resumed.learner) == fingerprint(whole.learner)


# ---- things of one's own


def keen(feedback: float, log_prob: float, params: Any) -> float:
    return feedback * params[0]  # type: ignore[no-any-return]


KEEN = Objective("keen", hears="loss", signs=(1,), rule=keen, params=(2.0,))


def test_an_objective_of_ones_own_is_asked_for_at_load(tmp_path: Path) -> None:
    learner = Learner(chain(), KEEN, optimizer=SGD(0.3), seed=3)
    for raw in RAWS:
        learner.tell(learner.ask(raw), loss=0.5)
    learner.save(tmp_path)
    refuses(tmp_path, "keen", "objective=")
    again = load(tmp_path, objective=KEEN)
    for each in (learner, again):
        each.tell(each.ask(RAWS[0]), loss=0.5)
    assert fingerprint(again) == fingerprint(learner)


def test_a_run_with_an_objective_and_a_space_of_ones_own_goes_on(tmp_path: Path) -> None:
    raws, golds = shortlists()
    train = list(zip(raws, golds, strict=True))

    def run(folder: Path | None, stop: int) -> Learner:
        def interrupt(point: Any) -> None:
            if point.iteration == stop:
                signal.raise_signal(signal.SIGINT)

        learner = Learner(Shortlist(5), KEEN, optimizer=SGD(0.3), seed=3)
        simulate(learner, train, rank_loss, iterations=30, every=5, checkpoint=folder, progress=interrupt)
        return learner

    assert run(tmp_path, 10).updates == 10
    assert fingerprint(run(tmp_path, -1)) == fingerprint(run(None, -1))


def test_a_space_of_ones_own_is_asked_for_at_load_and_keeps_what_is_pending(tmp_path: Path) -> None:
    raws, golds = shortlists()
    learner = learner_of(Shortlist(5), "pr-cont signed contrast", "adagrad")
    asked = [learner.ask(raw) for raw in raws]
    learner.save(tmp_path)
    refuses(tmp_path, "shortlist", "space=")
    again = load(tmp_path, space=Shortlist)
    for each in (learner, again):
        for proposal, gold in zip(asked, golds, strict=True):
            losses = [rank_loss(y, gold) for y in proposal.outputs]
            by = abs(losses[0] - losses[1])
            each.tell(proposal.id, prefer="tie" if by == 0 else int(losses[0] > losses[1]), by=by or None)
    assert fingerprint(again) == fingerprint(learner)
    assert learner.weights.any()


class Nested(Shortlist):
    """Outputs that are tuples within tuples, as trees are, and numbers of NumPy's."""

    kind = "nested"

    def code(self, x: Any, y: Any) -> Any:
        return y

    def structures(self, x: Any) -> Iterator[Any]:
        return ((np.int64(y), ("leaf", y)) for y in super().structures(x))

    def features(self, x: Any, y: Any) -> Any:
        return super().features(x, y[0])

    def distribution(self, x: Any, weights: Any, sign: int = 1) -> Any:
        inner = super().distribution(x, weights, sign)

        class Outer(type(inner)):  # type: ignore[misc]
            def sample(self, generator: Any) -> Any:
                y = super().sample(generator)
                return np.int64(y), ("leaf", y)

            def log_prob(self, y: Any) -> float:
                return float(super().log_prob(y[0]))

        return Outer(inner.rows, inner.sign, inner.scores)


def test_outputs_come_back_as_they_were_all_the_way_down(tmp_path: Path) -> None:
    raws, _ = shortlists()
    learner = Learner(Nested(5), "el", seed=3)
    proposal = learner.ask(raws[0])
    told = learner.ask(raws[1])
    learner.tell(told, output=[1, ["leaf", 1]])
    learner.save(tmp_path)
    again = load(tmp_path, space=Nested)
    assert again.pending[proposal.id].proposal.outputs == proposal.outputs
    again.tell(told.id, output=(1, ("leaf", 1)))  # the same, so it is ignored
    again.tell(proposal.id, loss=0.5)
    assert again.weights.any()


class Opaque(Shortlist):
    """A space whose inputs are lists as they come, which it does not know how to save."""

    def encode(self, raw: Any) -> Any:
        return raw

    def features(self, x: Any, y: Any) -> Any:
        return super().features(super().encode(x), y)

    def distribution(self, x: Any, weights: Any, sign: int = 1) -> Any:
        return super().distribution(super().encode(x), weights, sign)


def test_inputs_that_cannot_be_saved_are_named_and_only_while_they_are_pending(tmp_path: Path) -> None:
    raws, _ = shortlists()
    learner = Learner(Opaque(5), "el", seed=3)
    proposal = learner.ask(raws[0])
    with pytest.raises(InputError, match="pack and unpack"):
        learner.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()
    learner.tell(proposal, loss=0.5)
    learner.save(tmp_path / "model")
    assert fingerprint(load(tmp_path / "model", space=Opaque)) == fingerprint(learner)


def test_what_json_cannot_hold_is_named(tmp_path: Path) -> None:
    learner = learner_of(Shortlist(5))
    learner.about = {"who": object()}
    with pytest.raises(InputError, match="cannot be saved as JSON"):
        learner.save(tmp_path / "model")
    learner.about = {"who": {1: "a", 10: "b", 9: np.float32(0.5)}}
    learner.save(tmp_path / "model")
    assert load(tmp_path / "model", space=Shortlist).about == {"who": {"1": "a", "10": "b", "9": 0.5}}


def test_arrays_of_python_objects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Python objects"):
        folder_module.write_folder(tmp_path, {}, {"things": np.array([object()])})
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_whole_run_will_do(model: Path) -> None:
    assert fingerprint(load(model.parent)) == fingerprint(load(model))


def test_a_run_of_a_loss_that_fails_leaves_the_last_checkpoint(tmp_path: Path) -> None:
    space = chain()
    train = space.corpus(*sentences())

    def loss(output: Any, gold: Any) -> float:
        return 2.0 if gold == GOLDS[5] else HAMMING(output, gold)

    with pytest.raises(InputError, match="must return a number from 0"):
        simulate(learner_of(space), train, loss, iterations=50, checkpoint=tmp_path / "run")
    assert not (tmp_path / "run").exists()
