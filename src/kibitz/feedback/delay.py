"""A simulator of late answers, for use with ask and tell.

late = Delay(asks=10)
for x, gold in inputs:
    proposal = learner.ask(x)
    late.put(proposal, loss=loss(proposal.outputs[0], gold))
    for proposal, answer in late.due():
        learner.tell(proposal, **answer)
for proposal, answer in late.rest():
    learner.tell(proposal, **answer)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from kibitz.errors import InputError

Proposal = TypeVar("Proposal")


class Delay(Generic[Proposal]):
    """A queue in which every answer waits for `asks` further questions; with 0 it comes at once."""

    __slots__ = ("_waiting", "asks")

    def __init__(self, asks: int) -> None:
        """An empty queue."""
        if asks < 0:
            raise InputError(f"an answer cannot come {asks} questions late: give 0 or more")
        self.asks = asks
        self._waiting: deque[tuple[Proposal, dict[str, Any]]] = deque()

    def __len__(self) -> int:
        """How many answers wait."""
        return sum(bool(answer) for _, answer in self._waiting)

    def put(self, proposal: Proposal, **answer: Any) -> None:
        """Queues the answer, in the words of `tell`, to the proposal that was just asked.

        Without an answer (a pair of equal outputs needs none) the question only lets time pass.
        """
        self._waiting.append((proposal, answer))

    def due(self) -> Iterator[tuple[Proposal, dict[str, Any]]]:
        """Takes out the answers that have waited long enough, oldest first."""
        yield from self._take(self.asks)

    def rest(self) -> Iterator[tuple[Proposal, dict[str, Any]]]:
        """Takes out all that still wait, oldest first."""
        yield from self._take(0)

    def _take(self, left: int) -> Iterator[tuple[Proposal, dict[str, Any]]]:
        while len(self._waiting) > left:
            proposal, answer = self._waiting.popleft()
            if answer:
                yield proposal, answer
