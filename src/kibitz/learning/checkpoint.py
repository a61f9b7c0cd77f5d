"""Saved models: a learner whole, with its generators, its pending asks and the answers it has had."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import InputError
from kibitz.learning.answer import Answer, frozen
from kibitz.learning.folder import Arrays, read_folder, write_folder
from kibitz.learning.learner import Learner
from kibitz.learning.memory import Replay
from kibitz.learning.optimizers import optimizer_from
from kibitz.learning.proposal import Pending, propose
from kibitz.learning.saved_memory import pack_memory, unpack_memory
from kibitz.objectives import OBJECTIVES, Objective, objective_from
from kibitz.objectives.variates import Foreseen
from kibitz.spaces.protocol import Draw, Space
from kibitz.spaces.registry import space_from
from kibitz.spaces.weights import Weights

BY_WEIGHT = ("table", "velocity", "memory")
STATE = (*BY_WEIGHT, "step", "scalars")


def save(learner: Learner, path: str | PathLike[str]) -> None:
    """Write the learner to the folder ``path``, in place of the one that may lie there."""
    learner.fit()
    arrays = _space_arrays(learner.space)
    for name in STATE:
        value = getattr(learner.state, name)
        a_weight = len(value) // max(1, len(learner.state.table))
        arrays[f"state.{name}"] = value[: a_weight * learner.space.size] if name in BY_WEIGHT else value
    arrays["random"], arrays["order"] = learner.random.state, learner.order.random.state
    arrays["counters"], arrays["baseline"] = learner.counters, learner.baseline
    arrays["asking"], arrays["variate"] = learner.asking, learner.variate.state
    arrays.update(pack_memory(learner.memory, learner.space))
    description = {
        **_settings(learner),
        "used": learner.order.used,
        "next_id": learner.next_id,
        "pending": [_pack(learner, pending, arrays) for pending in learner.pending.values()],
        "answered": [[key, a.kind, a.value, a.output, a.values] for key, a in learner.answered.items()],
        "about": learner.about,
    }
    write_folder(Path(path), description, arrays)


def load(
    path: str | PathLike[str], space: type[Space] | None = None, objective: Objective | None = None
) -> Learner:
    """The learner that was saved in the folder ``path``.

    ``space`` is the class of a space of one's own, ``objective`` an objective of one's own.
    """
    folder = Path(path)
    if (folder / "model" / "model.json").is_file():  # the folder of a whole run was named
        folder = folder / "model"
    description, arrays = read_folder(folder)
    own = {name.removeprefix("space."): value for name, value in arrays.items() if name.startswith("space.")}
    replay = description["learner"].get("replay")
    learner = Learner(
        space_from(description["space"], own, space),
        objective or _objective(description["objective"]),
        optimizer=optimizer_from(**description["optimizer"]),
        **{**description["learner"], "replay": Replay(**replay) if replay else None},
    )
    _fill(learner, description, arrays)
    return learner


def resume(learner: Learner, path: str | PathLike[str]) -> None:
    """Make ``learner`` what was saved in the folder ``path`` by one that was set up alike."""
    description, arrays = read_folder(Path(path))
    ours = json.loads(json.dumps(_settings(learner)))
    for part in ("objective", "optimizer", "learner"):
        for name, value in description[part].items():
            if ours[part].get(name) != value:
                raise InputError(
                    f"the run saved in {path} has the {part} setting {name}={value}, not {ours[part].get(name)}: "
                    "resume with the settings it began with"
                )
    same = all(np.array_equal(arrays[name], value) for name, value in _space_arrays(learner.space).items())
    if ours["space"] != description["space"] or not same:
        raise InputError(
            f"the run saved in {path} was made on other labels, features or training data: resume with the same"
        )
    _fill(learner, description, arrays)


def _settings(learner: Learner) -> dict[str, Any]:
    """What a learner is made with, as JSON."""
    return {
        "space": {"kind": learner.space.kind, **learner.space.settings()},
        "objective": learner.objective.settings(),
        "optimizer": learner.optimizer.settings(),
        "learner": {
            "seed": learner.seed, "horizon": learner.horizon, "epoch": learner.epoch, "l2": learner.l2,
            "temperature": learner.temperature, "asks": learner.asks, "max_pending": learner.max_pending,
            "dtype": learner.dtype, "replay": None if learner.memory is None else asdict(learner.memory.replay),
        },
    }  # fmt: skip


def _objective(settings: dict[str, Any]) -> Objective:
    if settings["name"] not in OBJECTIVES:
        raise InputError(
            f"the model was learned with an objective of its own, {settings['name']!r}: load it with objective=<it>"
        )
    return objective_from(**settings)


def _space_arrays(space: Space) -> Arrays:
    return {f"space.{name}": value for name, value in space.arrays().items()}


def _fill(learner: Learner, description: dict[str, Any], arrays: Arrays) -> None:
    """Everything that changes while a learner learns."""
    scratch = np.zeros(len(arrays["state.table"]) if len(learner.state.scratch) else 0, learner.dtype)
    learner.state = Weights(scratch=scratch, **{name: arrays[f"state.{name}"] for name in STATE})
    learner.random.restore(arrays["random"])
    learner.order.random.restore(arrays["order"])
    learner.order.used = description["used"]
    learner.counters[:] = arrays["counters"]
    learner.baseline[:] = arrays["baseline"][: len(learner.baseline)]
    learner.asking[:] = arrays.get("asking", 0.0)
    unpack_memory(learner.memory, learner.space, arrays)
    learner.variate.state = arrays.get("variate", learner.variate.state)
    learner.next_id = description["next_id"]
    pending = (_unpack(learner, entry, arrays) for entry in description["pending"])
    learner.pending = OrderedDict((each.proposal.id, each) for each in pending)
    learner.answered = OrderedDict(
        (key, Answer(kind, value, frozen(output), tuple(values)))
        for key, kind, value, output, values in description["answered"]
    )
    learner.about = description["about"]


def _pack(learner: Learner, pending: Pending, arrays: Arrays) -> dict[str, Any]:
    proposal, draw = pending.proposal, pending.draw
    packed = learner.space.pack(pending.x)
    arrays.update({f"pending.{proposal.id}.x.{name}": value for name, value in packed.items()})
    arrays.update({f"pending.{proposal.id}.expected.{i}": part for i, part in enumerate(draw.expected)})
    arrays[f"pending.{proposal.id}.log_probs"] = draw.log_probs
    arrays[f"pending.{proposal.id}.own"] = draw.densities
    if pending.foreseen is not None:
        named = pending.foreseen._asdict()
        arrays.update({f"pending.{proposal.id}.foreseen.{name}": value for name, value in named.items()})
    return {
        "id": proposal.id, "structures": draw.structures, "version": proposal.model_version, "x": list(packed),
        "expected": len(draw.expected), "length": draw.length, "entropy": draw.entropy,
        "sure": pending.sure,
    }  # fmt: skip


def _unpack(learner: Learner, entry: dict[str, Any], arrays: Arrays) -> Pending:
    place = f"pending.{entry['id']}"
    x = learner.space.unpack({name: arrays[f"{place}.x.{name}"] for name in entry["x"]})
    structures = frozen(entry["structures"])
    expected = tuple(arrays[f"{place}.expected.{i}"] for i in range(entry["expected"]))
    codes = tuple(learner.space.code(x, y) for y in structures)
    log_probs = arrays[f"{place}.log_probs"]
    own = arrays.get(f"{place}.own", log_probs)
    draw = Draw(structures, codes, log_probs, expected, entry["length"], entry["entropy"], own)
    foreseen, sure = None, entry["sure"]
    if f"{place}.foreseen.rows" in arrays:
        foreseen = Foreseen(*(arrays[f"{place}.foreseen.{name}"] for name in Foreseen._fields))
    proposal = propose(
        entry["id"], learner.space, x, draw, entry["version"], learner.objective.compares, sure
    )
    return Pending(proposal, x, draw, sure, foreseen)
