"""How long a run is and where it stops on its way, and what is noted there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST = 20_000  # iterations that Ctrl-C may have to wait for
ASKS_A_JUDGEMENT = 100  # at most: a run that draws nothing that needs a judge ends all the same


@dataclass(frozen=True, slots=True)
class Point:
    """Where a run stands.

    ``heard`` is the mean of what was heard since the point before, None where that is none or not finite; ``dev`` is
    the metric on development data.
    """

    iteration: int
    feedback: int
    heard: float | None
    dev: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How long a run is and where it stops on its way."""

    feedback: int | None  # judgements, at most
    iterations: int  # at most
    every: int  # iterations between two evaluations
    keep: int | None  # iterates to store
    inputs: str

    def next_stop(self, done: int, draws_at: int) -> int:
        """The next iteration at which there is something to note."""
        stops = [self.iterations, done + LONGEST, _multiple_after(done, self.every)]
        if draws_at > done:
            stops.append(draws_at)
        if self.keep:
            stops.append(_multiple_after(done, self.keep_every))
        return min(stops)

    def idle(self, curve: Sequence[Point], done: int, judgements: int, examples: int) -> bool:
        """Whether a budget of judgements is no longer worth waiting for: of the last asks, an epoch or 100 times
        ASKS_A_JUDGEMENT of them, not one in ASKS_A_JUDGEMENT needed a judge.
        """
        if self.feedback is None:
            return False
        window = max(examples, 100 * ASKS_A_JUDGEMENT)
        before = next((point for point in reversed(curve) if done - point.iteration >= window), None)
        if before is None:
            return False
        return (judgements - before.feedback) * ASKS_A_JUDGEMENT < done - before.iteration

    @property
    def keep_every(self) -> int:
        """The iterations between two iterates that are stored."""
        return max(1, self.iterations // self.keep) if self.keep else 0


def _multiple_after(done: int, every: int) -> int:
    return (done // every + 1) * every
