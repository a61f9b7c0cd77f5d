"""Examples as a space works with them, kept between runs: a second run reads arrays and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.data import cached
from kibitz.spaces.attributed import Attributed, Corpus
from kibitz.spaces.protocol import Space
from kibitz.spaces.registry import space_from

ENCODING = 1  # of the arrays below and of what makes them; a change of either makes the kept ones useless
Arrays = dict[str, NDArray[Any]]
PARTS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class Source:
    """A space that has seen nothing yet, and the examples it is to learn from and be measured on.

    Examples are raw inputs with their gold answers; they are read once, one after the other.
    """

    space: Attributed
    train: Iterable[tuple[Any, Any]]
    dev: Iterable[tuple[Any, Any]] | None
    test: Iterable[tuple[Any, Any]] | None


@dataclass(frozen=True, slots=True)
class Encoded:
    """The same, encoded: attributes that occur in train alone have weights."""

    space: Attributed
    train: Corpus
    dev: Corpus | None
    test: Corpus | None


def encoded(key: Sequence[Any], source: Callable[[], Source], base: Space | None = None) -> Encoded:
    """The encoding of `source()`, from the cache where `key` was met before.

    With the space `base` of a saved model, its attributes keep their numbers and new ones come after them.
    """
    if base is not None:
        assert isinstance(base, Attributed)
        return encode(replace(source(), space=base.reopened()))
    arrays = cached(["task", ENCODING, *key], lambda: _arrays(encode(source())))
    space = space_from(json.loads(arrays["space.settings"].tobytes()), _part(arrays, "space."))
    assert isinstance(space, Attributed)
    corpora = {
        part: space.restore_corpus(_part(arrays, f"{part}.")) for part in PARTS if f"{part}.starts" in arrays
    }
    return Encoded(space, corpora["train"], corpora.get("dev"), corpora.get("test"))


def encode(source: Source) -> Encoded:
    """Train first, then the others with the attributes of train."""
    space = source.space
    train = corpus(space, source.train)
    space.vocabulary.freeze()
    dev = None if source.dev is None else corpus(space, source.dev)
    test = None if source.test is None else corpus(space, source.test)
    return Encoded(space, train, dev, test)


def corpus(space: Attributed, examples: Iterable[tuple[Any, Any]]) -> Corpus:
    """Examples as one corpus of the space."""
    golds: list[Any] = []

    def raws() -> Iterator[Any]:
        for raw, gold in examples:
            golds.append(gold)
            yield raw

    made: Corpus = space.corpus(raws(), golds)
    return made


def _arrays(done: Encoded) -> Arrays:
    settings = json.dumps(done.space.settings()).encode()
    arrays: Arrays = {"space.settings": np.frombuffer(settings, np.uint8)}
    arrays |= {f"space.{name}": array for name, array in done.space.arrays().items()}
    for part in PARTS:
        examples: Corpus | None = getattr(done, part)
        if examples is not None:
            arrays |= {f"{part}.{name}": array for name, array in examples.arrays().items()}
    return arrays


def _part(arrays: Arrays, prefix: str) -> Arrays:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
