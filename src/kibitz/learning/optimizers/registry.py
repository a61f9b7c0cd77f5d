"""The optimizers by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from kibitz.errors import InputError
from kibitz.learning.optimizers.adagrad import AdaGrad
from kibitz.learning.optimizers.adam import Adam
from kibitz.learning.optimizers.normalized import Normalized
from kibitz.learning.optimizers.optimizer import Optimizer
from kibitz.learning.optimizers.sgd import SGD

OPTIMIZERS: dict[str, type[Optimizer]] = {kind.name: kind for kind in (SGD, AdaGrad, Adam, Normalized)}


def optimizer_from(name: str, **options: Any) -> Optimizer:
    """The optimizer of that name; options of the others are left out, but for a momentum, which is refused."""
    if name not in OPTIMIZERS:
        raise InputError(f"no optimizer is called {name!r}: choose one of {', '.join(OPTIMIZERS)}")
    if name != "sgd" and options.get("momentum"):
        raise InputError("momentum goes with the optimizer sgd: leave it out, or choose sgd")
    own = _options(OPTIMIZERS[name])
    others = set().union(*map(_options, OPTIMIZERS.values())) - own
    return OPTIMIZERS[name](**{key: value for key, value in options.items() if key not in others})


def _options(kind: type[Optimizer]) -> set[str]:
    return {field.name for field in fields(kind)}
