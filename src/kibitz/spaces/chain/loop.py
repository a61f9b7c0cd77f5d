"""The paper's Algorithm 1 on a chain as one compiled loop."""

from __future__ import annotations

from numba import uint64

from kibitz.spaces.chain.draws import (
    combine,
    draw,
    entropy_of,
    expect,
    group_of,
    norm_of_step,
    same,
    score,
    square_between,
)
from kibitz.spaces.chain.lattice import backward, log_score, sample
from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.rows import fetch, fetch_lines, key_of
from kibitz.spaces.sharing import GOLD, alone, values_of
from kibitz.spaces.step import (
    ALL,
    ASKS,
    COUPLING,
    ENTROPY,
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
from kibitz.spaces.weighing import informed, judged, weigh


@fused
def labels_of(topology, states, n, labels):  # type: ignore[no-untyped-def]
    """The labels of a state sequence."""
    for i in range(uint64(n)):
        labels[i] = topology.label[uint64(states[i])]


@fused
def states_of(topology, labels, offset, n, pairs, states):  # type: ignore[no-untyped-def]
    """The state sequence of a labelling, through a table [label before, label]; False where there is none."""
    before = len(pairs) - 1
    for i in range(n):
        label = labels[offset + i]
        if label < 0 or label >= len(pairs) - 1:
            return False
        state = pairs[before, label]
        if state < 0:
            return False
        if i > 0:
            row = topology.step[states[i - 1]]
            if topology.mask[row * topology.columns + state] == 0.0:
                return False
        elif topology.initial[state] == 0.0:
            return False
        states[i] = state
        before = label
    return topology.final[states[n - 1]] > 0.0


@kernel
def run(  # type: ignore[no-untyped-def]
    weights, x, starts, gold, order, topology, pairs, shape, scratch, signs, hears, tally, ratio, table, rule, params,
    centre, baseline, update, control, random, counters, hear, habits, chance, asking, budget,
):  # fmt: skip
    """Algorithm 1 over the inputs in ``order``; returns how many were used, how many asked about, and the sum heard.

    For each input: draw, hear the loss (or the difference of two), weigh, step. ``counters`` holds updates and
    judgements; the loop ends early where the next ask could take the judgements beyond ``budget``.
    """
    heard = 0.0
    asked = 0
    draws = len(signs)
    cost = 1 if hears == GOLD else values_of(hears, draws)
    c, facts, norms = scratch.coefficients, scratch.facts, scratch.norms
    known = informed(control, hears, signs)
    for i in range(len(order)):
        if counters[JUDGEMENTS] + cost > budget:
            return i, asked, heard
        lo, hi = starts[order[i]], starts[order[i] + 1]
        N = hi - lo - topology.contexts
        log_partition = score(weights, x, lo, hi, topology, shape, scratch)
        if hears == GOLD:
            states_of(topology, gold, lo, N, pairs, scratch.states[0])
            heard -= log_score(scratch.score, topology, 1.0, N, shape, scratch.states[0]) - log_partition
            counters[JUDGEMENTS] += 1
            asked += 1
            c[0] = rule(0.0, 0.0, params)
        else:
            sure = False
            square = 0.0
            if control[ASKS] > ALL:
                sample(topology, N, shape, scratch.plus, random, scratch.states[0])
                sample(topology, N, shape, scratch.plus, random, scratch.states[1])
                sure = same(scratch.states[0], scratch.states[1], N)
                if control[ASKS] == GRADIENT and not sure:
                    square = square_between(x, lo, hi, topology, N, shape, scratch)
            draw(log_partition, topology, N, shape, signs, control[COUPLING], 0, random, scratch)
            if control[ASKS] == GRADIENT and not sure:
                sure = not worth_asking(square, asking, random)
            if i + 2 < len(order):  # by the time their turn comes, the inputs ahead lie in the caches
                fetch(weights.table, x, starts[order[i + 1]], starts[order[i + 1] + 1], topology.columns)
                ahead, end = starts[order[i + 2]], starts[order[i + 2] + 1]
                fetch_lines(x.rows, x.ptr[ahead], x.ptr[end])
                fetch_lines(gold, ahead, end)
            equal = draws > 1
            for d in range(draws):
                group_of(d, N, scratch)
                equal = equal and scratch.group[d] == 0
                labels_of(topology, scratch.states[d], N, scratch.labels)
                scratch.feedback[d] = loss_of(
                    tally, ratio, scratch.labels, gold, lo, N, table, scratch.counts
                )
            heard += scratch.feedback[0]  # the true loss, whatever the rater makes of it
            asked += not sure
            if sure or (equal and control[OTHERS] > 0.0):  # nothing to ask: not shown, not counted
                continue
            counters[JUDGEMENTS] += judged(hears, scratch.group, draws)
            if known:
                backward(topology, N, shape, scratch.plus)
                facts[ENTROPY] = entropy_of(log_partition, topology, N, shape, scratch)
                facts[LENGTH] = N
                if control[NEEDS] >= INPUT:
                    facts[KEY] = key_of(x, lo, hi)
            if control[NEEDS] >= STEP:
                for n in range(values_of(hears, draws)):
                    alone(hears, n, draws, c)
                    norms[n] = norm_of_step(x, lo, hi, topology, N, shape, signs, known, scratch)
            weigh(hears, scratch.group, scratch.feedback, scratch.log_probs, norms, signs, N, facts, rule, params,
                  centre, baseline, control, counters[UPDATES], hear, chance, habits, c)  # fmt: skip
        moved = expect(topology, N, shape, signs, c, known, scratch)
        combine(topology, N, shape, signs, c, scratch.plus.expected, scratch.minus.expected, scratch.states,
                scratch.gradient)  # fmt: skip
        rate = advance(weights, control, counters)
        if moved or len(weights.velocity) > 0:
            update(weights, x, lo, hi, topology.columns, scratch.gradient, rate)
    return len(order), asked, heard


@fused
def loss_of(tally, ratio, output, gold, offset, n, table, counts):  # type: ignore[no-untyped-def]
    """The loss of one output against the gold labels at ``offset``."""
    for i in range(len(counts)):
        counts[i] = 0.0
    tally(output, gold, offset, n, table, counts)
    return ratio(counts)


@kernel
def tally_all(tally, outputs, gold, starts, contexts, table, counts):  # type: ignore[no-untyped-def]
    """What a loss counts in each of many outputs."""
    for i in range(len(starts) - 1):
        lo, hi = starts[i], starts[i + 1] - contexts
        tally(outputs[lo:hi], gold, lo, hi - lo, table, counts[i])
