"""Claims that results can bear out or not, judged on ours and on the paper's own figures side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypeAlias

from kibitz.analysis import paper
from kibitz.analysis.convergence import Estimates
from kibitz.analysis.tables import Table

Figures: TypeAlias = Mapping[str, Sequence[float]]
"""By the algorithm's name in the paper's tables: EL, CE, PR(cont), PR(bin); one figure a seed."""

ByAlgorithm: TypeAlias = Mapping[str, Sequence[Estimates]]


@dataclass(frozen=True, slots=True)
class Results:
    """What was measured; what is missing is left out.

    `equal_rates` and `chosen_rates` hold the convergence estimates by one definition: with the same rate for
    all algorithms, as in Table 2, and with each algorithm's own, as in Table 1.
    """

    f1: Figures = field(default_factory=dict)
    iterations: Figures = field(default_factory=dict)
    full_information: float | None = None
    equal_rates: ByAlgorithm = field(default_factory=dict)
    chosen_rates: ByAlgorithm = field(default_factory=dict)


class Missing(Exception):
    """The results lack a figure that a claim is about."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a claim holds, and the figures that say so."""

    holds: bool
    evidence: str

    def __str__(self) -> str:
        return "holds" if self.holds else "does not hold"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, and the function of the results that judges it."""

    text: str
    judge: Callable[[Results], Verdict]

    def on(self, results: Results) -> Verdict | None:
        """The verdict, or None where the results do not have what it takes."""
        try:
            return self.judge(results)
        except Missing:
            return None


def mean_of(figures: Figures, name: str) -> float:
    """The mean over seeds."""
    if not figures.get(name):
        raise Missing(name)
    return fmean(figures[name])


def estimate_of(estimates: ByAlgorithm, name: str, which: str) -> float:
    """The mean over seeds of one of the three estimates."""
    if not estimates.get(name):
        raise Missing(name)
    return fmean(getattr(run, which) for run in estimates[name])


def papers_own() -> Results:
    """The paper's own tables as results, so that its claims can be held against its own figures."""
    return Results(
        f1={name: [row.f1] for name, row in paper.TABLE_1.items()},
        iterations={name: [row.iterations] for name, row in paper.TABLE_1.items()},
        full_information=paper.FULL_INFORMATION,
        equal_rates={
            name: [Estimates(row.squared_norm, row.lipschitz, row.variance)]
            for name, row in paper.TABLE_2.items()
        },
    )


def claims_table(results: Results, claims: Sequence[Claim], title: str = "") -> Table:
    """The closing list: the claim, whether the paper's figures bear it out, whether ours do, and on what."""
    rows = []
    for claim in claims:
        theirs, ours = claim.on(papers_own()), claim.on(results)
        rows.append(
            (
                claim.text,
                str(theirs) if theirs else "figures not given",
                str(ours) if ours else "not measured",
                ours.evidence if ours else None,
            )
        )
    return Table.of(("claim", "in the paper's tables", "here", "evidence"), rows, title)
