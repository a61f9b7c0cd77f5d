"""What is minimised: one file for each objective, each a rule from feedback to a coefficient."""

from kibitz.objectives.objective import Objective
from kibitz.objectives.registry import OBJECTIVES, objective_from

__all__ = ["OBJECTIVES", "Objective", "objective_from"]
