"""Saved models: a folder with ``model.json`` and one file of arrays, and no pickle.

The arrays lie in a file named by its content, and ``model.json`` names it. A save writes the arrays first and then
replaces ``model.json`` in one step, so at every moment the folder holds one whole model, the old or the new.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections import OrderedDict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.learning.answer import Answer
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import optimizer_from
from kibitz.learning.proposal import Pending, Proposal
from kibitz.objectives import objective_from
from kibitz.spaces.protocol import Draw, Space
from kibitz.spaces.registry import space_from
from kibitz.spaces.weights import Weights

FORMAT = 1
STATE = ("table", "velocity", "memory", "step", "scalars")
Arrays = dict[str, npt.NDArray[Any]]


def save(learner: Learner, path: str | PathLike[str]) -> None:
    """Write the learner whole: weights, optimizer, generators, pending asks and answers."""
    learner.fit()
    size = learner.space.size
    arrays: Arrays = {f"space.{name}": value for name, value in learner.space.arrays().items()}
    for name in STATE:
        value = getattr(learner.state, name)
        arrays[f"state.{name}"] = value[:size] if name in ("table", "velocity", "memory") else value
    arrays["random"], arrays["counters"] = learner.random.state, learner.counters
    arrays["baseline"] = learner.baseline
    description = {
        "format": FORMAT,
        "space": learner.space.settings(),
        "objective": learner.objective.settings(),
        "optimizer": learner.optimizer.settings(),
        "learner": {
            "seed": learner.seed, "horizon": learner.horizon, "epoch": learner.epoch, "l2": learner.l2,
            "temperature": learner.temperature, "max_pending": learner.max_pending, "dtype": learner.dtype,
        },
        "next_id": learner.next_id,
        "pending": [_pack(learner, key, pending, arrays) for key, pending in learner.pending.items()],
        "answered": [[key, a.kind, a.value, a.output] for key, a in learner.answered.items()],
        "about": learner.about,
    }  # fmt: skip
    write_folder(Path(path), description, arrays)


def load(path: str | PathLike[str], space: type[Space] | None = None) -> Learner:
    """The learner that was saved in the folder ``path``; ``space`` is the class of a space of one's own."""
    folder = Path(path)
    if (folder / "model" / "model.json").is_file():  # the folder of a whole run was named
        folder = folder / "model"
    description, arrays = read_folder(folder)
    if description["format"] > FORMAT:
        raise InputError(
            f"{folder / 'model.json'} was written by a later version of Kibitz (format {description['format']}, "
            f"this one reads up to {FORMAT}): upgrade Kibitz"
        )
    try:
        return _restore(description, arrays, space)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{folder / 'model.json'} is damaged ({error!r}): take it from a backup, or learn again"
        ) from error


def _restore(description: dict[str, Any], arrays: Arrays, kind: type[Space] | None) -> Learner:
    own = {name.removeprefix("space."): value for name, value in arrays.items() if name.startswith("space.")}
    learner = Learner(
        space_from(description["space"], own, kind),
        objective_from(**description["objective"]),
        optimizer=optimizer_from(**description["optimizer"]),
        **description["learner"],
    )
    state = {name: arrays[f"state.{name}"] for name in STATE}
    learner.state = Weights(scratch=np.zeros_like(learner.state.scratch), **state)
    learner.random.state[:] = arrays["random"]
    learner.counters[:] = arrays["counters"]
    learner.baseline[:] = arrays["baseline"]
    learner.next_id = description["next_id"]
    learner.pending = OrderedDict(_unpack(learner, entry, arrays) for entry in description["pending"])
    learner.answered = OrderedDict(
        (key, Answer(kind, value, _tuple(output))) for key, kind, value, output in description["answered"]
    )
    learner.about = description["about"]
    return learner


def _pack(learner: Learner, key: int, pending: Pending, arrays: Arrays) -> dict[str, Any]:
    proposal, draw = pending.proposal, pending.draw
    packed = learner.space.pack(pending.x)
    for name, value in packed.items():
        arrays[f"pending.{key}.x.{name}"] = value
    for i, part in enumerate(draw.expected):
        arrays[f"pending.{key}.expected.{i}"] = part
    arrays[f"pending.{key}.log_probs"] = draw.log_probs
    return {
        "id": key, "outputs": list(proposal.outputs), "version": proposal.model_version, "decided": proposal.decided,
        "x": list(packed), "expected": len(draw.expected), "length": draw.length,
    }  # fmt: skip


def _unpack(learner: Learner, entry: dict[str, Any], arrays: Arrays) -> tuple[int, Pending]:
    key = entry["id"]
    x = learner.space.unpack({name: arrays[f"pending.{key}.x.{name}"] for name in entry["x"]})
    outputs = tuple(_tuple(output) for output in entry["outputs"])
    log_probs = arrays[f"pending.{key}.log_probs"]
    expected = tuple(arrays[f"pending.{key}.expected.{i}"] for i in range(entry["expected"]))
    codes = tuple(learner.space.code(x, output) for output in outputs)
    draw = Draw(outputs, codes, log_probs, expected, entry["length"])
    proposal = Proposal(key, outputs, tuple(log_probs.tolist()), entry["version"], entry["decided"])
    return key, Pending(proposal, x, draw)


def _tuple(output: Any) -> Any:
    return tuple(output) if isinstance(output, list) else output


def write_folder(folder: Path, description: dict[str, Any], arrays: Arrays, name: str = "model") -> None:
    """Replace the pair ``name``.json and its arrays in one step."""
    folder.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    data = buffer.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    target = folder / f"{name}-{digest[:16]}.npz"
    if not target.is_file() or target.stat().st_size != len(data):
        _write(target, data)
    text = json.dumps({**description, "arrays": target.name, "sha256": digest}, indent=1, ensure_ascii=False)
    _write(folder / f"{name}.json", text.encode())
    for other in folder.glob(f"{name}-*.npz"):
        if other != target:
            other.unlink(missing_ok=True)


def read_folder(folder: Path, name: str = "model") -> tuple[dict[str, Any], Arrays]:
    """What :func:`write_folder` wrote, checked."""
    path = folder / f"{name}.json"
    if not path.is_file():
        raise InputError(f"{folder} holds no saved model: there is no {path.name} in it")
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
        file, digest = folder / description["arrays"], description["sha256"]
        int(description["format"])
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is damaged or cut short: take it from a backup, or learn again") from error
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}, the arrays of the model, cannot be read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise InputError(f"{file} is damaged or cut short: take it from a backup, or learn again")
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return description, dict(archive)


def _write(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
