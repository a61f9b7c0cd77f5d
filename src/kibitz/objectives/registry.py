"""Objectives by the names that the command line uses."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from typing import Any

from kibitz.errors import InputError
from kibitz.objectives.baselines import baseline_from
from kibitz.objectives.cross_entropy import cross_entropy
from kibitz.objectives.expected_loss import expected_loss
from kibitz.objectives.likelihood import likelihood
from kibitz.objectives.objective import Objective
from kibitz.objectives.pairwise import pairwise

_DRAWN = frozenset({"baseline", "draws", "coupling", "control_variate"})

# name: (how to make it, which options it takes)
OBJECTIVES: dict[str, tuple[Callable[..., Objective], frozenset[str]]] = {
    "el": (expected_loss, _DRAWN),
    "pr-bin": (partial(pairwise, "bin"), _DRAWN | {"pair_loss", "opponent"}),
    "pr-cont": (partial(pairwise, "cont"), _DRAWN | {"pair_loss", "opponent"}),
    "ce": (cross_entropy, _DRAWN | {"clip"}),
    "likelihood": (likelihood, frozenset()),
}


def objective_from(name: str, **options: Any) -> Objective:
    """The objective of that name; options that it does not have are ignored: a command line gives them all."""
    if name not in OBJECTIVES:
        near = get_close_matches(name, OBJECTIVES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(OBJECTIVES)}"
        raise InputError(f"no objective is called {name!r}: {hint}")
    make, takes = OBJECTIVES[name]
    baseline_from(options.get("baseline", "none"))
    return make(**{key: value for key, value in options.items() if key in takes})
