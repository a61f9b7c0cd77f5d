"""Kibitz learns to predict structures from partial feedback.

It shows one output, or two, and hears how good it was or which is better; never the right answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from kibitz.errors import InputError, KibitzError
    from kibitz.feedback import ChunkF1, GivenLoss, Hamming, SentenceBLEU, ZeroOne
    from kibitz.learning.checkpoint import load
    from kibitz.learning.learner import Learner
    from kibitz.learning.memory import Replay
    from kibitz.learning.optimizers import SGD, AdaGrad, Adam, Normalized
    from kibitz.learning.simulation import simulate
    from kibitz.objectives import Objective, objective_from
    from kibitz.spaces.candidates import Candidate, Candidates
    from kibitz.spaces.chain import Chain
    from kibitz.spaces.generator import Generator
    from kibitz.spaces.hypergraph import Forest, ForestBuilder, Hypergraph

_HOMES = {
    "AdaGrad": "kibitz.learning.optimizers",
    "Adam": "kibitz.learning.optimizers",
    "Candidate": "kibitz.spaces.candidates",
    "Candidates": "kibitz.spaces.candidates",
    "Chain": "kibitz.spaces.chain",
    "ChunkF1": "kibitz.feedback",
    "Forest": "kibitz.spaces.hypergraph",
    "ForestBuilder": "kibitz.spaces.hypergraph",
    "Generator": "kibitz.spaces.generator",
    "GivenLoss": "kibitz.feedback",
    "Hamming": "kibitz.feedback",
    "Hypergraph": "kibitz.spaces.hypergraph",
    "InputError": "kibitz.errors",
    "KibitzError": "kibitz.errors",
    "Learner": "kibitz.learning.learner",
    "Normalized": "kibitz.learning.optimizers",
    "Objective": "kibitz.objectives",
    "Replay": "kibitz.learning.memory",
    "SGD": "kibitz.learning.optimizers",
    "SentenceBLEU": "kibitz.feedback",
    "ZeroOne": "kibitz.feedback",
    "objective_from": "kibitz.objectives",
    "load": "kibitz.learning.checkpoint",
    "simulate": "kibitz.learning.simulation",
}

__all__ = [
    "SGD",
    "AdaGrad",
    "Adam",
    "Candidate",
    "Candidates",
    "Chain",
    "ChunkF1",
    "Forest",
    "ForestBuilder",
    "Generator",
    "GivenLoss",
    "Hamming",
    "Hypergraph",
    "InputError",
    "KibitzError",
    "Learner",
    "Normalized",
    "Objective",
    "Replay",
    "SentenceBLEU",
    "ZeroOne",
    "__version__",
    "load",
    "objective_from",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Find public names at first use, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
