"""N-best lists as Moses prints them: one candidate a line, those of one input one after the other.

7 ||| a house ||| LM0= -3.2 TM0= -0.5 -1.25 ||| -4.1

The fields are the input's id, the text, the features and the score; what may follow (alignments) is not read. A
feature name ends in = or : and has one value or several, which become name_1, name_2 and so on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from kibitz.data.nbest.lists import NBest
from kibitz.errors import InputError
from kibitz.spaces.candidates.candidate import LARGEST, Candidate

SEPARATOR = "|||"
SHAPE = "id ||| text ||| name= value ... ||| score"


def parse_moses(lines: Iterable[tuple[int, str]], where: str) -> Iterator[NBest]:
    """The lists of numbered lines; `where` is what messages call the file."""
    key, first, candidates = "", 0, list[Candidate]()
    for number, line in lines:
        if not line.strip():
            continue
        try:
            here, candidate = _candidate(line)
        except InputError as error:
            raise InputError(f"{where}:{number}: {error}.") from error
        if candidates and here != key:
            yield NBest(key, candidates, first)
            candidates = []
        if not candidates:
            key, first = here, number
        candidates.append(candidate)
    if candidates:
        yield NBest(key, candidates, first)


def as_moses_lines(nbest: NBest, scores: Iterable[float]) -> Iterator[str]:
    """The lines that read back as this list, features one value a name."""
    for candidate, score in zip(nbest.candidates, scores, strict=True):
        features = " ".join(f"{name}= {value!r}" for name, value in candidate.features.items())
        yield f" {SEPARATOR} ".join((nbest.id, candidate.text, features, repr(score)))


def _candidate(line: str) -> tuple[str, Candidate]:
    fields = [field.strip() for field in line.split(SEPARATOR)]
    if len(fields) < 4:
        raise InputError(f"this line has {len(fields)} of the four fields {SHAPE!r}")
    key, text, features, score = fields[:4]
    if not key or len(key.split()) > 1:
        raise InputError(f"this line begins with {key!r} where it should have the id of an input")
    _number(score, "the score")
    return key, Candidate(text, _features(features))


def _features(field: str) -> dict[str, float]:
    """Values by name; `TM0= -0.5 -1.25` gives TM0_1 and TM0_2."""
    values: dict[str, list[float]] = {}
    name = None
    for word in field.split():
        if word[-1] in "=:" and len(word) > 1:
            name = word[:-1]
            if name in values:
                raise InputError(f"the feature {name!r} stands there twice")
            values[name] = []
        elif name is None:
            raise InputError(f"the features begin with {word!r} where a name like 'LM0=' should stand")
        else:
            values[name].append(_number(word, f"a value of {name!r}"))
    for name, found in values.items():
        if not found:
            raise InputError(f"the feature {name!r} has no value")
    return {
        name if len(found) == 1 else f"{name}_{i}": value
        for name, found in values.items()
        for i, value in enumerate(found, start=1)
    }


def _number(word: str, what: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        raise InputError(f"{what} is {word!r}, which is not a finite number")
    return value
