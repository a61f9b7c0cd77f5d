"""A sentence as arrays that take little room, and back: the same to the last bit.

What can be told from the rest is left out, edges are kept in runs, and a feature with its value, which many
applications share, is kept once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.features.vocabulary import Vocabulary
from kibitz.translation.decoder.applications import Applications
from kibitz.translation.decoder.lattice import Lattice
from kibitz.translation.decoder.models import Models
from kibitz.translation.decoder.parse import Parse
from kibitz.translation.decoder.parts import Parts, layout_of
from kibitz.translation.decoder.sentence import Sentence, sentence_with
from kibitz.translation.grammar import Segment, Symbols
from kibitz.translation.grammar.grammar import Ints, pointers
from kibitz.translation.parses.runs import Edges, Runs, edges_of, runs_of

Packed = Mapping[str, npt.NDArray[Any]]
SIZES = (np.uint8, np.uint16, np.int16, np.int32)


class Names(NamedTuple):
    """The words, categories and features of a file, in their own numbers there."""

    words: Vocabulary
    categories: Vocabulary
    features: Vocabulary


class Known(NamedTuple):
    """What a file's numbers are in a decoder's own."""

    symbols: Symbols
    spelled: Sequence[str]
    words: Ints
    categories: Ints
    features: Ints

    @classmethod
    def of(cls, names: Names, symbols: Symbols) -> Known:
        """The numbers that names have, or now get."""
        tables = (symbols.words, symbols.categories, symbols.features)
        numbers = [
            np.array(table.numbers(kind.names()), np.int32) for table, kind in zip(tables, names, strict=True)
        ]
        return cls(symbols, names.words.names(), *numbers)


def pack(x: Sentence, names: Names) -> Packed:
    """The arrays of a sentence; its names get numbers in ``names``."""
    parse, said, lattice = x.parse, x.parse.said, x.lattice
    symbols = said.symbols
    words, categories, features = symbols.words.named, symbols.categories.named, symbols.features.named
    runs = runs_of(Edges(parse.first, parse.rule, parse.tail_ptr, parse.tails))
    value, place = np.unique(said.value, return_inverse=True)
    pair, code = np.unique(said.feature.astype(np.int64) * len(value) + place, return_inverse=True)
    feature, of_value = np.divmod(pair, max(1, len(value)))
    called, own = np.unique(feature, return_inverse=True)
    kinds, category = np.unique(parse.category[:-1], return_inverse=True)
    # Fragments that end alike are alike to a language model, and there are few ways to end.
    ends, fragment = _distinct(np.concatenate([x.parts.left, x.parts.right]))
    scores, score = _distinct(x.parts.score)
    costs = [dict(zip(features(named), named.values(), strict=True)) for named in lattice.features]
    arrays = {
        "lattice.end_ptr": lattice.end_ptr,
        "lattice.start": lattice.start,
        "lattice.word": np.array(names.words.numbers(words(lattice.word.tolist()))),
        "lattice.distance": lattice.distance,
        "lattice.costs": np.frombuffer(json.dumps(costs).encode() if any(costs) else b"", np.uint8),
        "category": np.array(names.categories.numbers(categories(kinds.tolist())))[category],
        "start": parse.start,
        "end": parse.end,
        **{f"runs.{name}": column for name, column in runs._asdict().items()},
        "words": np.array(names.words.numbers(said.words)),
        "target_length": np.diff(said.target_ptr),
        "target": said.target,
        "feature_length": np.diff(said.feature_ptr),
        "code": code,
        "fragment": fragment,
        "score": score,
        "pair.feature": np.array(names.features.numbers(features(called.tolist())))[own],
    }
    return {
        **{name: _least(array) for name, array in arrays.items()},
        "pair.value": value[of_value],
        "ends": ends,
        "scores": scores,
    }


def unpack(packed: Packed, known: Known, models: Models, brought: Segment) -> Sentence:
    """The sentence that ``pack`` packed, with the numbers of the decoder."""
    target = packed["target"].astype(np.int32)
    target_ptr = pointers(packed["target_length"])
    slots = np.concatenate([[0], np.cumsum(target < 0)])
    edges = edges_of(
        Runs(*(packed[f"runs.{name}"] for name in Runs._fields)),
        np.diff(slots[target_ptr]).astype(np.int32),
    )
    code, spelled = packed["code"], known.spelled
    said = Applications(
        known.symbols,
        tuple([spelled[w] for w in packed["words"].tolist()]),
        target_ptr,
        target,
        pointers(packed["feature_length"]),
        known.features[packed["pair.feature"]][code],
        packed["pair.value"][code],
    )
    category = np.append(known.categories[packed["category"]], np.int32(-1))
    start, end = packed["start"].astype(np.int32), packed["end"].astype(np.int32)
    parse = Parse(category, start, end, edges.first, edges.rule, edges.tail_ptr, edges.tails, said)
    ends, models_asked = packed["ends"][:, packed["fragment"]], len(packed["scores"])
    parts = Parts(
        *layout_of(parse), ends[:models_asked], ends[models_asked:], packed["scores"][:, packed["score"]]
    )
    return sentence_with(_lattice(packed, known), parse, models, parts, brought)


def _lattice(packed: Packed, known: Known) -> Lattice:
    costs = packed["lattice.costs"].tobytes()
    number = known.symbols.features.number
    features = (
        [{number(name): value for name, value in named.items()} for named in json.loads(costs)]
        if costs
        else [{}] * len(packed["lattice.start"])
    )
    end_ptr, start, distance = (
        packed[f"lattice.{name}"].astype(np.int32) for name in ("end_ptr", "start", "distance")
    )
    return Lattice(end_ptr, start, known.words[packed["lattice.word"]], tuple(features), distance)


def _distinct(columns: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The different columns, and which of them each column is."""
    return np.unique(columns, axis=1, return_inverse=True)


def _least(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same numbers in as few bytes as hold them."""
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    fits = (size for size in SIZES if np.iinfo(size).min <= low and high <= np.iinfo(size).max)
    return array.astype(next(fits))
