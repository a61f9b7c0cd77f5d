"""The compiled iterations on lists of candidates: an ask, a tell, and the paper's Algorithm 1 as one loop of both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.candidates.softmax import (
    best_of,
    normalise,
    propensity,
    sample,
    shares_of,
    subtract_means,
)
from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.rows import gather
from kibitz.spaces.step import JUDGEMENTS, TEMPERATURE, UPDATES, advance, entropy_term

Floats = npt.NDArray[np.float64]


class Scratch(NamedTuple):
    """Room for one list."""

    score: Floats
    plus: Floats  # log p under +w
    minus: Floats
    gradient: Floats
    drawn: npt.NDArray[np.int64]
    log_probs: Floats  # of the texts that were drawn


def allocate(candidates: int) -> Scratch:
    """Scratch for lists of up to so many candidates."""
    score, plus, minus, gradient = (np.zeros(candidates) for _ in range(4))
    return Scratch(score, plus, minus, gradient, np.zeros(2, np.int64), np.zeros(2))


@fused
def draw(weights, x, lo, hi, group, signs, random, scratch):  # type: ignore[no-untyped-def]
    """Sample one candidate for each sign, with the log-propensity of its text."""
    n = hi - lo
    gather(weights, x, lo, hi, 1, scratch.score)
    normalise(scratch.score, n, 1.0, scratch.plus)
    for d in range(len(signs)):
        if signs[d] < 0:
            normalise(scratch.score, n, -1.0, scratch.minus)
        logs = scratch.plus if signs[d] > 0 else scratch.minus
        y = sample(logs, n, random)
        scratch.drawn[d] = y
        scratch.log_probs[d] = propensity(logs, group, lo, n, group[lo + y])


@kernel
def ask(weights, x, lo, hi, group, signs, random, scratch):  # type: ignore[no-untyped-def]
    """Draw; the log-probabilities in the scratch are all that a tell will need."""
    draw(weights, x, lo, hi, group, signs, random, scratch)


@kernel
def combine(signs, c, n, plus, minus, first, second, gradient):  # type: ignore[no-untyped-def]
    """gradient = c (phi(y_1) - E_w[phi]) - c (phi(y_2) - E_{sign_2 w}[phi]), as numbers by candidate."""
    subtract_means(signs, c, n, plus, minus, gradient)
    gradient[first] += c
    if len(signs) == 2:
        gradient[second] -= c


@kernel
def text_shares(logs, group, lo, n, wanted, shares):  # type: ignore[no-untyped-def]
    """What a learner is told of when it is told a text: p(n | text)."""
    shares_of(logs, group, lo, n, wanted, shares)


@kernel
def combine_shares(c, n, logs, shares, gradient):  # type: ignore[no-untyped-def]
    """gradient = c (E[phi | text] - E[phi])."""
    for i in range(n):
        gradient[i] = c * shares[i] - c * np.exp(logs[i])


@kernel
def score_list(weights, x, lo, hi, sign, score, logs):  # type: ignore[no-untyped-def]
    """Fill ``logs`` with log p of every candidate; returns log Z."""
    gather(weights, x, lo, hi, 1, score)
    return normalise(score, hi - lo, sign, logs)


@kernel
def sample_one(logs, n, random):  # type: ignore[no-untyped-def]
    """One draw."""
    return sample(logs, n, random)


@kernel
def best_of_all(weights, x, starts, score, out):  # type: ignore[no-untyped-def]
    """The most probable candidate of every list, counted from the first of the list."""
    for i in range(len(starts) - 1):
        gather(weights, x, starts[i], starts[i + 1], 1, score)
        out[i] = best_of(score, starts[i + 1] - starts[i])


@kernel
def run(  # type: ignore[no-untyped-def]
    weights, x, starts, group, losses, order, scratch, signs, supervised, rule, params, centre, baseline, update,
    control, random, counters, budget,
):  # fmt: skip
    """Algorithm 1 over the lists in ``order``; returns the iterations done and the sum of what was heard.

    For each list: draw, look the loss up (or the difference of two), weigh, step. Full information is the text of
    least loss. The loop ends early where judgements reach ``budget``.
    """
    heard = 0.0
    for t in range(len(order)):
        if counters[JUDGEMENTS] >= budget:
            return t, heard
        lo, hi = starts[order[t]], starts[order[t] + 1]
        n = hi - lo
        if supervised:
            gather(weights, x, lo, hi, 1, scratch.score)
            normalise(scratch.score, n, 1.0, scratch.plus)
            wanted = lo
            for i in range(lo, hi):
                if losses[i] < losses[wanted]:
                    wanted = i
            heard -= propensity(scratch.plus, group, lo, n, group[wanted])
            counters[JUDGEMENTS] += 1
            c = rule(0.0, 0.0, params)
            text_shares(scratch.plus, group, lo, n, group[wanted], scratch.minus)
            combine_shares(c, n, scratch.plus, scratch.minus, scratch.gradient)
        else:
            draw(weights, x, lo, hi, group, signs, random, scratch)
            first, second = scratch.drawn[0], scratch.drawn[1]
            feedback = losses[lo + first]
            heard += feedback
            if len(signs) == 1:
                counters[JUDGEMENTS] += 1
            elif group[lo + first] == group[lo + second]:  # nothing to compare: not shown, not counted
                feedback = 0.0
            else:
                feedback -= losses[lo + second]
                counters[JUDGEMENTS] += 1
            c = rule(feedback, scratch.log_probs[0], params)
            if control[TEMPERATURE] > 0.0:
                c += entropy_term(scratch.log_probs, signs, 1, control, counters[UPDATES])
            c = centre(c, baseline)
            combine(signs, c, n, scratch.plus, scratch.minus, first, second, scratch.gradient)
        rate = advance(weights, control, counters)
        if c != 0.0 or len(weights.velocity) > 0:
            update(weights, x, lo, hi, 1, scratch.gradient, rate)
    return len(order), heard
