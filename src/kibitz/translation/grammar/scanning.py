"""Grammar files byte by byte: millions of rules in seconds.

Every name is looked at once: names are *tokens*, numbered in order of first sight, of three kinds. A line that is not
plainly a rule is left to the reader in Python, which says what is wrong with it, or reads it all the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.spaces.compiled import compiled, kernel
from kibitz.spaces.hypergraph.growing import append

NO_NAME, WORD, CATEGORY, FEATURE = range(-1, 3)
FIELDS = 5
MOST_SLOTS = 8  # of a rule that is plain
MOST_DIGITS = 15  # a number of so many digits is exact in 64 bits, as are the powers of ten up to 10^22
BLANK, TAB, RETURN, LINE = 32, 9, 13, 10
OPEN, CLOSE, COMMA, BAR, EQUALS, MINUS, PLUS, STOP, ZERO, E_LOWER, E_UPPER = b"[],|=-+.0eE"
MOST_BYTES, MOST_POWER = 40, 250  # of a number that is surely finite
POWERS = 10.0 ** np.arange(23)

Array = npt.NDArray[Any]


class Scanned(NamedTuple):
    """Rules in tokens; categories of sources as -1 - token, slots of targets and features without a name by place."""

    lhs: Array
    source_ptr: Array
    source: Array
    target_ptr: Array
    target: Array
    feature_ptr: Array
    feature: Array
    value: Array
    token_start: Array
    token_end: Array
    token_kind: Array
    token_line: Array
    odd: Array  # lines that are not plain: begin, end, number, rules before
    long: Array  # numbers of many digits: place among the values, begin, end


@compiled
def scan(data, powers):  # type: ignore[no-untyped-def]
    """The rules of a file, as :class:`Scanned` has them."""
    lhs, rules = np.empty(1024, np.int32), 0
    source_ptr, target_ptr, feature_ptr = (
        np.zeros(1024, np.int32),
        np.zeros(1024, np.int32),
        np.zeros(1024, np.int32),
    )
    source, sources = np.empty(1024, np.int32), 0
    target, targets = np.empty(1024, np.int32), 0
    feature, value, values = np.empty(1024, np.int32), np.empty(1024, np.float64), 0
    start, end = np.empty(1024, np.int64), np.empty(1024, np.int64)
    kind, seen, hashes, tokens = (
        np.empty(1024, np.int32),
        np.empty(1024, np.int64),
        np.empty(1024, np.uint64),
        0,
    )
    table = np.full(4096, -1, np.int64)
    odd, odds = np.empty(64, np.int64), 0
    long, longs = np.empty(64, np.int64), 0
    places, said = np.zeros(MOST_SLOTS + 1, np.int64), np.zeros(MOST_SLOTS + 1, np.bool_)

    at, line = 0, 0
    while at < len(data):
        line += 1
        begin = at
        while at < len(data) and data[at] != LINE:
            at += 1
        stop = at
        at += 1
        before = sources, targets, values, longs
        field, count, slots, plain, anything = 0, 0, 0, True, False
        places[:], said[:] = -1, False
        i = begin
        while plain:
            while i < stop and (data[i] == BLANK or data[i] == TAB or data[i] == RETURN):
                i += 1
            if i >= stop:
                break
            anything = True
            j = i
            bars = 0
            while j < stop and data[j] != BLANK and data[j] != TAB and data[j] != RETURN:
                bars += data[j] == BAR
                j += 1
            if bars == 3 and j - i == 3:
                plain = field < FIELDS - 1 and (
                    field > 1 or count > 0
                )  # neither the head nor the source is empty
                field += 1
                count = 0
                i = j
                continue
            if 2 * len(start) >= len(table):
                table = _spread(hashes, tokens, 4 * len(table))
            # What the token is of, or that it is no name; slots of targets have their place at once.
            low, high, of, t = i, j, NO_NAME, np.int64(-1 - count)
            if bars > 2:
                plain = False
            elif field == 0:
                _, slot, low, high = _bracket(data, i, j)
                plain, of = count == 0 and slot < 0 and high > low, CATEGORY
            elif field == 1 or field == 2:
                opened, slot, inner, outer = _bracket(data, i, j)
                if not opened:
                    of = WORD
                elif field == 1:
                    index = slot if slot >= 0 else slots + 1
                    plain = outer > inner and 0 < index <= MOST_SLOTS and places[index] < 0
                    low, high, of = inner, outer, CATEGORY
                    if plain:
                        places[index] = slots
                        slots += 1
                else:
                    index = slot if slot >= 0 else _digits(data, inner, outer)
                    plain = 0 < index <= MOST_SLOTS and places[index] >= 0 and not said[index]
                    if plain:
                        said[index] = True
                        slots -= 1
                        t = -1 - places[index]
            elif field == 3:
                high = j - 1
                while high >= i and data[high] != EQUALS:
                    high -= 1
                number, exact, good = _number(data, high + 1, j, powers)
                plain = good and high != i
                if high > i:
                    of = FEATURE
                if not exact:
                    long, longs = append(long, longs, values)
                    long, longs = append(long, longs, high + 1)
                    long, longs = append(long, longs, j)
            if plain and of != NO_NAME:
                t, mixed = _token(data, low, high, of, start, end, kind, hashes, table, tokens)
                if t == tokens:
                    _enter(table, mixed, tokens)
                    start, _ = append(start, tokens, low)
                    end, _ = append(end, tokens, high)
                    kind, _ = append(kind, tokens, of)
                    seen, _ = append(seen, tokens, line)
                    hashes, tokens = append(hashes, tokens, mixed)
            if plain and field == 0:
                lhs, _ = append(lhs, rules, t)
            elif plain and field == 1:
                source, sources = append(source, sources, -1 - t if of == CATEGORY else t)
            elif plain and field == 2:
                target, targets = append(target, targets, t)
            elif plain and field == 3:
                for f in range(before[2], values):
                    plain = plain and feature[f] != t
                feature, _ = append(feature, values, t)
                value, values = append(value, values, number)
            count += 1
            i = j
        if not anything:
            continue
        if not plain or field < 2 or slots != 0:
            sources, targets, values, longs = before
            odd, odds = append(odd, odds, begin)
            odd, odds = append(odd, odds, stop)
            odd, odds = append(odd, odds, line)
            odd, odds = append(odd, odds, rules)
            continue
        rules += 1
        source_ptr, _ = append(source_ptr, rules, sources)
        target_ptr, _ = append(target_ptr, rules, targets)
        feature_ptr, _ = append(feature_ptr, rules, values)
    return (
        lhs[:rules], source_ptr[: rules + 1], source[:sources], target_ptr[: rules + 1], target[:targets],
        feature_ptr[: rules + 1], feature[:values], value[:values], start[:tokens], end[:tokens], kind[:tokens],
        seen[:tokens], odd[:odds], long[:longs],
    )  # fmt: skip


@kernel
def _bracket(data, i, j):  # type: ignore[no-untyped-def]
    """Whether bytes i to j are [name], [name,number] or [number]; the number or -1; where the name begins and ends."""
    if j - i < 3 or data[i] != OPEN or data[j - 1] != CLOSE:
        return False, np.int64(-1), i, i
    comma = i + 1
    while comma < j - 1 and data[comma] != COMMA:
        if data[comma] == OPEN or data[comma] == CLOSE:
            return False, np.int64(-1), i, i
        comma += 1
    if comma == j - 1:
        return True, np.int64(-1), i + 1, j - 1
    number = _digits(data, comma + 1, j - 1)
    if number < 0 or comma == i + 1:
        return False, np.int64(-1), i, i
    return True, number, i + 1, comma


@kernel
def _digits(data, i, j):  # type: ignore[no-untyped-def]
    """The whole number that bytes i to j write, or -1."""
    if not 0 < j - i < 4:
        return np.int64(-1)
    number = 0
    for k in range(i, j):
        if data[k] < ZERO or data[k] > ZERO + 9:
            return np.int64(-1)
        number = 10 * number + data[k] - ZERO
    return np.int64(number)


@kernel
def _number(data, i, j, powers):  # type: ignore[no-untyped-def]
    """The number that bytes i to j write; whether it is exact, and whether they write one at all."""
    begin, negative = i, i < j and data[i] == MINUS
    if i < j and (data[i] == MINUS or data[i] == PLUS):
        i += 1
    mantissa, digits, exponent, some, dotted = np.int64(0), 0, 0, False, False
    while i < j and ((data[i] >= ZERO and data[i] <= ZERO + 9) or (data[i] == STOP and not dotted)):
        if data[i] == STOP:
            dotted = True
        else:
            some = True
            if digits <= MOST_DIGITS:
                mantissa = 10 * mantissa + np.int64(data[i]) - ZERO
                if mantissa > 0:
                    digits += 1
            exponent -= dotted
        i += 1
    if i < j and some and (data[i] == E_LOWER or data[i] == E_UPPER):
        i += 1
        below = i < j and data[i] == MINUS
        if i < j and (data[i] == MINUS or data[i] == PLUS):
            i += 1
        power = _digits(data, i, j)
        some = power >= 0
        exponent += -power if below else power
        i = j
    plain = j - begin <= MOST_BYTES and -MOST_POWER < exponent < MOST_POWER
    exact = digits <= MOST_DIGITS and -len(powers) < exponent < len(powers)
    value = np.float64(mantissa)
    if exact:
        value = value * powers[exponent] if exponent >= 0 else value / powers[-exponent]
    return -value if negative else value, exact, some and i == j and plain


@kernel
def _token(data, i, j, kind, start, end, kinds, hashes, table, tokens):  # type: ignore[no-untyped-def]
    """The number of the token that bytes i to j are, the next one where they are new; and the hash of them."""
    mixed = np.uint64(0xCBF29CE484222325) ^ np.uint64(kind)
    for k in range(i, j):
        mixed = (mixed ^ np.uint64(data[k])) * np.uint64(0x100000001B3)
    mixed ^= mixed >> np.uint64(32)
    place = np.int64(mixed & np.uint64(len(table) - 1))
    while table[place] >= 0:
        t = table[place]
        if hashes[t] == mixed and kinds[t] == kind and end[t] - start[t] == j - i:
            same = True
            for k in range(j - i):
                same = same and data[start[t] + k] == data[i + k]
            if same:
                return t, mixed
        place = (place + 1) & (len(table) - 1)
    return np.int64(tokens), mixed


@compiled
def _spread(hashes, tokens, size):  # type: ignore[no-untyped-def]
    """A larger table of the same tokens."""
    table = np.full(size, -1, np.int64)
    for t in range(tokens):
        _enter(table, hashes[t], t)
    return table


@kernel
def _enter(table, mixed, token):  # type: ignore[no-untyped-def]
    place = np.int64(mixed & np.uint64(len(table) - 1))
    while table[place] >= 0:
        place = (place + 1) & (len(table) - 1)
    table[place] = token
