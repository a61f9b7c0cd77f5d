"""One of the outputs that were proposed for an input."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.errors import InputError

LARGEST = 3e38  # weights and values have single precision


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text, which is what people see of it, and its features by name, which are what the model sees."""

    text: str
    features: Mapping[str, float]


def candidate_from(raw: Any) -> Candidate:
    """A candidate as it is, or from a mapping with `text` and `features`, as JSON has it."""
    if isinstance(raw, Candidate):
        return raw
    if not isinstance(raw, Mapping) or not isinstance(raw.get("text"), str):
        raise InputError(f'a candidate has a "text" and "features", not {raw!r}')
    features = raw.get("features")
    if not isinstance(features, Mapping):
        raise InputError('the "features" of a candidate are an object of names and numbers')
    if not _plain(features.values()):
        _check(features)
    return Candidate(raw["text"], features)


def _plain(values: Collection[Any]) -> bool:
    """Whether all are finite numbers: the quick look, for lists are long."""
    try:
        return set(map(type, values)) <= {float, int} and sum(map(abs, values)) <= LARGEST
    except OverflowError:
        return False


def _check(features: Mapping[str, Any]) -> None:
    """The same one by one, to name what is wrong."""
    for name, value in features.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise InputError(f"the feature {name!r} has the value {value!r}, which is not a finite number")


def classes(labels: Sequence[str], attributes: Iterable[str] | Mapping[str, float]) -> list[Candidate]:
    """Each label as a candidate whose features are the input's attributes, joined with the label."""
    values = attributes if isinstance(attributes, Mapping) else dict.fromkeys(attributes, 1.0)
    return [
        Candidate(label, {f"{name}|{label}": value for name, value in values.items()}) for label in labels
    ]
