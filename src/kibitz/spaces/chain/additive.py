"""Expected values of losses that add over positions, and their exact gradient.

For cost(y) = sum_n c_n(y_n), the gradient of E[cost] in the score of a part is the covariance of the part and the cost,

    d E[cost] / d score(part) = E[1(part) cost] - E[1(part)] E[cost],

and E[1(y_n = t) cost] = p(y_n = t) (F_n(t) + B_n(t)), with F the expected cost up to position n given y_n = t and B the
expected cost after it, each by one more pass over the lattice. Everything is done in log space: exactness before speed.
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import compiled


@compiled
def expected_cost(score, topology, sign, n_positions, alpha, expected, costs, gradient):  # type: ignore[no-untyped-def]
    """Fill ``gradient`` (layout of ``expected``) and return E[cost]; alpha in log space, costs [N, labels]."""
    K, N = topology.columns, n_positions
    before = np.zeros((N, K))
    after = np.zeros((N, K))
    for n in range(N):
        for t in range(K):
            before[n, t] = costs[n, topology.label[t]]
            if n > 0:
                weights = np.full(K, -np.inf)
                for s in range(K):
                    weights[s] = alpha[(n - 1) * K + s] + _weight(score, topology, sign, N, s, t)
                before[n, t] += _mean(weights, before[n - 1])
    future = np.zeros(K)  # log beta of position n + 1, plus its potential
    for t in range(K):
        future[t] = sign * score[(N - 1) * K + t] if topology.final[t] > 0.0 else -np.inf
    for n in range(N - 2, -1, -1):
        now = np.full(K, -np.inf)
        for s in range(K):
            weights = np.full(K, -np.inf)
            for t in range(K):
                weights[t] = _weight(score, topology, sign, N, s, t) + future[t]
            gains = after[n + 1] + _costs_of(costs, topology, n + 1)
            after[n, s] = _mean(weights, gains)
            top = weights.max()
            if top > -np.inf:
                now[s] = top + np.log(np.exp(weights - top).sum()) + sign * score[n * K + s]
        future = now
    value = 0.0
    for t in range(K):
        value += expected[(N - 1) * K + t] * before[N - 1, t]
    for n in range(N):
        for t in range(K):
            gradient[n * K + t] = expected[n * K + t] * (before[n, t] + after[n, t] - value)
    for i in range(topology.contexts * K):
        gradient[N * K + i] = 0.0
    if topology.contexts > 0:
        _step_gradient(score, topology, sign, N, alpha, expected, costs, before, after, value, gradient)
    for i in range((N + topology.contexts) * K):
        gradient[i] *= sign
    return value


@compiled
def entropy(score, topology, sign, n_positions, alpha, expected):  # type: ignore[no-untyped-def]
    """H(y) = H(y_N) + sum_n sum_t p(y_n = t) H(y_{n-1} | y_n = t): sums of small numbers, so nothing cancels."""
    K, N = topology.columns, n_positions
    total = 0.0
    for t in range(K):
        p = expected[(N - 1) * K + t]
        if p > 0.0:
            total -= p * np.log(p)
    weights = np.empty(K)
    for n in range(1, N):
        for t in range(K):
            if expected[n * K + t] > 0.0:
                for s in range(K):
                    weights[s] = alpha[(n - 1) * K + s] + _weight(score, topology, sign, N, s, t)
                top = weights.max()
                mass, mean = 0.0, 0.0
                for s in range(K):
                    if weights[s] > -np.inf:
                        share = np.exp(weights[s] - top)
                        mass += share
                        mean += share * (weights[s] - top)
                total += expected[n * K + t] * (np.log(mass) - mean / mass)
    return total


@compiled
def _step_gradient(score, topology, sign, N, alpha, expected, costs, before, after, value, gradient):  # type: ignore[no-untyped-def]
    K = topology.columns
    for n in range(1, N):
        for t in range(K):
            # p(s, t) = p(t) p(s | t): the share of s among the ways into t
            weights = np.full(K, -np.inf)
            for s in range(K):
                weights[s] = alpha[(n - 1) * K + s] + _weight(score, topology, sign, N, s, t)
            top = weights.max()
            if top == -np.inf:
                continue
            shares = np.exp(weights - top)
            shares /= shares.sum()
            for s in range(K):
                both = expected[n * K + t] * shares[s]
                cost = before[n - 1, s] + costs[n, topology.label[t]] + after[n, t]
                row = N + topology.context[topology.step[s]]
                gradient[row * K + t] += both * (cost - value)


@compiled
def _weight(score, topology, sign, N, s, t):  # type: ignore[no-untyped-def]
    row = topology.step[s]
    if t < topology.first[s] or t >= topology.last[s] or topology.mask[row * topology.columns + t] == 0.0:
        return -np.inf
    if topology.contexts == 0:
        return 0.0
    return sign * score[(N + topology.context[row]) * topology.columns + t]


@compiled
def _costs_of(costs, topology, n):  # type: ignore[no-untyped-def]
    out = np.empty(topology.columns)
    for t in range(topology.columns):
        out[t] = costs[n, topology.label[t]]
    return out


@compiled
def _mean(log_weights, values):  # type: ignore[no-untyped-def]
    top = log_weights.max()
    if top == -np.inf:
        return 0.0
    shares = np.exp(log_weights - top)
    return (shares * values).sum() / shares.sum()
