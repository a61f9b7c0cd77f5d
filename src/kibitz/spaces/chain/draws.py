"""The parts of one iteration of a chain: draws of an input, what is known of it, and the gradient of a step."""

from __future__ import annotations

from numba import uint64

from kibitz.spaces.chain.lattice import add_counts, backward, forward, log_score, sample
from kibitz.spaces.chain.topology import width
from kibitz.spaces.compiled import fused, kernel
from kibitz.spaces.coupling import ANTITHETIC, TRIES, WITHOUT_REPLACEMENT, begin_one_of_two
from kibitz.spaces.generator import uniform
from kibitz.spaces.rows import gather, squared_norm
from kibitz.spaces.weighing import totals


@fused
def score(weights, x, lo, hi, topology, shape, scratch):  # type: ignore[no-untyped-def]
    """The scores of an input and their forward pass; returns log Z."""
    gather(weights, x, lo, hi, topology.columns, scratch.score)
    return forward(scratch.score, topology, 1.0, hi - lo - topology.contexts, shape, scratch.plus)


@fused
def draw(  # type: ignore[no-untyped-def]
    log_partition, topology, n_positions, shape, signs, coupling, free, random, scratch
):  # fmt: skip
    """Sample one state sequence for each sign into ``states``, their log-probabilities beside them.

    The first ``free`` of them do not hang together with any.
    """
    source, key, log_partition_below = random, uint64(0), 0.0
    for d in range(len(signs)):
        states = scratch.states[d]
        if coupling == ANTITHETIC and d >= free:
            source = scratch.stream
            key = begin_one_of_two(d - free, key, random, source)
        if signs[d] > 0:
            sample(topology, n_positions, shape, scratch.plus, source, states)
        else:
            log_partition_below = forward(scratch.score, topology, -1.0, n_positions, shape, scratch.minus)
            sample(topology, n_positions, shape, scratch.minus, source, states)
        if coupling == WITHOUT_REPLACEMENT and d == free + 1:
            _draw_apart(topology, n_positions, shape, random, scratch.states[free], states, scratch)
    likelihoods(log_partition, log_partition_below, topology, n_positions, shape, signs, scratch)


@fused
def likelihoods(log_partition, log_partition_below, topology, n_positions, shape, signs, scratch):  # type: ignore[no-untyped-def]
    """log p of each sequence in ``states``, under its sign."""
    for d in range(len(signs)):
        own = log_partition if signs[d] > 0 else log_partition_below
        scratch.log_probs[d] = (
            log_score(scratch.score, topology, float(signs[d]), n_positions, shape, scratch.states[d]) - own
        )


@fused
def _draw_apart(topology, n_positions, shape, random, one, other, scratch):  # type: ignore[no-untyped-def]
    """Draw the second of two again while it is the first; then put them in an order at random."""
    tries = 1
    while tries < TRIES and same(one, other, n_positions):
        sample(topology, n_positions, shape, scratch.plus, random, other)
        tries += 1
    if uniform(random) < 0.5:
        for n in range(n_positions):
            one[n], other[n] = other[n], one[n]


@fused
def same(a, b, n):  # type: ignore[no-untyped-def]
    """Whether two state sequences are equal."""
    different = 0
    for i in range(n):
        different += a[i] != b[i]
    return different == 0


@fused
def group_of(d, n_positions, scratch):  # type: ignore[no-untyped-def]
    """The first draw that is equal to draw ``d``, into ``group``."""
    scratch.group[d] = d
    for e in range(d):
        if scratch.group[e] == e and same(scratch.states[e], scratch.states[d], n_positions):
            scratch.group[d] = e
            return


@fused
def entropy_of(log_partition, topology, n_positions, shape, scratch):  # type: ignore[no-untyped-def]
    """H = log Z - w . E[phi], of scores and expected counts."""
    total = log_partition
    for i in range((uint64(n_positions) + uint64(topology.contexts)) * width(shape, topology.columns)):
        total -= scratch.score[i] * scratch.plus.expected[i]
    return total


@kernel
def ask(weights, x, lo, hi, topology, shape, signs, coupling, free, random, scratch):  # type: ignore[no-untyped-def]
    """Draw, and compute what a tell will need, while the weights are those of the draw; returns the entropy."""
    N = hi - lo - topology.contexts
    log_partition = score(weights, x, lo, hi, topology, shape, scratch)
    draw(log_partition, topology, N, shape, signs, coupling, free, random, scratch)
    backward(topology, N, shape, scratch.plus)
    if signs[len(signs) - 1] < 0:
        backward(topology, N, shape, scratch.minus)
    return entropy_of(log_partition, topology, N, shape, scratch)


@kernel
def recall(weights, x, lo, hi, topology, shape, signs, scratch):  # type: ignore[no-untyped-def]
    """What ``ask`` computes of the sequences that are in ``states`` already; returns the entropy."""
    N = hi - lo - topology.contexts
    log_partition = score(weights, x, lo, hi, topology, shape, scratch)
    backward(topology, N, shape, scratch.plus)
    log_partition_below = 0.0
    if signs[len(signs) - 1] < 0:
        log_partition_below = forward(scratch.score, topology, -1.0, N, shape, scratch.minus)
        backward(topology, N, shape, scratch.minus)
    likelihoods(log_partition, log_partition_below, topology, N, shape, signs, scratch)
    return entropy_of(log_partition, topology, N, shape, scratch)


@fused
def combine(topology, n_positions, shape, signs, coefficients, plus, minus, states, gradient):  # type: ignore[no-untyped-def]
    """gradient = sum_d c_d (phi(y_d) - E_{sign_d w}[phi])."""
    size = (uint64(n_positions) + uint64(topology.contexts)) * width(shape, topology.columns)
    above, below = totals(signs, coefficients)
    if below != 0.0:
        for i in range(size):
            gradient[i] = -below * minus[i] - above * plus[i]
    elif above != 0.0:
        for i in range(size):
            gradient[i] = -above * plus[i]
    else:
        for i in range(size):
            gradient[i] = 0.0
    for d in range(len(signs)):
        if coefficients[d] != 0.0:
            add_counts(topology, n_positions, shape, states[d], coefficients[d], gradient)


@fused
def expect(topology, n_positions, shape, signs, coefficients, informed, scratch):  # type: ignore[no-untyped-def]
    """Fill the expected counts that a step needs and that are not there yet; returns whether there is a step."""
    above, below = totals(signs, coefficients)
    moved = False
    for d in range(len(signs)):
        moved = moved or coefficients[d] != 0.0
    if above != 0.0 and not informed:
        backward(topology, n_positions, shape, scratch.plus)
    if below != 0.0:
        backward(topology, n_positions, shape, scratch.minus)
    return moved


@fused
def norm_of_step(x, lo, hi, topology, n_positions, shape, signs, informed, scratch):  # type: ignore[no-untyped-def]
    """The squared length of the step with the coefficients as they are."""
    expect(topology, n_positions, shape, signs, scratch.coefficients, informed, scratch)
    combine(topology, n_positions, shape, signs, scratch.coefficients, scratch.plus.expected,
            scratch.minus.expected, scratch.states, scratch.gradient)  # fmt: skip
    return squared_norm(x, lo, hi, topology.columns, scratch.gradient)


@fused
def square_between(x, lo, hi, topology, n_positions, shape, scratch):  # type: ignore[no-untyped-def]
    """|phi(a) - phi(b)|^2 of the first two sequences drawn."""
    for i in range((uint64(n_positions) + uint64(topology.contexts)) * width(shape, topology.columns)):
        scratch.gradient[i] = 0.0
    add_counts(topology, n_positions, shape, scratch.states[0], 1.0, scratch.gradient)
    add_counts(topology, n_positions, shape, scratch.states[1], -1.0, scratch.gradient)
    return squared_norm(x, lo, hi, topology.columns, scratch.gradient)
