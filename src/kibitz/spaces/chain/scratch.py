"""The memory that the compiled loops of a chain use again for every input."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.chain.lattice import Lattice
from kibitz.spaces.chain.topology import SPECIALISED_UP_TO, Topology
from kibitz.spaces.generator import Generator
from kibitz.spaces.sharing import most_values
from kibitz.spaces.step import FACTS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """Room for one input of up to ``positions`` positions."""

    score: Floats
    plus: Lattice
    minus: Lattice
    states: npt.NDArray[np.int32]  # [draws, positions]: the states of each draw
    back: Ints  # back pointers of the best path
    labels: Ints  # the labels of a draw
    gradient: Floats
    counts: Floats
    feedback: Floats  # of each draw
    log_probs: Floats
    coefficients: Floats
    norms: Floats  # of the unit step of each draw, or pair of draws
    facts: Floats
    group: npt.NDArray[np.int64]  # of each draw: the first that is equal to it
    stream: npt.NDArray[np.uint64]  # the random numbers of antithetic draws


def allocate(topology: Topology, positions: int, draws: int = 2) -> Scratch:
    """Scratch for inputs of up to ``positions`` positions, transition rows included, and so many draws of each."""
    n = positions * topology.columns
    return Scratch(
        score=np.zeros(n),
        plus=_lattice(topology, n),
        minus=_lattice(topology, n),
        states=np.zeros((draws, positions), np.int32),
        back=np.zeros(n, np.int32),
        labels=np.zeros(positions, np.int32),
        gradient=np.zeros(n),
        counts=np.zeros(4),
        feedback=np.zeros(draws),
        log_probs=np.zeros(draws),
        coefficients=np.zeros(draws),
        norms=np.zeros(most_values(draws)),
        facts=np.zeros(FACTS),
        group=np.zeros(draws, np.int64),
        stream=Generator().state,
    )


def _lattice(topology: Topology, n: int) -> Lattice:
    return Lattice(
        psi=np.zeros(n),
        step=np.zeros(len(topology.mask)),
        alpha=np.zeros(n),
        beta=np.zeros(2 * topology.columns),
        partial=np.zeros(n * topology.columns if topology.columns <= SPECIALISED_UP_TO else 0),
        expected=np.zeros(n),
        logs=np.zeros(1, np.int64),
    )
