"""Every claim of the paper's section 6 that chunking can test.

"Several orders of magnitude" is read as a factor of 100 or more, "similar" as a factor of 10 or less either
way, "close" as within 0.05 F1, the paper's own largest gap being 0.044.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from kibitz.analysis import paper
from kibitz.analysis.claims import ByAlgorithm, Claim, Missing, Results, Verdict, estimate_of, mean_of
from kibitz.analysis.numbers import count, number, score

ORDERS: Final = 100.0
SIMILAR: Final = 10.0
CLOSE: Final = 0.05

PAIRWISE: Final = ("PR(cont)", "PR(bin)")
RIVALS: Final = ("EL", "CE")
ESTIMATES: Final = {"squared_norm": "|s_T|²", "lipschitz": "L", "variance": "σ²"}

Relation = Callable[[ByAlgorithm, str, Sequence[str]], Verdict]


def _listed(figures: Iterable[tuple[str, float]], write: Callable[[float], str]) -> str:
    return ", ".join(f"{name} {write(value)}" for name, value in figures)


def _scores(results: Results, *names: str) -> dict[str, float]:
    return {name: mean_of(results.f1, name) for name in names}


def _close_to_full_information(results: Results) -> Verdict:
    if results.full_information is None:
        raise Missing("full information")
    scores = _scores(results, "EL", "PR(cont)", "CE")
    evidence = f"full information {score(results.full_information)}; {_listed(scores.items(), score)}"
    return Verdict(results.full_information - min(scores.values()) <= CLOSE, evidence)


def _expected_loss_scores_best(results: Results) -> Verdict:
    scores = _scores(results, "EL", "PR(cont)", "CE")
    return Verdict(scores["EL"] > max(scores["PR(cont)"], scores["CE"]), _listed(scores.items(), score))


def _continuous_beats_binary(results: Results) -> Verdict:
    scores = _scores(results, *PAIRWISE)
    return Verdict(scores["PR(cont)"] > scores["PR(bin)"], _listed(scores.items(), score))


def _fewest_iterations(results: Results) -> Verdict:
    needed = {name: mean_of(results.iterations, name) for name in ("PR(cont)", *RIVALS)}
    return Verdict(needed["PR(cont)"] < min(needed[name] for name in RIVALS), _listed(needed.items(), count))


def _smaller_lead_than_in_translation(results: Results) -> Verdict:
    there = paper.TRANSLATION_SPEEDUP
    ours = mean_of(results.iterations, "PR(cont)")
    leads = {name: mean_of(results.iterations, name) / ours for name in RIVALS}
    parts = (
        f"{name} needs {number(lead)} times PR(cont)'s, in translation {number(there[name])} times"
        for name, lead in leads.items()
    )
    return Verdict(all(1.0 < lead < there[name] for name, lead in leads.items()), "; ".join(parts))


def _orders_below_cross_entropy(estimates: ByAlgorithm, which: str, names: Sequence[str]) -> Verdict:
    theirs = estimate_of(estimates, "CE", which)
    ours = {name: estimate_of(estimates, name, which) for name in names}
    holds = all(theirs >= ORDERS * value for value in ours.values())
    return Verdict(holds, f"CE {number(theirs)}, {_listed(ours.items(), number)}")


def _similar_to_expected_loss(estimates: ByAlgorithm, which: str, names: Sequence[str]) -> Verdict:
    theirs = estimate_of(estimates, "EL", which)
    ours = {name: estimate_of(estimates, name, which) for name in names}
    holds = all(value <= SIMILAR * theirs and theirs <= SIMILAR * value for value in ours.values())
    return Verdict(holds, f"EL {number(theirs)}, {_listed(ours.items(), number)}")


def _at_equal_rates(relation: Relation, which: str) -> Callable[[Results], Verdict]:
    def judge(results: Results) -> Verdict:
        return relation(results.equal_rates, which, PAIRWISE)

    return judge


def _smallest_variance_is_pairwise(results: Results) -> Verdict:
    variances = {name: estimate_of(results.equal_rates, name, "variance") for name in ("CE", "EL", *PAIRWISE)}
    smallest = min(variances, key=lambda name: variances[name])
    return Verdict(smallest in PAIRWISE, _listed(variances.items(), number))


def _both_criteria_agree(results: Results) -> Verdict:
    norms = {name: estimate_of(results.equal_rates, name, "squared_norm") for name in ("CE", "EL", *PAIRWISE)}
    needed = {name: mean_of(results.iterations, name) for name in ("PR(cont)", *RIVALS)}
    flattest, quickest = min(norms, key=lambda n: norms[n]), min(needed, key=lambda n: needed[n])
    smallest = f"smallest |s_T|²: {flattest} {number(norms[flattest])}"
    fewest = f"fewest iterations: {quickest} {count(needed[quickest])}"
    return Verdict(flattest in PAIRWISE and quickest in PAIRWISE, f"{smallest}; {fewest}")


def _relations(estimates: ByAlgorithm, names: Sequence[str]) -> dict[str, bool]:
    """The six relations of Table 2, three estimates against CE and EL, as they come out for `names`."""
    kinds: dict[str, Relation] = {
        "below CE": _orders_below_cross_entropy,
        "near EL": _similar_to_expected_loss,
    }
    return {
        f"{sign} {kind}": relation(estimates, which, names).holds
        for kind, relation in kinds.items()
        for which, sign in ESTIMATES.items()
    }


def _same(first: dict[str, bool], second: dict[str, bool]) -> Verdict:
    differing = [relation for relation in first if first[relation] != second[relation]]
    evidence = f"{len(first) - len(differing)} of {len(first)} relations come out the same"
    return Verdict(not differing, f"{evidence}; not: {', '.join(differing)}" if differing else evidence)


def _same_at_chosen_rates(results: Results) -> Verdict:
    return _same(_relations(results.equal_rates, PAIRWISE), _relations(results.chosen_rates, PAIRWISE))


def _same_for_both_kinds_of_feedback(results: Results) -> Verdict:
    cont, binary = (_relations(results.equal_rates, [name]) for name in PAIRWISE)
    return _same(cont, binary)


SCORES: Final = (
    Claim("Learning from bandit feedback comes close to full information.", _close_to_full_information),
    Claim("PR(cont) needs the fewest iterations to its best dev score.", _fewest_iterations),
    Claim("PR's lead in iterations is smaller than in translation.", _smaller_lead_than_in_translation),
    Claim("EL reaches the best F1.", _expected_loss_scores_best),
    Claim("For PR on chunking, continuous feedback scores higher than binary.", _continuous_beats_binary),
)
"""Claims about Table 1."""

CONVERGENCE: Final = (
    *(
        Claim(
            f"{sign} of PR is several orders of magnitude smaller than that of CE.",
            _at_equal_rates(_orders_below_cross_entropy, which),
        )
        for which, sign in ESTIMATES.items()
    ),
    *(
        Claim(f"{sign} of PR is similar to that of EL.", _at_equal_rates(_similar_to_expected_loss, which))
        for which, sign in ESTIMATES.items()
    ),
    Claim("The variance is smallest for pairwise learning.", _smallest_variance_is_pairwise),
    Claim("PR, with the smallest |s_T|², also needs the fewest iterations.", _both_criteria_agree),
    Claim("The relations are the same at the rates chosen on dev.", _same_at_chosen_rates),
    Claim("The relations are the same for binary and continuous feedback.", _same_for_both_kinds_of_feedback),
)
"""Claims about Table 2."""
