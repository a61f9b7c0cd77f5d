"""What a learner remembers of judgements, as a few arrays: inputs one after the other, all else as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.learning.answer import Answer, frozen
from kibitz.learning.folder import Arrays
from kibitz.learning.memory import Memory
from kibitz.learning.remembered import Remembered
from kibitz.spaces.protocol import Space


def pack_memory(memory: Memory | None, space: Space) -> Arrays:
    """The arrays of a memory; none of none."""
    if memory is None:
        return {}
    packed = [space.pack(entry.x) for entry in memory.entries]
    arrays: Arrays = {}
    for name in packed[0] if packed else ():
        parts = [np.asarray(each[name]) for each in packed]
        arrays[f"memory.x.{name}"] = np.concatenate([part.ravel() for part in parts])
        arrays[f"memory.shape.{name}"] = np.array([part.shape for part in parts], np.int64)
    entries = [
        [e.structures, e.densities, e.log_probs, e.answer.kind, e.answer.value, e.answer.output, e.answer.values,
         e.judgement, e.key, e.gain, e.count, e.mean]
        for e in memory.entries
    ]  # fmt: skip
    arrays["memory.entries"] = np.frombuffer(json.dumps(entries, default=_plain).encode(), np.uint8)
    return {
        **arrays,
        "memory.random": memory.random.state,
        "memory.shares": memory.shares,
    }


def unpack_memory(memory: Memory | None, space: Space, arrays: Mapping[str, Any]) -> None:
    """Fill a memory with what was packed; a learner saved without one begins with an empty one."""
    if memory is None or "memory.entries" not in arrays:
        return
    memory.random.restore(arrays["memory.random"])
    memory.shares[:] = arrays["memory.shares"]
    memory.entries.clear()
    memory.best.clear()
    entries = json.loads(arrays["memory.entries"].tobytes())
    for x, entry in zip(_inputs(space, len(entries), arrays), entries, strict=True):
        structures, densities, log_probs, kind, value, output, values, *rest = entry
        answer = Answer(kind, value, frozen(output), tuple(values))
        kept = Remembered(x, frozen(structures), tuple(densities), tuple(log_probs), answer, *rest)
        memory.entries.append(kept)
        if memory.replay.of == "best":
            memory.best[kept.key] = kept


def _inputs(space: Space, count: int, arrays: Mapping[str, Any]) -> list[Any]:
    names = [name.removeprefix("memory.x.") for name in arrays if name.startswith("memory.x.")]
    parts: list[dict[str, Any]] = [{} for _ in range(count)]
    for name in names:
        data, start = arrays[f"memory.x.{name}"], 0
        for part, shape in zip(parts, arrays[f"memory.shape.{name}"].tolist(), strict=True):
            size = int(np.prod(shape))
            part[name] = data[start : start + size].reshape(shape)
            start += size
    return [space.unpack(part) for part in parts]


def _plain(value: Any) -> Any:
    """Numbers of NumPy's as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} is neither text nor a number nor a list of such")
