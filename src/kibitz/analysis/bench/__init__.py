"""Speed, always as a ratio of things measured in one run: machines differ, ratios much less."""

from kibitz.analysis.bench.result import ROOMS, Bench, bench

__all__ = ["ROOMS", "Bench", "bench"]
