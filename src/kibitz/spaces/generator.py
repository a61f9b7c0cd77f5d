"""Explicit randomness: a small generator whose whole state is five numbers.

It is xoshiro256++ (Blackman and Vigna, 2019), seeded by splitmix64. Compiled loops and Python draw from the same state
array, so a run that is stepped from Python sees the numbers that the compiled run sees, and a checkpoint is a copy.
The fifth number is a mask over the bits of every float: all ones in a mirrored stream, whose floats are 1 - u (less the
last bit, so that they lie in [0, 1) as well) where the stream has u.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import float64, uint64

from kibitz.spaces.compiled import fused, kernel

State = npt.NDArray[np.uint64]

MIRROR = 4  # the place of the mask

_MASK = (1 << 64) - 1


@fused
def _rotate(x, k):  # type: ignore[no-untyped-def]
    return (x << uint64(k)) | (x >> uint64(64 - k))


@fused
def advance(state):  # type: ignore[no-untyped-def]
    """The next 64 random bits."""
    result = _rotate(state[0] + state[3], 23) + state[0]
    shifted = state[1] << uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = _rotate(state[3], 45)
    return result


@fused
def uniform(state):  # type: ignore[no-untyped-def]
    """A float in [0, 1) with 53 random bits."""
    return float64((advance(state) ^ state[MIRROR]) >> uint64(11)) * (1.0 / 9007199254740992.0)


@fused
def begin_stream(key, mirrored, out):  # type: ignore[no-untyped-def]
    """Fill ``out`` with the state of the stream that 64 random bits name, or of its mirror image."""
    value = uint64(key)
    for i in range(MIRROR):
        value += uint64(0x9E3779B97F4A7C15)
        mixed = (value ^ (value >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> uint64(27))) * uint64(0x94D049BB133111EB)
        out[i] = mixed ^ (mixed >> uint64(31))
    out[MIRROR] = ~uint64(0) if mirrored else uint64(0)


@kernel
def fill_below(state, n, out):  # type: ignore[no-untyped-def]
    """Fill ``out`` with whole numbers in [0, n)."""
    for i in range(len(out)):
        out[i] = int(uniform(state) * n)


@kernel
def fill_permutation(state, out):  # type: ignore[no-untyped-def]
    """Fill ``out`` with a random order of 0 .. len(out) - 1 (Fisher and Yates)."""
    for i in range(len(out)):
        out[i] = i
    for i in range(len(out) - 1, 0, -1):
        j = int(uniform(state) * (i + 1))
        out[i], out[j] = out[j], out[i]


class Generator:
    """A stream of random numbers from a seed; ``state`` is all there is to it."""

    __slots__ = ("state",)

    def __init__(self, seed: int = 0, stream: int = 0) -> None:
        """Start the stream; two ``stream`` numbers under one seed give independent streams."""
        self.state: State = _seeded(seed, stream)

    def uniform(self) -> float:
        """Return a float in [0, 1)."""
        return float(uniform(self.state))

    def below(self, n: int) -> int:
        """Return a whole number in [0, n)."""
        return int(self.uniform() * n)

    def bits(self) -> int:
        """Return 64 random bits."""
        return int(advance(self.state))

    @classmethod
    def stream(cls, key: int, mirrored: bool = False) -> Generator:
        """Return the stream that 64 random bits name, or its mirror image."""
        found = cls()
        begin_stream(np.uint64(key), mirrored, found.state)
        return found

    def restore(self, state: npt.NDArray[np.uint64]) -> None:
        """Go on from a saved state; a state of four numbers is of a time before streams had mirror images."""
        self.state[: len(state)] = state

    def copy(self) -> Generator:
        """Return a generator that goes on as this one would."""
        twin = Generator()
        twin.state[:] = self.state
        return twin


def _seeded(seed: int, stream: int) -> State:
    value = (seed * 0x9E3779B97F4A7C15 + stream * 0xD1342543DE82EF95 + 0x2545F4914F6CDD1D) & _MASK
    words = []
    for _ in range(MIRROR):
        value = (value + 0x9E3779B97F4A7C15) & _MASK
        mixed = value
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        words.append(mixed ^ (mixed >> 31))
    return np.array([*words, 0], dtype=np.uint64)
