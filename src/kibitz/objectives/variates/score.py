"""The score function as a control variate, with a coefficient for every weight (Kreutzer, Sokolov and Riezler, 2017).

With s the step and psi the same step if every value that was heard were 1, E[psi] = 0, and the variance of
s_i - b_i psi_i is least at

    b_i = Cov(s_i, psi_i) / Var(psi_i) = E[s_i psi_i] / E[psi_i^2],

both means over earlier steps. For one draw psi = phi(y) - E[phi], the gradient of log p(y); a single b for all weights
is the baseline ``optimal``. Where each draw is held against the others, psi is 0 and nothing is left to take away.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.objectives.variates.variate import Foreseen, Variate
from kibitz.spaces.vectors import Gradient, SparseVector, aligned


class Score(Variate):
    """``state`` has the sums of s_i psi_i and of psi_i^2 for every weight that was met, side by side."""

    def corrected(self, step: Gradient, unit: Callable[[], Gradient], foreseen: Foreseen | None) -> Gradient:
        index, s, psi = aligned(step.vector(), unit().vector())
        if len(index) and 2 * int(index[-1]) + 2 > len(self.state):
            more = 2 * int(index[-1]) + 2 + len(self.state) // 2 - len(self.state)
            self.state = np.append(self.state, np.zeros(more))
        both, squares = self.state[2 * index], self.state[2 * index + 1]
        b = np.divide(both, squares, out=np.zeros(len(index)), where=squares > 0.0)
        self.state[2 * index] += s * psi
        self.state[2 * index + 1] += psi * psi
        return Gradient.of(SparseVector(index, s - b * psi))
