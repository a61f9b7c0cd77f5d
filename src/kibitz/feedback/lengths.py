"""An output and its gold answer label the same tokens; losses that count tokens say so where they do not."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.errors import InputError


def same_length(output: Sequence[object], gold: Sequence[object], what: str = "labels") -> None:
    """An `InputError` that gives both lengths where they differ."""
    if len(output) != len(gold):
        raise InputError(
            f"the output has {len(output)} {what} and the gold answer {len(gold)}: "
            "give both for the same input"
        )
