"""The paper's own figures, to stand beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Score:
    """A row of the paper's Table 1: test F1 of three seeds at the dev optimum, and where that was."""

    f1: float
    deviation: float
    iterations: int


@dataclass(frozen=True, slots=True)
class Convergence:
    """A row of the paper's Table 2: the three estimates and their standard deviations over three seeds."""

    squared_norm: float
    lipschitz: float
    variance: float
    deviations: tuple[float, float, float]


FULL_INFORMATION: Final = 0.935

TABLE_1: Final = MappingProxyType(
    {
        "CE": Score(0.891, 0.005, 5_900_000),
        "EL": Score(0.923, 0.002, 7_500_000),
        "PR(cont)": Score(0.914, 0.002, 4_700_000),
    }
)

HORIZON: Final = 3_174_400
"""T of Table 2: 400 epochs of 7,936 sentences."""

TABLE_2: Final = MappingProxyType(
    {
        "CE": Convergence(4.20, 1.60, 4.88, (0.71, 0.11, 0.07)),
        "EL": Convergence(1.21e-3, 1.16, 0.01, (1.1e-4, 0.31, 9.51e-5)),
        "PR(bin)": Convergence(7.71e-4, 1.33, 4.44e-3, (2.53e-4, 0.24, 2.66e-5)),
        "PR(cont)": Convergence(5.99e-3, 1.11, 0.03, (7.24e-4, 0.30, 4.68e-4)),
    }
)


@dataclass(frozen=True, slots=True)
class Adapted:
    """Test BLEU of a system on hypergraphs, and the iterations to its dev optimum."""

    bleu: float
    iterations: int | None = None


TRANSLATION: Final = MappingProxyType(
    {
        "out-of-domain": Adapted(0.2651),
        "in-domain": Adapted(0.2831),
        "EL": Adapted(0.2667, 370_000),
        "PR(bin)": Adapted(0.2733, 115_000),
        "CE": Adapted(0.2713, 281_000),
    }
)

TRANSLATION_TABLE_2: Final = MappingProxyType(
    {
        "CE": Convergence(3.04, 0.54, 35.0, (0.02, 0.3, 6.0)),
        "EL": Convergence(0.02, 1.63, 3.13e-4, (0.03, 0.67, 3.6e-6)),
        "PR(bin)": Convergence(2.88e-4, 0.08, 3.79e-5, (3.4e-6, 0.01, 9.5e-8)),
        "PR(cont)": Convergence(1.03e-8, 0.10, 1.78e-7, (2.91e-10, 5.7e-3, 1.45e-10)),
    }
)

TRANSLATION_SPEEDUP: Final = MappingProxyType({"EL": 370 / 115, "CE": 281 / 115})
"""How many times fewer iterations PR needed in translation: the factor that chunking is compared with."""
