"""Chains small enough to write out, with weights and losses, for the tests of the theory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.feedback.loss import loss_from
from kibitz.spaces.chain import Chain

INPUTS: dict[str, list[list[Any]]] = {
    "binary": [["the"], ["dog", "bias"], ["the"], ["bites"]],
    "valued": [[("the", 0.5), "bias"], [("dog", -1.25)], [("bites", 2.0), ("the", 0.75)], ["bias"]],
}


@dataclass(frozen=True)
class Small:
    """A chain, one input of four tokens, and weights to look at it with."""

    space: Chain
    x: Any
    weights: Any
    gold: ClassVar[tuple[str, ...]] = ("B", "I", "O", "B")

    def loss(self, name: str) -> Callable[[Any], float]:
        """The loss of an output against the gold one."""
        loss = loss_from(name)
        return lambda y: loss(y, self.gold)

    def elsewhere(self, seed: int, scale: float = 0.7) -> Any:
        """Other weights of the same space."""
        return scale * np.random.default_rng(seed).normal(size=self.space.size)


def build(order: int = 1, kind: str = "binary", scale: float = 0.7) -> Small:
    """B, I, O with O before the first tag: I cannot open. Order 1 with transitions, order 2 without."""
    space = Chain("BIO", order=order, forbidden=[("O", "I")], start="O", transitions=order == 1)
    x = space.encode(INPUTS[kind])
    return Small(space, x, scale * np.random.default_rng(0).normal(size=space.size))


@pytest.fixture(scope="session")
def small() -> Callable[..., Small]:
    """Makes a small chain with an input."""
    return build
