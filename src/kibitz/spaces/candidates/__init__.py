"""Lists of candidates: n-best lists, and classes."""

from kibitz.spaces.candidates.candidate import Candidate, classes

__all__ = ["Candidate", "classes"]
