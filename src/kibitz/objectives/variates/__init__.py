"""Control variates: what is known of a step in the mean, taken from the step that was drawn.

    s  <-  s - v + E[v]

leaves the mean of the step as it is, whatever v, as long as v is made of the present draw and of earlier ones alone;
and takes away the noise that v shares with s. A baseline is the case v = b psi, psi = phi(y) - E[phi], whose mean is 0,
with the same number b for all weights. Here v is a vector of its own, so these run by ask and tell, not in compiled
loops.
"""

from __future__ import annotations

from kibitz.errors import InputError
from kibitz.objectives.variates.parts import Parts
from kibitz.objectives.variates.score import Score
from kibitz.objectives.variates.variate import Foreseen, Variate

__all__ = ["VARIATES", "Foreseen", "Variate", "variate_from"]

VARIATES: dict[str, type[Variate]] = {"none": Variate, "score": Score, "parts": Parts}


def variate_from(name: str) -> Variate:
    """A new control variate of that name."""
    if name not in VARIATES:
        raise InputError(f"no control variate is called {name!r}: choose one of {', '.join(VARIATES)}")
    return VARIATES[name]()
