"""The closing list judges what it says it judges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.analysis.claims import Claim, Results, claims_table, papers_own
from kibitz.analysis.convergence import Estimates
from kibitz.analysis.paper_claims import CONVERGENCE, SCORES


def the(part: str) -> Claim:
    found = [claim for claim in (*SCORES, *CONVERGENCE) if part in claim.text]
    assert len(found) == 1, [claim.text for claim in found]
    return found[0]


def with_estimates(**changes):
    """The paper's Table 2 with some rows replaced, at both kinds of rate."""
    rows = dict(papers_own().equal_rates)
    rows |= {name: [Estimates(*figures)] for name, figures in changes.items()}
    return replace(papers_own(), equal_rates=rows, chosen_rates=papers_own().equal_rates)


def test_the_papers_own_tables_bear_out_all_but_the_orders_of_magnitude_in_l():
    failing = [c.text for c in (*SCORES, *CONVERGENCE) if (v := c.on(papers_own())) and not v.holds]
    assert failing == [the("L of PR is several").text]


def test_evidence_names_the_figures():
    verdict = the("EL reaches the best").on(papers_own())
    assert verdict.evidence == "EL 0.9230, PR(cont) 0.9140, CE 0.8910"
    assert "CE 1.6, PR(cont) 1.11, PR(bin) 1.33" in the("L of PR is several").on(papers_own()).evidence


def test_what_was_not_measured_is_neither_right_nor_wrong():
    table = claims_table(Results(), (*SCORES, *CONVERGENCE))
    assert {row[2] for row in table.rows} == {"not measured"}
    assert len(table.rows) == 15


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("close to full", {"full_information": 0.99}),
        ("fewest iterations to its best", {"iterations": {"EL": [5.0], "CE": [7.0], "PR(cont)": [6.0]}}),
        ("lead in iterations is smaller", {"iterations": {"EL": [50.0], "CE": [7.0], "PR(cont)": [6.0]}}),
        ("lead in iterations is smaller", {"iterations": {"EL": [5.0], "CE": [7.0], "PR(cont)": [6.0]}}),
        ("EL reaches the best", {"f1": {"EL": [0.92, 0.91], "PR(cont)": [0.93, 0.94], "CE": [0.8]}}),
        ("continuous feedback scores higher", {"f1": {"PR(cont)": [0.5], "PR(bin)": [0.6]}}),
    ],
)
def test_a_claim_about_scores_fails_when_the_figures_turn(part, change):
    assert the(part).on(replace(papers_own(), **change)).holds is False


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("|s_T|² of PR is several", {"PR(bin)": (0.05, 1.0, 1e-3)}),
        ("σ² of PR is several", {"PR(cont)": (1e-3, 1.0, 0.1)}),
        ("|s_T|² of PR is similar", {"EL": (1e-5, 1.0, 0.01)}),
        ("σ² of PR is similar", {"EL": (1e-3, 1.0, 0.5)}),
        ("L of PR is similar", {"EL": (1e-3, 20.0, 0.01)}),
        ("variance is smallest", {"EL": (1e-3, 1.0, 1e-3)}),
        ("also needs the fewest", {"EL": (1e-9, 1.0, 0.01)}),
        ("same at the rates chosen", {"CE": (1e-3, 1.6, 4.88)}),
        ("same for binary and continuous", {"PR(bin)": (0.05, 1.0, 4e-3)}),
    ],
)
def test_a_claim_about_convergence_fails_when_the_figures_turn(part, change):
    assert the(part).on(with_estimates()).holds is True
    assert the(part).on(with_estimates(**change)).holds is False


def test_l_orders_below_ce_can_hold():
    assert the("L of PR is several").on(with_estimates(CE=(4.2, 200.0, 4.88))).holds is True


def test_figures_are_means_over_seeds():
    results = replace(papers_own(), f1={"EL": [0.90, 0.96], "PR(cont)": [0.92, 0.92], "CE": [0.8]})
    assert the("EL reaches the best").on(results).holds is True
