"""What an extractor is: a raw input in, the attributes of each position out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from kibitz.errors import InputError

Attribute = str | tuple[str, float]
"""A name, which counts 1, or a name and its value."""


class Extractor(Protocol):
    """Turns a raw input into the attributes of each of its positions.

    Anything with these two methods will do; only the extractors of this room can be saved with a model.
    """

    def extract(self, raw: Any) -> list[list[Attribute]]: ...

    def settings(self) -> dict[str, Any]:
        """What `extractor_from` needs to build the same extractor again: JSON only, with a "kind"."""
        ...


def extractor_from(settings: Mapping[str, Any]) -> Extractor:
    """The extractor that gave these settings."""
    from kibitz.features.pixels import Pixels
    from kibitz.features.plain import Plain
    from kibitz.features.templates import Templates

    kinds: dict[str, type[Templates] | type[Pixels] | type[Plain]] = {
        "templates": Templates,
        "pixels": Pixels,
        "plain": Plain,
    }
    arguments = dict(settings)
    kind = arguments.pop("kind", None)
    if kind not in kinds:
        known = ", ".join(sorted(kinds))
        raise InputError(f"There is no extractor of the kind {kind!r}: known are {known}.")
    try:
        return kinds[kind](**arguments)
    except TypeError as error:
        raise InputError(f"The settings of the {kind!r} extractor do not fit: {error}.") from error
