"""The best output seen of an input, as something to go towards.

    s = -g (phi(x, y) - E_w[phi]),      g = mean loss heard of x - loss of y

y is the output of x with the least loss, the last one where several have it, so that nothing is gained on an input that
was judged once. Of a comparison, the preferred output has the loss 0 and the other one 1; of several, the mean counts.
The losses are those of draws of many models, and the least of them may be luck: the mean of s is the gradient of no
objective.
"""

from __future__ import annotations

import zlib

import numpy as np

from kibitz.learning.answer import Answer
from kibitz.learning.remembered import Remembered
from kibitz.spaces.protocol import Floats, Space
from kibitz.spaces.sharing import PAIR, add_value, values_of


def key_of(entry: Remembered, space: Space) -> int:
    """A number from 1 by which an input is known again: a checksum of what it is packed to."""
    packed = space.pack(entry.x)
    return 1 + zlib.crc32(b"".join(np.ascontiguousarray(packed[name]).tobytes() for name in packed))


def best_of(entry: Remembered, before: Remembered | None, key: int, space: Space) -> Remembered:
    """What is remembered of an input after one more judgement of it."""
    losses = _losses(entry.answer, len(entry.structures))
    count = len(losses) + (before.count if before else 0)
    mean = float(losses.sum() + (before.count * before.mean if before else 0.0)) / count
    place = int(np.argmin(losses))
    if before and losses[place] > before.answer.value:
        y, answer = before.structures[0], before.answer
    else:
        y = entry.structures[place]
        shown = entry.answer.output if entry.answer.kind == "gold" else space.shown(entry.x, y)
        answer = Answer("gold", value=float(losses[place]), output=shown)
    gain = 1.0 if entry.answer.kind == "gold" else mean - answer.value
    return Remembered(entry.x, (y,), (0.0,), (0.0,), answer, entry.judgement, key, gain, count, mean)


def _losses(answer: Answer, outputs: int) -> Floats:
    """Of each output that was judged; an output that was told has none."""
    if answer.kind == "loss":
        return np.array(answer.values)
    if answer.kind == "gold":
        return np.zeros(1)
    signs = np.zeros(outputs)
    for n, difference in enumerate(answer.values or (answer.value,) * values_of(PAIR, outputs)):
        add_value(PAIR, n, np.sign(difference), outputs, signs)
    return 0.5 + 0.5 * signs / (outputs - 1)
