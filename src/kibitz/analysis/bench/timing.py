"""Timing rivals side by side: round after round, so that whatever else the machine does falls on all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of each contestant in each round."""

    seconds: Mapping[str, list[float]]

    def median(self, name: str) -> float:
        """The median round."""
        return float(np.median(self.seconds[name]))

    def ratio(self, name: str, other: str) -> tuple[float, float, float]:
        """The median of the rounds' ratios, with their quartiles: (25 %, 50 %, 75 %)."""
        ratios = np.array(self.seconds[name]) / np.array(self.seconds[other])
        low, middle, high = np.percentile(ratios, [25, 50, 75])
        return float(low), float(middle), float(high)


def race(
    contestants: Mapping[str, Callable[[], object]], rounds: int, progress: Callable[[int], None]
) -> Timings:
    """Run every contestant once to warm up, then once in each round, in turn."""
    for run in contestants.values():
        run()
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for i in range(rounds):
        for name, run in contestants.items():
            began = time.process_time()
            run()
            seconds[name].append(time.process_time() - began)
        progress(i + 1)
    return Timings(seconds)
