"""N-best lists as JSON Lines: one object a line.

{"id": "7", "reference": "the house", "candidates": [{"text": "a house", "features": {"lm": -3.2}, "loss": 0.4}, ...]}

`reference`, the `loss` of every candidate, and `source`, the input as people read it, are optional.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kibitz.data.nbest.lists import NBest
from kibitz.errors import InputError
from kibitz.spaces.candidates.candidate import candidate_from

SHAPE = '{"id": ..., "candidates": [{"text": ..., "features": {...}}, ...]}'


def parse_json_lines(lines: Iterable[tuple[int, str]], where: str) -> Iterator[NBest]:
    """The lists of numbered lines; `where` is what messages call the file."""
    for number, line in lines:
        if line.strip():
            try:
                yield _list(line, number)
            except InputError as error:
                raise InputError(f"{where}:{number}: {error}.") from error


def as_json_line(nbest: NBest) -> str:
    """The line that reads back as this list."""
    losses = nbest.losses if nbest.losses is not None else [None] * len(nbest.candidates)
    candidates = [
        {"text": each.text, "features": dict(each.features)} | ({} if loss is None else {"loss": loss})
        for each, loss in zip(nbest.candidates, losses, strict=True)
    ]
    optional = {"source": nbest.source, "reference": nbest.reference}
    texts = {name: text for name, text in optional.items() if text is not None}
    return json.dumps({"id": nbest.id, **texts, "candidates": candidates}, ensure_ascii=False)


def _list(line: str, number: int) -> NBest:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise InputError(f"this line is not JSON ({error}): write one object {SHAPE} a line") from error
    except RecursionError as error:
        raise InputError(f"this line is nested too deeply: write one object {SHAPE} a line") from error
    if not isinstance(value, Mapping) or not isinstance(value.get("candidates"), list):
        raise InputError(f"this line is no n-best list: write one object {SHAPE} a line")
    key = value.get("id")
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise InputError('this list has no "id": give it a text or a whole number')
    raws = value["candidates"]
    if not raws:
        raise InputError("this list has no candidate: give it at least one, or leave the line out")
    try:
        candidates = [candidate_from(raw) for raw in raws]
    except InputError as error:
        place = _first_wrong(raws)
        raise InputError(f"candidate {place} is not as it should be: {error}") from error
    for name in ("reference", "source"):
        if not isinstance(value.get(name), str | None):
            raise InputError(f'the "{name}" of this list is not a text')
    return NBest(str(key), candidates, number, _losses(raws), value.get("reference"), value.get("source"))


def _first_wrong(raws: list[Any]) -> int:
    for place, raw in enumerate(raws, start=1):
        try:
            candidate_from(raw)
        except InputError:
            return place
    raise AssertionError("no candidate is wrong")


def _losses(raws: list[Any]) -> list[float] | None:
    """The losses of all candidates, or of none."""
    losses = [raw.get("loss") for raw in raws]
    if all(loss is None for loss in losses):
        return None
    for place, loss in enumerate(losses, start=1):
        if isinstance(loss, bool) or not isinstance(loss, int | float) or not 0.0 <= loss <= 1.0:
            raise InputError(
                f"candidate {place} has the loss {loss!r}: give every candidate of the list a number from 0 "
                "(perfect) to 1, or none of them"
            )
    return [float(loss) for loss in losses]
