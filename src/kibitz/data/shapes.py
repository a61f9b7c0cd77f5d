"""Handwriting of our own: words drawn from letter shapes with a shaky pen, for use without any network."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kibitz.data.split import Example, Split
from kibitz.errors import InputError

HEIGHT, WIDTH = 16, 8

# The strokes of each letter: points "xy" on a grid of 6 columns and 10 rows, with rows 3 to 7 the body.
STROKES = {
    "a": "43 13 04 06 17 37 46, 43 47 57",
    "b": "00 07, 04 13 33 44 46 37 17 06",
    "c": "44 33 13 04 06 17 37 46",
    "d": "40 47 57, 43 13 04 06 17 37 46",
    "e": "05 45 44 33 13 04 06 17 37 46",
    "f": "41 30 20 11 17, 03 33",
    "g": "44 33 13 04 05 16 36 45, 43 48 39 19 08",
    "h": "00 07, 04 13 33 44 47",
    "i": "23 27 37, 21 21",
    "j": "33 38 29 19 08, 31 31",
    "k": "00 07, 43 05 47",
    "l": "10 20 26 37 47",
    "m": "03 07, 04 13 24 27, 24 33 44 47",
    "n": "03 07, 04 13 33 44 47",
    "o": "13 33 44 46 37 17 06 04 13",
    "p": "03 09, 04 13 33 44 45 36 16 05",
    "q": "44 33 13 04 05 16 36 45, 43 49 58",
    "r": "03 07, 04 13 33 44",
    "s": "44 33 13 04 15 35 46 37 17 06",
    "t": "11 16 27 37 46, 03 33",
    "u": "03 06 17 37 46, 43 47 57",
    "v": "03 27 43",
    "w": "03 17 24 37 53",
    "x": "03 47, 43 07",
    "y": "03 06 17 37 46, 43 48 39 19 08",
    "z": "03 43 07 47",
}
LABELS = tuple(STROKES)

WORDS = """
about above after again along animal answer around autumn beauty become before begin behind below better
bridge bright brown candle change circle cloud colour common corner count cover dance daughter dozen dream
early earth eight enjoy enough equal evening every example exact family father fifth finger flower forest
friend frozen garden gentle glass golden grass great green guess happy harvest heart heavy hidden honey
horizon house hundred inside island jacket jewel journey joyful judge jump kettle kind kitchen knife know
ladder large laugh lazy leaf letter level light liquid little lucky magic maple market measure melody middle
minute moment moon morning mountain music narrow nature nearly never night noise north number object ocean
often orange order other oxygen paper pencil people piano picture plain pocket puzzle quality quarter queen
question quick quiet rabbit rain razor reader river round sailor school season second seven shadow silver
simple sixty sky sleep small smoke snow song square squirrel station story stream street summer table
teacher thing thousand thunder today together tower travel tree twelve under unique until valley vivid
village violet voice walk warm water weather west wheel whisper white window winter wisdom woman wonder wood
world write yellow young zebra zero
""".split()


def generated_words(seed: int, count: int) -> list[Example]:
    """Words and their letters, like the handwriting set: uint8 [letters, 128] and a tuple of letters.

    The same seed gives the same words; more of them begin with the same ones.
    """
    if count < 0:
        raise InputError(f"The number of words should not be negative, as {count} is.")
    generator = np.random.Generator(np.random.PCG64(seed))
    return [_written(WORDS[int(generator.random() * len(WORDS))], generator) for _ in range(count)]


def generated_split(seed: int = 0, train: int = 2000, dev: int = 250, test: int = 250) -> Split:
    """A split of the shape of the handwriting set."""
    words = generated_words(seed, train + dev + test)
    return Split(
        train=words[:train],
        dev=words[train : train + dev],
        test=words[train + dev :],
        checksum=f"letter shapes 1, seed {seed}, {train}+{dev}+{test}",
    )


def _written(word: str, generator: np.random.Generator) -> Example:
    """One writer a word: slant, size and pen are the word's, the shake is each letter's."""
    slant = 0.35 * (generator.random() - 0.4)
    stretch = 0.85 + 0.2 * generator.random()
    pen = 0.5 + 0.35 * generator.random()
    letters = [_drawn(letter, slant, stretch, pen, generator) for letter in word]
    return np.stack(letters), tuple(word)


def _drawn(
    letter: str, slant: float, stretch: float, pen: float, generator: np.random.Generator
) -> NDArray[np.uint8]:
    """The pixels within a pen's width of the letter's strokes, with the odd one flipped."""
    shift = generator.random(2) - 0.5
    points, segments = _path(letter)
    shaken = points + 0.45 * (generator.random(points.shape) - 0.5)
    # From the grid of 6 x 10 to pixels: 1.2 pixels a column, 1.5 a row, leaning to the right by the slant.
    y = 1.0 + 1.5 * stretch * shaken[:, 1] + shift[1]
    x = 0.8 + 1.2 * stretch * shaken[:, 0] + slant * (8.0 - y) + shift[0]
    near = _distances(x[segments], y[segments]).min(axis=0) <= pen
    flipped = generator.random(HEIGHT * WIDTH) < 0.01
    pixels: NDArray[np.uint8] = (near ^ flipped).astype(np.uint8)
    return pixels


@cache
def _path(letter: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The letter's points on the grid, and the two points of each of its segments."""
    points: list[tuple[int, int]] = []
    segments: list[tuple[int, int]] = []
    for stroke in STROKES[letter].split(", "):
        first = len(points)
        points += [(int(point[0]), int(point[1])) for point in stroke.split()]
        segments += [(i, i + 1) for i in range(first, len(points) - 1)]
    return np.array(points, dtype=np.float64), np.array(segments, dtype=np.int64)


def _distances(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """From each segment, given as [segments, 2] coordinates, to each pixel: [segments, pixels]."""
    rows, columns = np.divmod(np.arange(HEIGHT * WIDTH), WIDTH)
    from_x, from_y = columns - x[:, :1], rows - y[:, :1]
    across, down = x[:, 1:] - x[:, :1], y[:, 1:] - y[:, :1]
    length = np.maximum(across * across + down * down, 1e-9)
    along = np.clip((from_x * across + from_y * down) / length, 0.0, 1.0)
    distances: NDArray[np.float64] = np.hypot(from_x - along * across, from_y - along * down)
    return distances
