"""Convergence estimates as grouped bars, as PNG bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.analysis.numbers import Spread, exponent
from kibitz.analysis.style import INK, PALETTE, QUIET, figure, heading, png, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def estimate_bars(
    panels: Mapping[str, Mapping[str, Sequence[Spread | float | None]]],
    sources: Sequence[str],
    *,
    title: str = "",
) -> bytes:
    """Grouped bars on a logarithmic axis: a panel an estimate, a group an algorithm, a bar a source.

    `panels[estimate][algorithm]` holds one figure a source, in the order of `sources`, the paper first and in
    grey; None leaves a gap. Zero has no place on a logarithmic axis and is written as 0 at its foot.
    """
    from matplotlib.ticker import FuncFormatter

    drawn = figure(3.5 * len(panels) + 0.6, 4.0)
    all_axes = drawn.subplots(1, len(panels), squeeze=False)[0]
    width = 0.82 / len(sources)
    for axes, (estimate, groups) in zip(all_axes, panels.items(), strict=True):
        quiet(axes)
        axes.set_yscale("log")
        floor, top = _span([_middle(figure_) for bars in groups.values() for figure_ in bars])
        axes.set_ylim(floor, top)
        for s, source in enumerate(sources):
            colour = "#9aa1ab" if s == 0 else PALETTE[(s - 1) % len(PALETTE)]
            for g, bars in enumerate(groups.values()):
                _bar(axes, g + (s - (len(sources) - 1) / 2) * width, width * 0.92, bars[s], floor, colour)
            axes.bar([0], [0], color=colour, label=source)
        names = [name.replace(", ", ",\n") for name in groups]
        axes.set_xticks(range(len(groups)), names, fontsize=9 if len(groups) < 5 else 7.5, color=INK)
        axes.tick_params(axis="x", length=0, colors=INK)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: exponent(value, 0)))
        axes.minorticks_off()
        heading(axes, estimate)
    handles, names = all_axes[0].get_legend_handles_labels()
    drawn.legend(
        handles,
        names,
        loc="outside lower left",
        ncols=len(sources),
        frameon=False,
        fontsize=9,
        labelcolor=INK,
    )
    if title:
        drawn.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK)
    return png(drawn)


def _middle(value: Spread | float | None) -> float | None:
    return value.mean if isinstance(value, Spread) else value


def _span(values: Sequence[float | None]) -> tuple[float, float]:
    """From below the smallest figure, so that its bar has a height, to room for the largest's label."""
    positive = [np.log10(value) for value in values if value is not None and value > 0]
    if not positive:
        return 0.1, 10.0
    low = np.floor(min(positive) - 0.3)
    return float(10.0**low), float(10.0 ** (low + 1.2 * (max(positive) - low)))


def _bar(axes: Axes, x: float, width: float, value: Spread | float | None, floor: float, colour: str) -> None:
    middle = _middle(value)
    if middle is None:
        return
    if middle <= 0:
        axes.text(x, floor, "0", ha="center", va="bottom", fontsize=7, color=QUIET)
        return
    deviation = value.deviation if isinstance(value, Spread) else None
    whisker: dict[str, Any] = {}
    if deviation:
        whisker = {
            "yerr": [[min(deviation, middle - floor * 1.0001)], [deviation]],
            "error_kw": {"elinewidth": 0.9, "ecolor": INK, "capsize": 2},
        }
    axes.bar([x], [middle - floor], width, bottom=floor, color=colour, **whisker)
    label = f"{middle:.2g}" if 0.01 <= middle < 100 else exponent(middle, 0)
    axes.annotate(
        label,
        (x, middle + (deviation or 0.0)),
        xytext=(0, 3),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=6.5,
        color=QUIET,
        rotation=90,
    )
