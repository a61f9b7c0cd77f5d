"""Lists of candidates: n-best lists, and classes."""

from kibitz.spaces.candidates.candidate import Candidate, classes
from kibitz.spaces.candidates.candidates import Candidates
from kibitz.spaces.candidates.corpus import ListInput, Lists

__all__ = ["Candidate", "Candidates", "ListInput", "Lists", "classes"]
