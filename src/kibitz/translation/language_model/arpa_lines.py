"""The compiled part of reading and writing ARPA files: lines of numbers and words, as bytes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.compiled import fused, kernel

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

# What can be wrong with a line.
FINE, ENDED, NO_NUMBER, PROBABLE, TOO_FEW, TOO_MANY, NO_WORD, NO_BACKOFF = range(8)
_NEWLINE, _BACKSLASH, _DECIMALS = 10, 92, 7


class Words(NamedTuple):
    """The words of the unigrams: where each stands in the bytes, its number, and a hash table of them."""

    first: Places
    end: Places
    number: npt.NDArray[np.int32]
    slots: npt.NDArray[np.int32]  # places in the arrays above, -1 where free; as many as a power of two


@fused
def _blank(byte):  # type: ignore[no-untyped-def]
    """What stands between words in ARPA files; no word of any language has it."""
    return byte == 32 or (9 <= byte <= 13 and byte != _NEWLINE) or byte == 0


@fused
def _token(data, at):  # type: ignore[no-untyped-def]
    """Where the next word of the line begins and ends; nothing is left of the line when these are equal."""
    while at < len(data) and _blank(data[at]):
        at += 1
    end = at
    while end < len(data) and data[end] != _NEWLINE and not _blank(data[end]):
        end += 1
    return at, end


@fused
def _number(data, at, end):  # type: ignore[no-untyped-def]
    """A decimal number, and whether it is one."""
    negative = at < end and data[at] == 45
    if at < end and (data[at] == 45 or data[at] == 43):
        at += 1
    value, digits, exponent = 0.0, 0, 0
    point = False
    while at < end and (48 <= data[at] <= 57 or (data[at] == 46 and not point)):
        if data[at] == 46:
            point = True
        else:
            value = 10.0 * value + (data[at] - 48)
            digits += 1
            exponent -= point
        at += 1
    fine = digits > 0
    if at < end and (data[at] == 101 or data[at] == 69):
        at += 1
        minus = at < end and data[at] == 45
        if at < end and (data[at] == 45 or data[at] == 43):
            at += 1
        shown = 0
        fine = fine and at < end
        while at < end and 48 <= data[at] <= 57:
            shown = min(10 * shown + (data[at] - 48), 1000)
            at += 1
        exponent += -shown if minus else shown
    value = value / 10.0**-exponent if exponent < 0 else value * 10.0**exponent
    return -value if negative else value, fine and at == end


@fused
def _hash(data, at, end):  # type: ignore[no-untyped-def]
    """FNV-1a, its high bits mixed into the low ones."""
    mixed = np.uint64(0xCBF29CE484222325)
    for i in range(at, end):
        mixed = (mixed ^ np.uint64(data[i])) * np.uint64(0x100000001B3)
    return mixed ^ (mixed >> np.uint64(29))


@fused
def _find(data, words, at, end):  # type: ignore[no-untyped-def]
    """The slot of a word, or the free one where it would be."""
    last = np.uint64(len(words.slots) - 1)
    slot = _hash(data, at, end) & last
    while True:
        place = words.slots[slot]
        if place < 0:
            return slot
        first = words.first[place]
        if words.end[place] - first == end - at:
            same = True
            for i in range(end - at):
                if data[first + i] != data[at + i]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + np.uint64(1)) & last


@kernel
def enter_words(data, words):  # type: ignore[no-untyped-def]
    """Fill the hash table; returns the place of a word that is there already, else -1."""
    for place in range(len(words.first)):
        slot = _find(data, words, words.first[place], words.end[place])
        if words.slots[slot] >= 0:
            return place
        words.slots[slot] = place
    return -1


@fused
def _line_end(data, at):  # type: ignore[no-untyped-def]
    while at < len(data) and data[at] != _NEWLINE:
        at += 1
    return min(at + 1, len(data))


@kernel
def read_unigrams(data, at, first, end, logprob, backoff, token):  # type: ignore[no-untyped-def]
    """Read a word a line; returns where it stopped, how many lines were read, and what was wrong with the next."""
    for i in range(len(first)):
        begin, fault, logprob[i], at = _probability(data, at, token)
        if fault != FINE:
            return begin, i, fault
        first[i], end[i] = _token(data, at)
        if first[i] == end[i]:
            return begin, i, TOO_FEW
        fault, backoff[i], at = _backoff(data, end[i], token)
        if fault != FINE:
            return begin, i, fault
    return at, len(first), FINE


@kernel
def read_ngrams(data, at, words, grams, logprob, backoff, token):  # type: ignore[no-untyped-def]
    """The same for the n-grams of one length."""
    for i in range(len(grams)):
        begin, fault, logprob[i], at = _probability(data, at, token)
        if fault != FINE:
            return begin, i, fault
        for j in range(grams.shape[1]):
            first, at = _token(data, at)
            token[0], token[1] = first, at
            if first == at:
                return begin, i, TOO_FEW
            place = words.slots[_find(data, words, first, at)]
            if place < 0:
                return begin, i, NO_WORD
            grams[i, j] = words.number[place]
        fault, backoff[i], at = _backoff(data, at, token)
        if fault != FINE:
            return begin, i, fault
    return at, len(grams), FINE


@fused
def _probability(data, at, token):  # type: ignore[no-untyped-def]
    """log10 p at the begin of a line."""
    first, end = _token(data, at)
    token[0], token[1] = first, end
    if first == end or data[first] == _BACKSLASH:
        return at, ENDED, 0.0, end
    value, fine = _number(data, first, end)
    if not fine:
        return at, NO_NUMBER, 0.0, end
    return at, PROBABLE if value > 0.0 else FINE, value, end


@fused
def _backoff(data, at, token):  # type: ignore[no-untyped-def]
    """What backing off costs, at the end of a line; 0 where it is left out."""
    first, end = _token(data, at)
    token[0], token[1] = first, end
    if first == end:
        return FINE, 0.0, _line_end(data, end)
    value, fine = _number(data, first, end)
    if not fine:
        return NO_BACKOFF, 0.0, end
    first, end = _token(data, end)
    if first < end:
        return TOO_MANY, 0.0, end
    return FINE, value, _line_end(data, end)


@kernel
def write_ngrams(order, begin, end, highest, letters, word_ptr, out):  # type: ignore[no-untyped-def]
    """Write the lines of n-grams begin .. end - 1; returns how many bytes they have."""
    grams, logprob, backoff = order
    at = 0
    for i in range(begin, end):
        at = _write_number(logprob[i], out, at)
        for j in range(grams.shape[1]):
            out[at] = 32 if j else 9
            at += 1
            for letter in range(word_ptr[grams[i, j]], word_ptr[grams[i, j] + 1]):
                out[at] = letters[letter]
                at += 1
        if not highest:
            out[at] = 9
            at = _write_number(backoff[i], out, at + 1)
        out[at] = _NEWLINE
        at += 1
    return at


@fused
def _write_number(value, out, at):  # type: ignore[no-untyped-def]
    """Seven decimals, without zeros at the end."""
    scaled = np.int64(np.round(abs(value) * 1e7))
    if value < 0 and scaled > 0:
        out[at] = 45
        at += 1
    whole, rest = scaled // 10**_DECIMALS, scaled % 10**_DECIMALS
    power = 1
    while whole // power >= 10:
        power *= 10
    while power > 0:
        out[at] = 48 + whole // power % 10
        at += 1
        power //= 10
    if rest > 0:
        out[at] = 46
        at += 1
        power = 10 ** (_DECIMALS - 1)
        while rest > 0:
            out[at] = 48 + rest // power
            rest %= power
            at += 1
            power //= 10
    return at
