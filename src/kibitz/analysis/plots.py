"""Learning curves, as PNG bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from kibitz.analysis.numbers import count
from kibitz.analysis.style import MARKERS, PALETTE, QUIET, figure, heading, png, quiet, spread_apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_DASHES = (0, (5, 3))


@dataclass(frozen=True, slots=True)
class Curve:
    """Scores of one system over iterations, a row of `runs` a seed, and the figure they are held against."""

    label: str
    iterations: Floats
    runs: Floats
    reference: float | None = None

    @classmethod
    def of(
        cls, label: str, runs: Sequence[Sequence[tuple[float, float]]], reference: float | None = None
    ) -> Curve:
        """From one list of (iteration, score) a seed, at the iterations that all seeds have."""
        seeds = [dict(run) for run in runs]
        shared = sorted(set.intersection(*(set(seed) for seed in seeds)))
        scores = [[seed[x] for x in shared] for seed in seeds]
        return cls(label, np.array(shared, dtype=np.float64), np.array(scores, dtype=np.float64), reference)


def learning_curves(
    curves: Sequence[Curve],
    *,
    metric: str = "dev F1",
    title: str = "",
    scale: Literal["linear", "log"] = "linear",
    references: Mapping[str, float] | None = None,
    feedback: str = "iterations",
    limits: tuple[float, float] | None = None,
) -> bytes:
    """Mean lines with bands of one standard deviation over seeds, labelled at their ends.

    A curve's own reference is a dashed line in its colour, labelled with the figure; `references` are further
    ones in grey, such as the full-information score.
    """
    height = max(4.4, 0.28 * (len(curves) + len(references or {})))  # room for a label each
    drawn = figure(8.0, height)
    axes = drawn.add_subplot()
    quiet(axes)
    labels: list[tuple[float, str, str]] = []
    for i, curve in enumerate(curves):
        colour = PALETTE[i % len(PALETTE)]
        keep = curve.iterations > 0 if scale == "log" else np.ones(len(curve.iterations), dtype=bool)
        x, mean = curve.iterations[keep], curve.runs.mean(axis=0)[keep]
        if curve.runs.shape[0] > 1:
            deviation = curve.runs.std(axis=0, ddof=1)[keep]
            axes.fill_between(x, mean - deviation, mean + deviation, color=colour, alpha=0.18, linewidth=0)
        marker = MARKERS[(i + i // len(PALETTE)) % len(MARKERS)] if len(curves) > 1 else ""
        axes.plot(
            x, mean, color=colour, linewidth=1.8, marker=marker, markersize=4.5, markevery=max(1, len(x) // 8)
        )
        beside = ""
        if curve.reference is not None:
            axes.axhline(curve.reference, color=colour, linewidth=1.1, linestyle=_DASHES, alpha=0.9)
            beside = f" (paper {curve.reference:.3f})"
        if len(x):
            labels.append((float(mean[-1]), f"{curve.label} {mean[-1]:.3f}{beside}", colour))
    for name, value in (references or {}).items():
        axes.axhline(value, color=QUIET, linewidth=1.1, linestyle=_DASHES)
        labels.append((value, f"{name} {value:.3f}", QUIET))
    _iteration_axis(axes, scale)
    if limits is not None:
        axes.set_ylim(*limits)
    axes.set_xlabel(feedback, color=QUIET, fontsize=9)
    axes.set_ylabel(metric, color=QUIET, fontsize=9)
    _end_labels(axes, labels, 0.062 * 4.4 / height)
    if title:
        heading(axes, title)
    return png(drawn)


def _iteration_axis(axes: Axes, scale: Literal["linear", "log"]) -> None:
    """Ticks as people say them: 100k, 1M; on a logarithmic axis at 1, 2 and 5 of each decade."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale(scale)
    axes.margins(x=0.01)
    if scale == "log":
        axes.xaxis.set_major_locator(LogLocator(base=10.0, subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: count(value)))


def _end_labels(axes: Axes, labels: Sequence[tuple[float, str, str]], gap: float) -> None:
    """Write each label at the right of its line's end, pushed apart where they would touch."""
    low, high = axes.get_ylim()
    height = [min(max((value - low) / (high - low), 0.0), 1.0) for value, _, _ in labels]
    for (_, text, colour), y, placed in zip(labels, height, spread_apart(height, gap), strict=True):
        axes.plot(
            [1.005, 1.03], [y, placed], transform=axes.transAxes, color=colour, linewidth=0.8, clip_on=False
        )
        axes.annotate(
            text,
            (1.037, placed),
            xycoords="axes fraction",
            fontsize=9,
            color=colour,
            va="center",
            annotation_clip=False,
        )
