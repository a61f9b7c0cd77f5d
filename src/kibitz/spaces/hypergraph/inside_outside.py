"""Sums over all derivations: bottom up the partition function, top down the expected counts.

With s(e) the score of edge e, the score of a derivation is the sum of s over its edges, and

    inside(v) = log sum_{e into v} exp( s(e) + sum_{t in tails(e)} inside(t) )          log Z = inside(root)

What a derivation does below a node does not depend on what it does elsewhere, so a derivation is drawn by one choice at
each node that it reaches, from the shares

    share(e) = exp( s(e) + sum_t inside(t) - inside(v) ),        sum_{e into v} share(e) = 1,

and log p(d) is the sum of log share(e) over its edges. The same shares carry expected counts downwards:

    count(root) = 1        count(e) = count(v) share(e)        count(t) = sum of count(e) over the places of tail t

where count(v) is exp(inside(v) + outside(v) - log Z) of the textbooks. Nothing here subtracts large numbers that are
nearly equal, however large the scores.
"""

from __future__ import annotations

import numpy as np

from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.rows import gather


@kernel
def scores(weights, places, features, sign, own, score):  # type: ignore[no-untyped-def]
    """score(e) = sign w . phi(e); ``own`` is filled with the weights of the forest's features."""
    gather(weights, places, 0, len(own), 1, own)
    for e in range(len(score)):
        total = 0.0
        for i in range(features.ptr[e], features.ptr[e + 1]):
            total += features.values[i] * own[features.rows[i]]
        score[e] = sign * total


@kernel
def totals(features, count, total):  # type: ignore[no-untyped-def]
    """total(f) = sum_e count(e) phi_f(e)."""
    for f in range(len(total)):
        total[f] = 0.0
    for e in range(len(count)):
        if count[e] != 0.0:
            for i in range(features.ptr[e], features.ptr[e + 1]):
                total[features.rows[i]] += count[e] * features.values[i]


@kernel
def inside(graph, score, inner, log_share, share):  # type: ignore[no-untyped-def]
    """Fill inside(v), log share(e) and share(e); returns log Z. ``log_share`` may be the array of the scores."""
    for v in range(len(graph.first) - 1):
        low, high = graph.first[v], graph.first[v + 1]
        top = -np.inf
        for e in range(low, high):
            value = score[e]
            for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
                value += inner[graph.tails[i]]
            log_share[e] = value
            top = max(top, value)
        total = 0.0
        for e in range(low, high):
            log_share[e] -= top
            share[e] = np.exp(log_share[e])
            total += share[e]
        log_total = np.log(total)
        for e in range(low, high):
            log_share[e] -= log_total
            share[e] /= total
        inner[v] = top + log_total
    return inner[len(graph.first) - 2]


@kernel
def outside(graph, share, outer, count):  # type: ignore[no-untyped-def]
    """Fill count(v) and count(e)."""
    N = len(graph.first) - 1
    for v in range(N):
        outer[v] = 0.0
    outer[N - 1] = 1.0
    for v in range(N - 1, -1, -1):
        for e in range(graph.first[v], graph.first[v + 1]):
            count[e] = outer[v] * share[e]
            for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
                outer[graph.tails[i]] += count[e]


@kernel
def entropy(log_share, count):  # type: ignore[no-untyped-def]
    """H = -sum_e count(e) log share(e): the entropies of the choices, none of them below zero."""
    total = 0.0
    for e in range(len(count)):
        if count[e] > 0.0:
            total -= count[e] * log_share[e]
    return total


@kernel
def expected_cost(graph, share, outer, cost, mean, slope):  # type: ignore[no-untyped-def]
    """E[cost] for a cost c(e) of each edge; fills ``slope`` with its gradient in the scores.

    mean(v) is the mean cost of what is below v, and gain(e) how much choosing e at v adds to it:

        mean(v) = sum_{e into v} share(e) (c(e) + sum_t mean(t))        gain(e) = c(e) + sum_t mean(t) - mean(v)

    The gradient is the covariance of the edge's count with the cost. It flows down as the counts do: with over(v) the
    sum, over the places of v, of what was gained above it,

        slope(e) = share(e) (over(v) + count(v) gain(e))        over(t) = sum of slope(e) over the places of tail t
    """
    N = len(graph.first) - 1
    for v in range(N):
        mean[v] = 0.0
        for e in range(graph.first[v], graph.first[v + 1]):
            mean[v] += share[e] * _cost_below(graph, e, cost, mean)
    over = mean[N:]
    for v in range(N):
        over[v] = 0.0
    for v in range(N - 1, -1, -1):
        for e in range(graph.first[v], graph.first[v + 1]):
            gain = _cost_below(graph, e, cost, mean) - mean[v]
            slope[e] = share[e] * (over[v] + outer[v] * gain)
            for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
                over[graph.tails[i]] += slope[e]
    return mean[N - 1]


@fused
def _cost_below(graph, e, cost, mean):  # type: ignore[no-untyped-def]
    value = cost[e]
    for i in range(graph.tail_ptr[e], graph.tail_ptr[e + 1]):
        value += mean[graph.tails[i]]
    return value
