"""The lattice again in log space: slower, and right for any finite weights.

The same recursions as in ``lattice``, with sums of probabilities replaced by

    log sum_i exp(v_i) = m + log sum_i exp(v_i - m),   m = max_i v_i

A forbidden step or state is minus infinity, which no weight can lift.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.generator import uniform

ONE = uint64(1)


@fused
def _step(topology, step, s, t):  # type: ignore[no-untyped-def]
    if t < topology.first[s] or t >= topology.last[s]:
        return -np.inf
    return step[uint64(topology.step[s]) * uint64(topology.columns) + t]


@fused
def _sum(values, n):  # type: ignore[no-untyped-def]
    top = -np.inf
    for i in range(n):
        top = max(top, values[i])
    if top == -np.inf:
        return top
    total = 0.0
    for i in range(n):
        total += np.exp(values[i] - top)
    return top + np.log(total)


@kernel
def forward(score, topology, sign, n_positions, lattice):  # type: ignore[no-untyped-def]
    """Fill alpha with log alphas, psi and step with logs; returns log Z."""
    K = uint64(topology.columns)
    N = uint64(n_positions)
    C = uint64(topology.contexts)
    psi, step, alpha, beta = lattice.psi, lattice.step, lattice.alpha, lattice.beta
    for i in range((N + C) * K):
        psi[i] = sign * score[i]
    for r in range(uint64(len(topology.context))):
        weights = (N + uint64(topology.context[r])) * K
        for k in range(K):
            allowed = topology.mask[r * K + k] > 0.0
            step[r * K + k] = (psi[weights + k] if C > 0 else 0.0) if allowed else -np.inf
    for n in range(N):
        here = n * K
        for t in range(K):
            if n == 0:
                mass = 0.0 if topology.initial[t] > 0.0 else -np.inf
            else:
                for s in range(K):
                    beta[s] = alpha[here - K + s] + _step(topology, step, s, t)
                mass = _sum(beta, K)
            if n == N - ONE and topology.final[t] == 0.0:
                mass = -np.inf
            alpha[here + t] = mass + psi[here + t]
    for t in range(K):
        beta[t] = alpha[(N - ONE) * K + t]
    return _sum(beta, K)


@kernel
def sample(topology, n_positions, lattice, random, states):  # type: ignore[no-untyped-def]
    """Draw states from the last position to the first."""
    K = uint64(topology.columns)
    N = uint64(n_positions)
    step, alpha, beta = lattice.step, lattice.alpha, lattice.beta
    after = uint64(0)
    for back in range(N):
        n = N - ONE - back
        for s in range(K):
            beta[s] = alpha[n * K + s]
            if back > 0:
                beta[s] += _step(topology, step, s, after)
        total = _sum(beta, K)
        threshold = uniform(random)
        reached = 0.0
        after = uint64(0)
        for s in range(K):
            share = np.exp(beta[s] - total)
            if share > 0.0:
                after = s
                reached += share
                if threshold < reached:
                    break
        states[n] = after


@kernel
def backward(topology, n_positions, lattice):  # type: ignore[no-untyped-def]
    """Add the expected counts of columns and steps to ``expected``, whose step counts are zero."""
    K = uint64(topology.columns)
    N = uint64(n_positions)
    psi, step, alpha, beta, expected = (
        lattice.psi,
        lattice.step,
        lattice.alpha,
        lattice.beta,
        lattice.expected,
    )
    for t in range(K):
        beta[t] = alpha[(N - ONE) * K + t]
    total = _sum(beta, K)
    for t in range(K):
        expected[(N - ONE) * K + t] = np.exp(beta[t] - total)
        beta[t] = 0.0 if topology.final[t] > 0.0 else -np.inf
    for back in range(N - ONE):
        here = (N - ONE - back) * K
        before = here - K
        for t in range(K):
            beta[K + t] = psi[here + t] + beta[t]
        for s in range(K):
            mass = -np.inf
            for t in range(K):
                value = _step(topology, step, s, t) + beta[K + t]
                if value > mass:
                    mass, value = value, mass
                if value > -np.inf:
                    mass += np.log1p(np.exp(value - mass))
            beta[s] = mass
            expected[before + s] = alpha[before + s] + mass
        # each position by its own total: sums of many scores round, and the rounding must not reach the probabilities
        total = _sum(expected[before : before + K], K)
        for s in range(K):
            expected[before + s] = np.exp(expected[before + s] - total)
            if topology.contexts > 0:
                target = (N + uint64(topology.context[uint64(topology.step[s])])) * K
                for t in range(K):
                    pair = alpha[before + s] + _step(topology, step, s, t) + beta[K + t] - total
                    expected[target + t] += np.exp(pair)
