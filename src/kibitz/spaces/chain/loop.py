"""The compiled iterations of a chain: an ask, a tell, and the paper's Algorithm 1 as one loop of both."""

from __future__ import annotations

from numba import uint64

from kibitz.spaces.chain.lattice import add_counts, backward, forward, log_score, sample
from kibitz.spaces.chain.topology import width
from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.rows import fetch, fetch_lines, gather
from kibitz.spaces.step import JUDGEMENTS, TEMPERATURE, UPDATES, advance, entropy_term


@fused
def draw(weights, x, lo, hi, topology, shape, signs, random, scratch):  # type: ignore[no-untyped-def]
    """Sample one state sequence for each sign into ``first`` and ``second``, their log-probabilities beside them."""
    N = hi - lo - topology.contexts
    gather(weights, x, lo, hi, topology.columns, scratch.score)
    log_partition = forward(scratch.score, topology, 1.0, N, shape, scratch.plus)
    for d in range(len(signs)):
        states = scratch.first if d == 0 else scratch.second
        if signs[d] > 0:
            sample(topology, N, shape, scratch.plus, random, states)
            own = log_partition
        else:
            own = forward(scratch.score, topology, -1.0, N, shape, scratch.minus)
            sample(topology, N, shape, scratch.minus, random, states)
        scratch.log_probs[d] = log_score(scratch.score, topology, float(signs[d]), N, shape, states) - own


@fused
def expect(topology, n_positions, shape, signs, scratch):  # type: ignore[no-untyped-def]
    """Fill the expected counts that a step needs; those of two draws from the same model cancel."""
    if len(signs) == 1 or signs[1] < 0:
        backward(topology, n_positions, shape, scratch.plus)
        if len(signs) == 2:
            backward(topology, n_positions, shape, scratch.minus)


@kernel
def ask(weights, x, lo, hi, topology, shape, signs, random, scratch):  # type: ignore[no-untyped-def]
    """Draw, and compute what a tell will need, while the weights are those of the draw."""
    draw(weights, x, lo, hi, topology, shape, signs, random, scratch)
    N = hi - lo - topology.contexts
    backward(topology, N, shape, scratch.plus)
    if len(signs) == 2 and signs[1] < 0:
        backward(topology, N, shape, scratch.minus)


@fused
def combine(topology, n_positions, shape, signs, c, plus, minus, first, second, gradient):  # type: ignore[no-untyped-def]
    """gradient = c (phi(y_1) - E_w[phi]) - c (phi(y_2) - E_{sign_2 w}[phi])."""
    K = width(shape, topology.columns)
    N = uint64(n_positions)
    size = (N + uint64(topology.contexts)) * K
    if c == 0.0:
        for i in range(size):
            gradient[i] = 0.0
        return
    contrast = len(signs) == 2 and signs[1] < 0
    if len(signs) == 2 and signs[1] > 0:
        for i in range(size):
            gradient[i] = 0.0
    elif contrast:
        for i in range(size):
            gradient[i] = c * minus[i] - c * plus[i]
    else:
        for i in range(size):
            gradient[i] = -c * plus[i]
    add_counts(topology, n_positions, shape, first, c, gradient)
    if len(signs) == 2:
        add_counts(topology, n_positions, shape, second, -c, gradient)


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
    weights, x, starts, gold, order, topology, pairs, shape, scratch, signs, supervised, tally, ratio, table,
    rule, params, centre, baseline, update, control, random, counters, budget,
):  # fmt: skip
    """Algorithm 1 over the inputs in ``order``; returns the iterations done and the sum of what was heard.

    For each input: draw, hear the loss (or the difference of two), weigh, step. ``counters`` holds updates and
    judgements; the loop ends early where judgements reach ``budget``.
    """
    heard = 0.0
    for i in range(len(order)):
        if counters[JUDGEMENTS] >= budget:
            return i, heard
        lo, hi = starts[order[i]], starts[order[i] + 1]
        N = hi - lo - topology.contexts
        if supervised:
            gather(weights, x, lo, hi, topology.columns, scratch.score)
            own = forward(scratch.score, topology, 1.0, N, shape, scratch.plus)
            states_of(topology, gold, lo, N, pairs, scratch.first)
            scratch.log_probs[0] = log_score(scratch.score, topology, 1.0, N, shape, scratch.first) - own
            feedback = 0.0
            heard -= scratch.log_probs[0]
            counters[JUDGEMENTS] += 1
        else:
            draw(weights, x, lo, hi, topology, shape, signs, random, scratch)
            if i + 2 < len(order):  # by the time their turn comes, the inputs ahead lie in the caches
                fetch(weights.table, x, starts[order[i + 1]], starts[order[i + 1] + 1], topology.columns)
                ahead, end = starts[order[i + 2]], starts[order[i + 2] + 1]
                fetch_lines(x.rows, x.ptr[ahead], x.ptr[end])
                fetch_lines(gold, ahead, end)
            labels_of(topology, scratch.first, N, scratch.labels)
            feedback = loss_of(tally, ratio, scratch.labels, gold, lo, N, table, scratch.counts)
            heard += feedback
            if len(signs) == 2:
                labels_of(topology, scratch.second, N, scratch.others)
                if same(scratch.labels, scratch.others, N):  # nothing to compare: not shown, not counted
                    feedback = 0.0
                else:
                    feedback -= loss_of(tally, ratio, scratch.others, gold, lo, N, table, scratch.counts)
                    counters[JUDGEMENTS] += 1
            else:
                counters[JUDGEMENTS] += 1
        if supervised:
            c = rule(0.0, 0.0, params)
        else:
            c = rule(feedback, scratch.log_probs[0], params)
            if control[TEMPERATURE] > 0.0:
                c += entropy_term(scratch.log_probs, signs, N, control, counters[UPDATES])
            c = centre(c, baseline)
        if c != 0.0:
            expect(topology, N, shape, signs, scratch)
        combine(topology, N, shape, signs, c, scratch.plus.expected, scratch.minus.expected,
                scratch.first, scratch.second, scratch.gradient)  # fmt: skip
        rate = advance(weights, control, counters)
        if c != 0.0 or len(weights.velocity) > 0:
            update(weights, x, lo, hi, topology.columns, scratch.gradient, rate)
    return len(order), heard


@fused
def loss_of(tally, ratio, output, gold, offset, n, table, counts):  # type: ignore[no-untyped-def]
    """The loss of one output against the gold labels at ``offset``."""
    for i in range(len(counts)):
        counts[i] = 0.0
    tally(output, gold, offset, n, table, counts)
    return ratio(counts)


@fused
def same(a, b, n):  # type: ignore[no-untyped-def]
    """Whether two label sequences are equal."""
    different = 0
    for i in range(n):
        different += a[i] != b[i]
    return different == 0


@kernel
def tally_all(tally, outputs, gold, starts, contexts, table, counts):  # type: ignore[no-untyped-def]
    """What a loss counts in each of many outputs."""
    for i in range(len(starts) - 1):
        lo, hi = starts[i], starts[i + 1] - contexts
        tally(outputs[lo:hi], gold, lo, hi - lo, table, counts[i])
