"""Fingerprints of yields, by which derivations that say the same are told from others without spelling them out.

A yield is read as the digits of a number in a base B, modulo a prime P, so that the fingerprint of a yield is made of
those of its parts:

    mark(ab) = mark(a) B^|b| + mark(b)    (mod P)

Two primes of 31 bits make it one chance in 10^18 that two different yields look alike.
"""

from __future__ import annotations

from kibitz.spaces.compiled import fused, kernel

FIRST, SECOND = (1 << 31) - 1, (1 << 31) - 19  # the primes
BASE, OTHER_BASE = 1_103_515_245, 362_437_069
SPREAD = 0x9E3779B97F4A7C1  # makes the numbers of nodes differ in many bits
PARTS = 4  # mark and B^length by the first prime, and by the second


@kernel
def fill_mark(graph, e, below, mark, c):  # type: ignore[no-untyped-def]
    """The fingerprint of candidate c: edge e with candidate ``below[i]`` for its tail i."""
    a, power_a, b, power_b = 0, 1, 0, 1
    for k in range(graph.out_ptr[e], graph.out_ptr[e + 1]):
        symbol = graph.out[k]
        if symbol >= 0:
            a, power_a = (a * BASE + symbol + 1) % FIRST, power_a * BASE % FIRST
            b, power_b = (b * OTHER_BASE + symbol + 1) % SECOND, power_b * OTHER_BASE % SECOND
        else:
            part = mark[below[-1 - symbol]]
            a, power_a = (a * part[1] + part[0]) % FIRST, power_a * part[1] % FIRST
            b, power_b = (b * part[3] + part[2]) % SECOND, power_b * part[3] % SECOND
    mark[c, 0], mark[c, 1], mark[c, 2], mark[c, 3] = a, power_a, b, power_b


@fused
def key(v, mark):  # type: ignore[no-untyped-def]
    """One number for a node and what is said there."""
    return (mark[0] << 31 | mark[2]) ^ (v + 1) * SPREAD
