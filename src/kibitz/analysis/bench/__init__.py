"""Speed, always as a ratio of things measured in one run: machines differ, ratios much less."""

from kibitz.analysis.bench.result import Bench, bench

__all__ = ["Bench", "bench"]
