"""An n-best list: the outputs that some system proposed for one input, and what is known of how good they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.spaces.candidates.candidate import Candidate


@dataclass(frozen=True, slots=True)
class NBest:
    """The candidates of one input, with their losses or with a reference where the file gives them."""

    id: str
    candidates: Sequence[Candidate]
    line: int  # where the list begins
    losses: Sequence[float] | None = None
    reference: str | None = None
    source: str | None = None  # the input itself, for those who judge
