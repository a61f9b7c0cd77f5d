"""The public contract suite: a brute-force enumerator, and the checks that any space must pass.

from kibitz.testing import check_space

def test_my_space_is_exact():
    check_space(MySpace(...), [raw_input, another])
"""

from kibitz.testing.case import Additive, Case, label_costs
from kibitz.testing.checks import (
    check_argmax,
    check_entropy,
    check_expected_features,
    check_expected_loss,
    check_forbidden,
    check_log_partition,
    check_log_prob,
    check_log_propensity,
    check_sampling,
    check_top_k,
)
from kibitz.testing.enumerator import Enumeration, enumerate_outputs, finite_differences
from kibitz.testing.steps import check_best, check_draw, check_gold, check_gradient
from kibitz.testing.storage import check_corpus, check_encoded_once, check_restored, check_untouched
from kibitz.testing.suite import check_space

__all__ = [
    "Additive",
    "Case",
    "Enumeration",
    "check_argmax",
    "check_best",
    "check_corpus",
    "check_draw",
    "check_encoded_once",
    "check_entropy",
    "check_expected_features",
    "check_expected_loss",
    "check_forbidden",
    "check_gold",
    "check_gradient",
    "check_log_partition",
    "check_log_prob",
    "check_log_propensity",
    "check_restored",
    "check_sampling",
    "check_space",
    "check_top_k",
    "check_untouched",
    "enumerate_outputs",
    "finite_differences",
    "label_costs",
]
