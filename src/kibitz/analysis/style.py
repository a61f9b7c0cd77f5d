"""One look for every picture: colours that colour-blind readers can tell apart, quiet axes, PNG bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK: Final = "#1f2328"
QUIET: Final = "#6b7280"
RULE: Final = "#e3e6ea"
WRONG: Final = "#c2410c"
PALETTE: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b")
"""After Okabe and Ito, the darker ones first so that lines stay readable on white."""

MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X")
RESOLUTION: Final = 160


def figure(width: float, height: float) -> Figure:
    """A figure that draws on Agg by itself: no display, no pyplot, no state shared between figures."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), dpi=RESOLUTION, facecolor="white", layout="constrained")
    FigureCanvasAgg(made)
    return made


def quiet(axes: Axes) -> None:
    """Only the ink that says something: light horizontal rules, no box, small grey tick labels."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.grid(axis="y", color=RULE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="both", which="both", colors=QUIET, labelsize=9, length=3)
    axes.tick_params(axis="y", which="both", length=0)


def heading(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold", color=INK, pad=10)


def png(made: Figure) -> bytes:
    """The figure as the bytes of a PNG file, the same bytes every time."""
    from io import BytesIO

    out = BytesIO()
    made.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def spread_apart(positions: list[float], gap: float) -> list[float]:
    """Move labels as little as needed so that neighbours stand at least `gap` apart, in their order.

    The labels of a pile stand around the pile's mean; piles that touch are merged: the least-squares answer.
    """
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    piles: list[tuple[float, list[int]]] = []  # (centre, members)
    for i in order:
        centre, members = positions[i], [i]
        while (
            piles and piles[-1][0] + gap * (len(piles[-1][1]) - 1) / 2 > centre - gap * (len(members) + 1) / 2
        ):
            below, others = piles.pop()
            size = len(others) + len(members)
            centre, members = (below * len(others) + centre * len(members)) / size, others + members
        piles.append((centre, members))
    placed = [0.0] * len(positions)
    for centre, members in piles:
        for rank, i in enumerate(members):
            placed[i] = centre + gap * (rank - (len(members) - 1) / 2)
    return placed
