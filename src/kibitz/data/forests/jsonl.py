"""Our own format: JSON Lines, a forest a line.

{"id": "0", "root": "S", "edges": [{"head": "NP", "output": ["the", "cat"], "features": {"Definite": 1.0}},
                                   {"head": "S", "tails": ["NP"], "output": [0, "sleeps"]}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from kibitz.data.forests.format import Format, Named
from kibitz.data.forests.lines import Lines
from kibitz.errors import InputError
from kibitz.spaces.hypergraph.plain import as_plain, from_plain


def parse(lines: Lines) -> Iterator[Named]:
    """Every forest of the file; empty lines are passed over."""
    count = 0
    for line in lines:
        if line.strip():
            value = _object(line, lines)
            try:
                named = Named(_id(value, count), from_plain(value))
            except InputError as error:
                raise lines.wrong(str(error)) from None
            yield named
            count += 1


def text(forests: Iterable[Named]) -> Iterator[str]:
    """A line for each forest."""
    for named in forests:
        value = {"id": named.id, **as_plain(named.forest)}
        yield json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _object(line: str, lines: Lines) -> dict[str, Any]:
    try:
        value = json.loads(line, object_pairs_hook=_once)
        if "\\u" in line:
            json.dumps(
                value, ensure_ascii=False
            ).encode()  # half a character can be escaped but never written
    except json.JSONDecodeError as error:
        raise lines.wrong(
            f"this line should be one JSON object, but it breaks at character {error.pos + 1} ({error.msg})"
        ) from None
    except UnicodeEncodeError:
        raise lines.wrong("this line escapes half a character, a surrogate without its other half") from None
    except (ValueError, RecursionError) as error:
        raise lines.wrong(f"this line should be one JSON object with a forest: {error}") from None
    if not isinstance(value, dict):
        raise lines.wrong("this line should be one JSON object with a forest")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys differ."""
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"{twice!r} is given twice in one object")
    return value


def _id(value: dict[str, Any], count: int) -> str:
    found = value.get("id", count)
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise InputError(f'the "id" should be a string, not {found!r}')
    return str(found)


JSONL = Format(
    "jsonl", "JSON Lines, a forest a line", lambda line: line.lstrip().startswith("{"), parse, text
)
