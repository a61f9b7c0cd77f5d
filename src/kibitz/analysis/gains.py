"""What systems gain over a start, as bars from the start's score on, as PNG bytes."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.analysis.numbers import Spread, score
from kibitz.analysis.style import INK, PALETTE, QUIET, WRONG, figure, png, quiet


def gain_bars(scores: Mapping[str, Spread], start: str, at: float, *, metric: str = "test BLEU") -> bytes:
    """A bar a system from the start's score to its own, with a standard deviation over seeds; losses in red."""
    drawn = figure(7.0, 0.46 * len(scores) + 1.0)
    axes = drawn.add_subplot()
    quiet(axes)
    axes.grid(axis="y", visible=False)
    for place, value in enumerate(scores.values()):
        gain = value.mean - at
        deviation = value.deviation or 0.0
        axes.barh(
            place, gain, 0.62, left=at, color=PALETTE[0] if gain >= 0 else WRONG, xerr=deviation or None,
            error_kw={"elinewidth": 0.9, "ecolor": INK, "capsize": 2},
        )  # fmt: skip
        axes.annotate(
            f"{score(value.mean)} ({gain:+.4f})", (max(value.mean, at) + deviation, place), xytext=(5, 0),
            textcoords="offset points", va="center", fontsize=8.5, color=QUIET,
        )  # fmt: skip
    axes.axvline(at, color=INK, linewidth=1.0)
    axes.set_yticks(range(len(scores)), list(scores), fontsize=9, color=INK)
    axes.tick_params(axis="y", colors=INK)
    axes.invert_yaxis()
    axes.margins(x=0.25)
    axes.set_xlabel(f"{metric}, from that of {start}: {score(at)}", color=QUIET, fontsize=9)
    return png(drawn)
