"""A baseline that knows how unsure the model is: the coefficient to expect of an input, by linear regression.

    b(x) = theta . f(x),   f = (1, h, sqrt(h), log n),   h = H / n

with H the entropy of the model on this input and n its length, both known before anything is drawn. theta solves the
ridge regression of earlier coefficients on f, the older ones counting less (a ten-thousandth for each that follows):

    (A + r I) theta = b,   A <- a A + f f',   b <- a b + c f

An input of which the model is unsure is expected to be judged badly: what is left to learn from is the surprise.
"""

from __future__ import annotations

import math
from typing import Any

from kibitz.spaces.step import ENTROPY, LENGTH

KEEP = 1.0 - 1e-4  # a
RIDGE = 1e-2  # r
WIDTH = 4
MOMENTS, THETA, ROOM, F = 0, 20, 24, 44  # places in the state: [A | b], theta, a copy to solve in, f
SIZE = 48


def linear(coefficient: float, facts: Any, state: Any) -> float:
    """c - theta . f(x), and theta for the next."""
    share = max(facts[ENTROPY], 0.0) / facts[LENGTH]
    state[F], state[F + 1], state[F + 2], state[F + 3] = 1.0, share, math.sqrt(share), math.log(facts[LENGTH])
    expected = 0.0
    for i in range(WIDTH):
        expected += state[THETA + i] * state[F + i]
    for i in range(WIDTH):
        row = MOMENTS + i * (WIDTH + 1)
        for j in range(WIDTH):
            state[row + j] = KEEP * state[row + j] + state[F + i] * state[F + j]
        state[row + WIDTH] = KEEP * state[row + WIDTH] + coefficient * state[F + i]
    for i in range(WIDTH):  # solve in the copy: elimination without pivots, for A + r I is positive definite
        for j in range(WIDTH + 1):
            state[ROOM + i * (WIDTH + 1) + j] = state[MOMENTS + i * (WIDTH + 1) + j]
        state[ROOM + i * (WIDTH + 2)] += RIDGE
    for k in range(WIDTH):
        for i in range(k + 1, WIDTH):
            factor = state[ROOM + i * (WIDTH + 1) + k] / state[ROOM + k * (WIDTH + 2)]
            for j in range(k, WIDTH + 1):
                state[ROOM + i * (WIDTH + 1) + j] -= factor * state[ROOM + k * (WIDTH + 1) + j]
    for back in range(WIDTH):
        i = WIDTH - 1 - back
        value = state[ROOM + i * (WIDTH + 1) + WIDTH]
        for j in range(i + 1, WIDTH):
            value -= state[ROOM + i * (WIDTH + 1) + j] * state[THETA + j]
        state[THETA + i] = value / state[ROOM + i * (WIDTH + 2)]
    return coefficient - expected
