"""The best state sequences, in scores (no probabilities needed, so nothing can underflow).

    best_n(t) = score_n(t) + max_s best_{n-1}(s) + step(s, t)

Kept as a list of the ``k`` best for each state, the same recursion gives the ``k`` best sequences.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from kibitz.spaces.chain.topology import width
from kibitz.spaces.compiled import compiled, fused, kernel
from kibitz.spaces.rows import ONE, gather


@fused
def best(score, topology, sign, n_positions, shape, values, back, states):  # type: ignore[no-untyped-def]
    """Fill ``states`` with the best sequence; ties go to the first column. Returns its score."""
    K = width(shape, topology.columns)
    N = uint64(n_positions)
    C = uint64(topology.contexts)
    for t in range(K):
        values[t] = sign * score[t] if topology.initial[t] > 0.0 else -np.inf
    for n in range(ONE, N):
        here = n * K
        for t in range(K):
            values[here + t] = -np.inf
            back[here + t] = 0
        for s in range(K):
            before = values[here - K + s]
            if before > -np.inf:
                r = uint64(topology.step[s])
                weights = (N + uint64(topology.context[r])) * K
                for t in range(uint64(topology.first[s]), uint64(topology.last[s])):
                    if topology.mask[r * K + t] > 0.0:
                        value = before + (sign * score[weights + t] if C > 0 else 0.0)
                        if value > values[here + t]:
                            values[here + t] = value
                            back[here + t] = s
        for t in range(K):
            values[here + t] += sign * score[here + t]
    here = (N - ONE) * K
    top = -np.inf
    state = uint64(0)
    for t in range(K):
        if topology.final[t] > 0.0 and values[here + t] > top:
            top = values[here + t]
            state = t
    for i in range(N):
        n = N - ONE - i
        states[n] = state
        state = uint64(back[n * K + state])
    return top


@kernel
def best_of(weights, x, lo, hi, topology, shape, scratch, states):  # type: ignore[no-untyped-def]
    """The best sequence of one input."""
    score, values, back = scratch
    gather(weights, x, lo, hi, topology.columns, score)
    best(score, topology, 1.0, hi - lo - topology.contexts, shape, values, back, states)


@kernel
def best_of_all(weights, x, starts, topology, shape, scratch, states):  # type: ignore[no-untyped-def]
    """The best sequence of every input, written one after the other into ``states`` at its position."""
    for i in range(len(starts) - 1):
        lo, hi = starts[i], starts[i + 1]
        best_of(weights, x, lo, hi, topology, shape, scratch, states[lo:hi])


@compiled
def k_best(score, topology, sign, n_positions, k):  # type: ignore[no-untyped-def]
    """The k best sequences, best first: states [found, N] and their scores."""
    K = topology.columns
    N = n_positions
    values = np.full((N, K, k), -np.inf)
    back_state = np.zeros((N, K, k), np.int32)
    back_rank = np.zeros((N, K, k), np.int32)
    for t in range(K):
        if topology.initial[t] > 0.0:
            values[0, t, 0] = sign * score[t]
    for n in range(1, N):
        for s in range(K):
            r = topology.step[s]
            for t in range(topology.first[s], topology.last[s]):
                if topology.mask[r * K + t] == 0.0:
                    continue
                step = 0.0
                if topology.contexts > 0:
                    step = sign * score[(N + topology.context[r]) * K + t]
                for rank in range(k):
                    value = values[n - 1, s, rank] + step
                    if value == -np.inf:
                        break
                    _insert(values[n, t], back_state[n, t], back_rank[n, t], value, s, rank)
        for t in range(K):
            for rank in range(k):
                values[n, t, rank] += sign * score[n * K + t]
    top = np.full(k, -np.inf)
    top_state = np.zeros(k, np.int32)
    top_rank = np.zeros(k, np.int32)
    for t in range(K):
        if topology.final[t] > 0.0:
            for rank in range(k):
                if values[N - 1, t, rank] > -np.inf:
                    _insert(top, top_state, top_rank, values[N - 1, t, rank], t, rank)
    found = 0
    while found < k and top[found] > -np.inf:
        found += 1
    states = np.empty((found, N), np.int32)
    for i in range(found):
        state, rank = top_state[i], top_rank[i]
        for n in range(N - 1, -1, -1):
            states[i, n] = state
            state, rank = back_state[n, state, rank], back_rank[n, state, rank]
    return states, top[:found]


@compiled
def _insert(values, states, ranks, value, state, rank):  # type: ignore[no-untyped-def]
    """Keep the largest values in falling order; equal ones in order of arrival."""
    i = len(values) - 1
    if value <= values[i]:
        return
    while i > 0 and values[i - 1] < value:
        values[i], states[i], ranks[i] = values[i - 1], states[i - 1], ranks[i - 1]
        i -= 1
    values[i], states[i], ranks[i] = value, state, rank
