"""How figures are written for people: 3.04, 1.2e-3, 4.7M, 0.9366 ± 0.0012."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Style = Literal["number", "score", "count"]
"""`number`: three digits, whatever the size. `score`: four decimals. `count`: 115k, 4.7M."""

_SCALES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def number(value: float) -> str:
    """Three significant digits, plain from 0.01 to 10,000, with an exponent beyond; whole numbers whole."""
    if not math.isfinite(value):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    size = abs(value)
    if size == 0.0:
        return "0"
    if 0.00995 <= size < 9999.5:
        return _trimmed(f"{value:.{max(0, 2 - math.floor(math.log10(size)))}f}")
    return exponent(value)


def exponent(value: float, digits: int = 2) -> str:
    """1.21e-3: an exponent without the zeros that printf pads it with, and no digits that say nothing."""
    mantissa, power = f"{value:.{digits}e}".split("e")
    return f"{_trimmed(mantissa)}e{int(power)}"


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def count(value: float) -> str:
    """115k, 4.7M: three significant digits and a letter for the thousands, without trailing zeros."""
    for i, (scale, letter) in enumerate(_SCALES):
        if abs(value) < 0.9995 * scale:
            continue
        digits = f"{value / scale:.3g}"
        if float(digits) >= 1000.0 and i > 0:
            return count(float(digits) * scale)
        return digits + letter
    return f"{value:.3g}"


def score(value: float) -> str:
    """0.9366: a metric between 0 and 1 to four decimals, so that a column of them lines up."""
    return f"{value:.4f}"


def duration(seconds: float) -> str:
    """48 s, 3 min 20 s, 2 h 05 min."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation over seeds (the sample's, dividing by n - 1; none for a single run)."""

    mean: float
    deviation: float | None = None
    n: int = 1
    style: Style = "number"

    @classmethod
    def of(cls, values: Iterable[float], style: Style = "number") -> Spread:
        runs = [float(value) for value in values]
        if not runs:
            raise ValueError("no values to average")
        average = math.fsum(runs) / len(runs)
        if len(runs) == 1:
            return cls(average, None, 1, style)
        squares = math.fsum((value - average) ** 2 for value in runs)
        return cls(average, math.sqrt(squares / (len(runs) - 1)), len(runs), style)

    def __str__(self) -> str:
        write = {"number": number, "score": score, "count": count}[self.style]
        if self.deviation is None:
            return write(self.mean)
        return f"{write(self.mean)} ± {write(self.deviation)}"

    def json(self) -> dict[str, float | int | None]:
        return {"mean": self.mean, "deviation": self.deviation, "n": self.n}
