"""Forward, backward and exact sampling on a chain, in scaled probabilities.

With psi_n(t) = exp(score_n(t)) and step(s, t) = exp(weight of the step), zero where it is forbidden,

    alpha_n(t) = psi_n(t) sum_s alpha_{n-1}(s) step(s, t)         Z = sum_t alpha_N(t)
    beta_n(s)  = sum_t step(s, t) psi_{n+1}(t) beta_{n+1}(t)
    p(y_n = s) = alpha_n(s) beta_n(s) / sum_t alpha_n(t) beta_n(t)

Where a score is above 60 in size, psi is divided by its largest value at each position. A position whose sum gets small
or large is multiplied by 2^200 or 2^-200, an exact operation; scores up to 60 cannot take it out of range in one step.
Where a reachable state falls under 1e-250 all the same, the input is redone in log space.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uint64

from kibitz.spaces.chain import logspace
from kibitz.spaces.chain.exponential import exponential
from kibitz.spaces.chain.topology import width
from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.generator import uniform
from kibitz.spaces.rows import ONE

PLAIN = 60.0
TINY = 1e-250
SMALL = 1e-40
LIFT = 2.0**200
LOG_LIFT = 200 * 0.6931471805599453

Floats = npt.NDArray[np.float64]


class Lattice(NamedTuple):
    """The numbers of one input under one sign; scratch that every input uses again."""

    psi: Floats  # [positions, columns]; log potentials in log space
    step: Floats  # [rows, columns]; log steps in log space
    alpha: Floats  # [positions, columns]; log alphas in log space
    beta: Floats  # [2, columns]
    partial: Floats  # [positions, sources, columns]: running sums over the sources; small models only
    expected: Floats  # [positions + contexts, columns]: the expected count of each column and step
    logs: npt.NDArray[np.int64]  # 1 where this input had to be done in log space


@fused
def potentials(score, topology, sign, n_positions, shape, lattice):  # type: ignore[no-untyped-def]
    """psi and step from the scores; returns the log of what was divided out."""
    K = width(shape, topology.columns)
    psi, step = lattice.psi, lattice.step
    N = uint64(n_positions)
    C = uint64(topology.contexts)
    here = N * K
    large = False
    for i in range(here + C * K):
        value = sign * score[i]
        large |= abs(value) > PLAIN
        psi[i] = value
    divided = 0.0
    if large:
        divided = lower(psi, N, K)
        if C > 0:
            divided += lower(psi[here:], ONE, C * K) * (n_positions - 1)
    for i in range(here + C * K):
        psi[i] = exponential(psi[i])
    for r in range(uint64(len(topology.context))):
        weights = here + uint64(topology.context[r]) * K
        for k in range(K):
            step[r * K + k] = topology.mask[r * K + k] * (psi[weights + k] if C > 0 else 1.0)
    return divided


@kernel
def lower(values, rows, width):  # type: ignore[no-untyped-def]
    """Take from each row its largest value; returns the sum of these."""
    total = 0.0
    for row in range(rows):
        here = row * width
        top = values[here]
        for k in range(ONE, width):
            top = max(top, values[here + k])
        for k in range(width):
            values[here + k] -= top
        total += top
    return total


@fused
def forward(score, topology, sign, n_positions, shape, lattice):  # type: ignore[no-untyped-def]
    """Fill alpha; returns log Z."""
    K = width(shape, topology.columns)
    divided = potentials(score, topology, sign, n_positions, shape, lattice)
    psi, step, alpha, partial = lattice.psi, lattice.step, lattice.alpha, lattice.partial
    lattice.logs[0] = 0
    total = 0.0
    underflow = False
    depth = uint64(len(topology.reachable)) // K
    N = uint64(n_positions)
    for n in range(N):
        here = n * K
        if n == 0:
            for t in range(K):
                alpha[t] = topology.initial[t]
        elif len(shape) > 0:
            for t in range(K):
                mass = alpha[here - K] * step[t]
                partial[here * K + t] = mass
                for s in range(ONE, K):
                    mass += alpha[here - K + s] * step[s * K + t]
                    partial[(here + s) * K + t] = mass
                alpha[here + t] = mass
        else:  # the same sums in the same order, target by target for each source: this is what vectorises
            for t in range(K):
                alpha[here + t] = 0.0
            for s in range(K):
                before = alpha[here - K + s]
                row = uint64(topology.step[s]) * K
                for t in range(uint64(topology.first[s]), uint64(topology.last[s])):
                    alpha[here + t] += before * step[row + t]
        total = 0.0
        smallest = 1.0
        for t in range(K):
            value = alpha[here + t] * psi[here + t]
            alpha[here + t] = value
            total += value
            smallest = min(smallest, value)
        if smallest < TINY:
            for t in range(K):
                if alpha[here + t] < TINY:
                    underflow |= topology.reachable[min(n, depth - ONE) * K + t] > 0.0
        if total < SMALL or total > 1.0 / SMALL:
            lift = LIFT if total < SMALL else 1.0 / LIFT
            divided -= LOG_LIFT if total < SMALL else -LOG_LIFT
            for t in range(K):
                alpha[here + t] *= lift
    if underflow:
        lattice.logs[0] = 1
        return logspace.forward(score, topology, sign, n_positions, lattice)
    total = 0.0
    here = (N - ONE) * K
    for t in range(K):
        alpha[here + t] *= topology.final[t]
        total += alpha[here + t]
    if total < TINY:
        lattice.logs[0] = 1
        return logspace.forward(score, topology, sign, n_positions, lattice)
    return np.log(total) + divided


@fused
def sample(topology, n_positions, shape, lattice, random, states):  # type: ignore[no-untyped-def]
    """Draw states from the last position to the first, each given the one after it: an exact draw."""
    if lattice.logs[0] == 1:
        logspace.sample(topology, n_positions, lattice, random, states)
        return
    K = width(shape, topology.columns)
    step, alpha, beta, partial = lattice.step, lattice.alpha, lattice.beta, lattice.partial
    N = uint64(n_positions)
    after = uint64(0)
    for back in range(N):
        n = N - ONE - back
        if len(shape) > 0 and back > 0:  # forward kept the sums over s of alpha_n(s) step(s, t)
            sums = (n + ONE) * K * K + after
            threshold = uniform(random) * partial[sums + (K - ONE) * K]
            after = uint64(0)
            for s in range(K - ONE):
                after += uint64(threshold >= partial[sums + s * K])
            if threshold >= partial[sums + (K - ONE) * K]:  # only rounding can take it there
                while after > 0 and partial[sums + after * K] == partial[sums + (after - ONE) * K]:
                    after -= ONE
            states[n] = after
            continue
        total = 0.0
        for s in range(K):
            weight = alpha[n * K + s]
            if back > 0:
                possible = topology.first[s] <= after and after < topology.last[s]
                weight *= step[uint64(topology.step[s]) * K + after] if possible else 0.0
            total += weight
            beta[s] = total
        threshold = uniform(random) * total
        after = uint64(0)
        for s in range(K - ONE):
            after += uint64(threshold >= beta[s])
        if threshold >= total:  # only rounding can take it there
            while after > 0 and beta[after] == beta[after - ONE]:
                after -= ONE
        states[n] = after


@fused
def backward(topology, n_positions, shape, lattice):  # type: ignore[no-untyped-def]
    """Fill ``expected`` with the expected counts of columns at positions and of steps."""
    K = width(shape, topology.columns)
    N = uint64(n_positions)
    C = uint64(topology.contexts)
    psi, step, alpha, beta = lattice.psi, lattice.step, lattice.alpha, lattice.beta
    expected, pairs = lattice.expected, lattice.partial
    steps = N * K
    for i in range(C * K):
        expected[steps + i] = 0.0
    if lattice.logs[0] == 1:
        logspace.backward(topology, n_positions, lattice)
        return
    here = steps - K
    total = 0.0
    for t in range(K):
        total += alpha[here + t]  # alpha holds the constraint on the last state already
    for t in range(K):
        expected[here + t] = alpha[here + t] / total
        beta[t] = topology.final[t]
    small = len(shape) > 0
    if small:
        for i in range(K * K):
            pairs[i] = 0.0
    for back in range(N - ONE):
        here = (N - ONE - back) * K
        before = here - K
        for t in range(K):
            beta[K + t] = psi[here + t] * beta[t]
        total = 0.0
        largest = 0.0
        for s in range(K):
            row = (s if small else uint64(topology.step[s])) * K
            first = uint64(0) if small else uint64(topology.first[s])
            last = K if small else uint64(topology.last[s])
            mass = 0.0
            for t in range(first, last):
                mass += step[row + t] * beta[K + t]
            beta[s] = mass
            largest = max(largest, mass)
            total += alpha[before + s] * mass
        inverse = 1.0 / total
        for s in range(K):
            share = alpha[before + s] * inverse
            expected[before + s] = share * beta[s]
            if small:
                for t in range(K):
                    pairs[s * K + t] += share * beta[K + t]
            elif C > 0 and share > 0.0:
                row = uint64(topology.step[s]) * K
                target = steps + uint64(topology.context[uint64(topology.step[s])]) * K
                for t in range(uint64(topology.first[s]), uint64(topology.last[s])):
                    expected[target + t] += share * step[row + t] * beta[K + t]
        if largest < SMALL or largest > 1.0 / SMALL:
            lift = LIFT if largest < SMALL else 1.0 / LIFT
            for s in range(K):
                beta[s] *= lift
    if small and C > 0:
        for s in range(K):
            target = steps + uint64(topology.context[s]) * K
            for t in range(K):
                if step[s * K + t] > 0.0:  # a forbidden pair may have overflowed: its sum means nothing
                    expected[target + t] += step[s * K + t] * pairs[s * K + t]


@fused
def log_score(score, topology, sign, n_positions, shape, states):  # type: ignore[no-untyped-def]
    """sign * w . phi(x, y) of a state sequence."""
    K = width(shape, topology.columns)
    N = uint64(n_positions)
    total = 0.0
    for n in range(N):
        total += score[n * K + uint64(states[n])]
        if n > 0 and topology.contexts > 0:
            context = uint64(topology.context[uint64(topology.step[uint64(states[n - ONE])])])
            total += score[(N + context) * K + uint64(states[n])]
    return sign * total


@fused
def add_counts(topology, n_positions, shape, states, amount, gradient):  # type: ignore[no-untyped-def]
    """gradient += amount * phi(x, y), in the layout of ``expected``."""
    K = width(shape, topology.columns)
    N = uint64(n_positions)
    for n in range(N):
        gradient[n * K + uint64(states[n])] += amount
        if n > 0 and topology.contexts > 0:
            context = uint64(topology.context[uint64(topology.step[uint64(states[n - ONE])])])
            gradient[(N + context) * K + uint64(states[n])] += amount
