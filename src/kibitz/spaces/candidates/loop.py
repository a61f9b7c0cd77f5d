"""The compiled iterations on lists of candidates: an ask, a tell, and the paper's Algorithm 1 as one loop of both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.candidates.softmax import (
    best_of,
    entropy_of,
    normalise,
    propensity,
    sample,
    shares_of,
    subtract_means,
)
from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.coupling import ANTITHETIC, TRIES, WITHOUT_REPLACEMENT, begin_one_of_two
from kibitz.spaces.generator import Generator, uniform
from kibitz.spaces.rows import gather, key_of, squared_norm
from kibitz.spaces.sharing import GOLD, alone, most_values, values_of
from kibitz.spaces.step import (
    ALL,
    ASKS,
    COUPLING,
    ENTROPY,
    FACTS,
    GRADIENT,
    INPUT,
    JUDGEMENTS,
    KEY,
    LENGTH,
    NEEDS,
    OTHERS,
    STEP,
    UPDATES,
    advance,
    worth_asking,
)
from kibitz.spaces.weighing import judged, weigh

Floats = npt.NDArray[np.float64]


class Scratch(NamedTuple):
    """Room for one list."""

    score: Floats
    plus: Floats  # log p under +w
    minus: Floats
    gradient: Floats
    drawn: npt.NDArray[np.int64]
    log_probs: Floats  # of the texts that were drawn
    feedback: Floats
    coefficients: Floats
    norms: Floats  # of the unit step of each draw, or pair of draws
    facts: Floats
    same: npt.NDArray[np.int64]  # of each draw: the first that has its text
    stream: npt.NDArray[np.uint64]  # the random numbers of antithetic draws


def allocate(candidates: int, draws: int = 2) -> Scratch:
    """Scratch for lists of up to so many candidates, and so many draws of each."""
    score, plus, minus, gradient = (np.zeros(candidates) for _ in range(4))
    log_probs, feedback, coefficients = (np.zeros(draws) for _ in range(3))
    drawn, same = np.zeros(draws, np.int64), np.zeros(draws, np.int64)
    return Scratch(
        score, plus, minus, gradient, drawn, log_probs, feedback, coefficients, np.zeros(most_values(draws)),
        np.zeros(FACTS), same, Generator().state,
    )  # fmt: skip


@fused
def draw(lo, n, group, signs, coupling, free, random, scratch):  # type: ignore[no-untyped-def]
    """Sample one candidate of a scored list for each sign, with the log-propensity of its text.

    The first ``free`` of them do not hang together with any.
    """
    source, key = random, np.uint64(0)
    for d in range(len(signs)):
        if coupling == ANTITHETIC and d >= free:
            source = scratch.stream
            key = begin_one_of_two(d - free, key, random, source)
        if signs[d] < 0:
            normalise(scratch.score, n, -1.0, scratch.minus)
        logs = scratch.plus if signs[d] > 0 else scratch.minus
        scratch.drawn[d] = sample(logs, n, source)
        if coupling == WITHOUT_REPLACEMENT and d == free + 1:
            _draw_apart(lo, n, group, random, scratch.drawn[free:], scratch)
    for d in range(len(signs)):
        logs = scratch.plus if signs[d] > 0 else scratch.minus
        scratch.log_probs[d] = propensity(logs, group, lo, n, group[lo + scratch.drawn[d]])


@fused
def _draw_apart(lo, n, group, random, drawn, scratch):  # type: ignore[no-untyped-def]
    """Draw the second of two again while it has the text of the first; then put them in an order at random."""
    tries = 1
    while tries < TRIES and group[lo + drawn[1]] == group[lo + drawn[0]]:
        drawn[1] = sample(scratch.plus, n, random)
        tries += 1
    if uniform(random) < 0.5:
        drawn[0], drawn[1] = drawn[1], drawn[0]


@fused
def same_as(d, lo, group, scratch):  # type: ignore[no-untyped-def]
    """The first draw that has the text of draw ``d``, into ``same``."""
    scratch.same[d] = d
    for e in range(d):
        if group[lo + scratch.drawn[e]] == group[lo + scratch.drawn[d]]:
            scratch.same[d] = scratch.same[e]
            return


@kernel
def ask(weights, x, lo, hi, group, signs, coupling, free, random, scratch):  # type: ignore[no-untyped-def]
    """Draw; the log-probabilities in the scratch are all that a tell will need. Returns the entropy."""
    score_list(weights, x, lo, hi, 1.0, scratch.score, scratch.plus)
    draw(lo, hi - lo, group, signs, coupling, free, random, scratch)
    return entropy_of(scratch.plus, hi - lo)


@kernel
def combine(signs, coefficients, n, plus, minus, drawn, gradient):  # type: ignore[no-untyped-def]
    """gradient = sum_d c_d (phi(y_d) - E_{sign_d w}[phi]), as numbers by candidate."""
    subtract_means(signs, coefficients, n, plus, minus, gradient)
    for d in range(len(signs)):
        gradient[drawn[d]] += coefficients[d]


@fused
def square_between(x, lo, n, one, other, gradient):  # type: ignore[no-untyped-def]
    """|phi(a) - phi(b)|^2 of two candidates."""
    for i in range(n):
        gradient[i] = 0.0
    gradient[one] += 1.0
    gradient[other] -= 1.0
    return squared_norm(x, lo, lo + n, 1, gradient)


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
    weights, x, starts, group, losses, order, scratch, signs, hears, rule, params, centre, baseline, update, control,
    random, counters, hear, chance, habits, asking, budget,
):  # fmt: skip
    """Algorithm 1 over the lists in ``order``; returns how many were used, how many asked about, and the sum heard.

    For each list: draw, look the loss up (or the difference of two), weigh, step. Full information is the text of
    least loss. The loop ends early where the next ask could take the judgements beyond ``budget``.
    """
    heard, asked, draws = 0.0, 0, len(signs)
    cost = 1 if hears == GOLD else values_of(hears, draws)
    c, facts, drawn = scratch.coefficients, scratch.facts, scratch.drawn
    for t in range(len(order)):
        if counters[JUDGEMENTS] + cost > budget:
            return t, asked, heard
        lo, hi = starts[order[t]], starts[order[t] + 1]
        n = hi - lo
        score_list(weights, x, lo, hi, 1.0, scratch.score, scratch.plus)
        if hears == GOLD:
            wanted = lo
            for i in range(lo, hi):
                if losses[i] < losses[wanted]:
                    wanted = i
            heard -= propensity(scratch.plus, group, lo, n, group[wanted])
            counters[JUDGEMENTS] += 1
            asked += 1
            c[0] = rule(0.0, 0.0, params)
            text_shares(scratch.plus, group, lo, n, group[wanted], scratch.minus)
            combine_shares(c[0], n, scratch.plus, scratch.minus, scratch.gradient)
            moved = c[0] != 0.0
        else:
            sure, square = False, 0.0
            if control[ASKS] > ALL:
                one, other = sample(scratch.plus, n, random), sample(scratch.plus, n, random)
                sure = group[lo + one] == group[lo + other]
                if control[ASKS] == GRADIENT and not sure:
                    square = square_between(x, lo, n, one, other, scratch.gradient)
            draw(lo, n, group, signs, control[COUPLING], 0, random, scratch)
            if control[ASKS] == GRADIENT and not sure:
                sure = not worth_asking(square, asking, random)
            equal = draws > 1
            for d in range(draws):
                same_as(d, lo, group, scratch)
                equal = equal and scratch.same[d] == 0
                scratch.feedback[d] = losses[lo + drawn[d]]
            heard += scratch.feedback[0]  # the true loss, whatever the rater makes of it
            asked += not sure
            if sure or (equal and control[OTHERS] > 0.0):  # nothing to ask: not shown, not counted
                continue
            counters[JUDGEMENTS] += judged(hears, scratch.same, draws)
            facts[ENTROPY], facts[LENGTH] = entropy_of(scratch.plus, n), 1.0
            if control[NEEDS] >= INPUT:
                facts[KEY] = key_of(x, lo, hi)
            if control[NEEDS] >= STEP:
                for i in range(values_of(hears, draws)):
                    alone(hears, i, draws, c)
                    combine(signs, c, n, scratch.plus, scratch.minus, drawn, scratch.gradient)
                    scratch.norms[i] = squared_norm(x, lo, hi, 1, scratch.gradient)
            weigh(hears, scratch.same, scratch.feedback, scratch.log_probs, scratch.norms, signs, 1, facts, rule,
                  params, centre, baseline, control, counters[UPDATES], hear, chance, habits, c)  # fmt: skip
            combine(signs, c, n, scratch.plus, scratch.minus, drawn, scratch.gradient)
            moved = False
            for d in range(draws):
                moved = moved or c[d] != 0.0
        rate = advance(weights, control, counters)
        if moved or len(weights.velocity) > 0:
            update(weights, x, lo, hi, 1, scratch.gradient, rate)
    return len(order), asked, heard
