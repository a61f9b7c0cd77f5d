"""Parses kept on disk are those that would be made, to the last bit, whatever became of the files meanwhile."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_models import random_ngrams
from small_grammars import grammars, lattices

from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.translation.decoder.models import Models
from kibitz.translation.decoder.parser import ParserOptions
from kibitz.translation.decoder.rule_features import SPARSE
from kibitz.translation.grammar import Segment, Symbols, segment_of
from kibitz.translation.language_model.arpa_writer import write_arpa
from kibitz.translation.parses import keeping
from kibitz.translation.parses.file import ParsesFile
from kibitz.translation.parses.keeping import KeptParses, silent
from kibitz.translation.parses.packed import Known, Names, pack, unpack
from kibitz.translation.parses.runs import Edges, edges_of, runs_of
from kibitz.translation.space import Translation
from kibitz.translation.system import System

RULES = """[X] ||| a ||| a ||| A=1
[X] ||| a ||| c d ||| B=0.3 A=2
[X] ||| b ||| d ||| C=0.7
[X] ||| [X,1] b [X,2] ||| [2] d [1] ||| Swap=1
[X] ||| a [X,1] ||| [1] c ||| Shift=1
"""
LINES = ["a b a", "a unknown b", "b", "((('a', 0.5, 1),('b', 1),),(('a', {'Named': -1}, 1),),)", "a a b a b"]


@pytest.fixture
def system(tmp_path: Path, empty_home: Path) -> System:
    """A system whose parses are kept below the empty home."""
    (tmp_path / "grammar").write_text(RULES)
    named = {f"LM{m}": str(tmp_path / f"{m}.arpa") for m in range(2)}
    for m, path in enumerate([*named.values(), str(tmp_path / "own.arpa")]):
        write_arpa(random_ngrams(1 + m, m), path)
    return System((str(tmp_path / "grammar"),), named, ("WordPenalty", *SPARSE), pop_limit=20)


def segments(lines: Sequence[str] = LINES) -> list[Segment]:
    return [segment_of(line) for line in lines]


def same(one: Any, other: Any) -> None:
    """Equal to the last bit, of the same kinds, and of the same symbols and models."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()
        assert one.flags.writeable == other.flags.writeable  # compiled functions tell the two apart
    elif isinstance(one, Symbols | Models):
        assert one is other
    elif is_dataclass(one):
        for field in fields(one):
            same(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, tuple) and hasattr(one, "_fields"):
        for part, other_part in zip(one, other, strict=True):
            same(part, other_part)
    else:
        assert one == other


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    grammars(), st.lists(st.one_of(st.sampled_from(LINES), lattices()), min_size=1, max_size=3), st.booleans(),
    st.integers(0, 2), st.integers(0, 1000),
)  # fmt: skip
def test_what_is_packed_unpacks_to_the_same(  # type: ignore[no-untyped-def]
    tmp_path_factory, text, lines, sparse, models, seed
) -> None:
    folder = tmp_path_factory.mktemp("system")
    (folder / "grammar").write_text(text)
    named = {f"LM{m}": str(folder / f"{m}.arpa") for m in range(models)}
    for m, path in enumerate(named.values()):
        write_arpa(random_ngrams(1 + (seed + m) % 3, seed + m), path)
    kinds = ("WordPenalty", *(SPARSE if sparse else ()))
    system = System((str(folder / "grammar"),), named, kinds, ParserOptions(span=3))
    makers, decoder = system.decoder(Symbols()), system.decoder(Symbols())
    names = Names(Vocabulary(), Vocabulary(), Vocabulary())
    packed = [pack(makers.ready(line), names) for line in lines]
    known = Known.of(names, decoder.symbols)
    for line, arrays in zip(lines, packed, strict=True):
        whole = {name: array.copy() for name, array in arrays.items()}
        same(unpack(whole, known, decoder.models_for(Segment("")), Segment("")), decoder.ready(line))


def test_edges_come_apart_into_runs_and_together_again() -> None:
    first = np.array([0, 3, 7], np.int32)
    rule = np.array([4, 5, 6, 0, 1, 2, 3], np.int32)
    tail_ptr, tails = np.array([0, 0, 0, 0, 1, 3, 5, 6], np.int32), np.zeros(6, np.int32)
    edges = Edges(first, rule, tail_ptr, tails)
    arity = np.array([1, 2, 2, 1, 0, 0, 0], np.int32)
    runs = runs_of(edges)
    assert (runs.rule.tolist(), runs.length.tolist()) == ([4, 0, 1, 3], [3, 1, 2, 1])
    for one, other in zip(edges_of(runs, arity), edges, strict=True):
        same(one, other)


def test_parses_are_made_once_and_numbers_are_the_same_whether_they_were_there(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "A_FILE", 2)
    spaces = [Translation.of(system) for _ in range(2)]
    told: list[tuple[int, int]] = []
    made, found = (
        space.kept_corpus(segments(), report=lambda done, total: told.append((done, total)))
        for space in spaces
    )
    assert told == [(done, 5) for done in range(1, 6)]
    names = [space.decoder.symbols.features.names() for space in spaces]
    assert names[0] == names[1]
    assert "RBT:<r>_a" in names[0]
    weights = np.random.default_rng(3).normal(size=spaces[0].size)
    assert all(found[i].x.rows.max() < len(weights) for i in range(len(LINES)))
    assert spaces[0].predict(made, weights) == spaces[1].predict(found, weights)
    for i, line in enumerate(LINES):
        same(found[i], spaces[1].encode(line))
    assert names[1] == spaces[1].decoder.symbols.features.names()
    assert [x.words for x in map(found.subset([3, 1]).__getitem__, range(2))] == [
        found[3].words,
        found[1].words,
    ]


def test_what_decides_a_parse_decides_whether_it_is_found(system: System, tmp_path: Path) -> None:
    own = gzip.compress(b"[X] ||| b ||| mine\n")
    (tmp_path / "own.gz").write_bytes(own)
    marked = f'<seg grammar="{tmp_path / "own.gz"}" model="LM1={tmp_path / "own.arpa"}">a b</seg>'

    def made(system: System, line: str = marked) -> int:
        told: list[int] = []
        space = Translation.of(system)
        corpus = space.kept_corpus(segments([line]), report=lambda done, total: told.append(done))
        same(corpus[0], space.encode(line))
        return len(told)

    assert [made(system), made(system), made(system, "a b"), made(system, marked)] == [1, 0, 1, 0]
    assert made(replace(system, pop_limit=3, best_pop_limit=7, beam=2.0)) == 0
    assert made(replace(system, options=ParserOptions(span=1))) == 1
    assert made(replace(system, features=("WordPenalty",))) == 1
    (tmp_path / "own.gz").write_bytes(gzip.compress(b"[X] ||| b ||| yours\n"))
    assert made(system) == 1
    write_arpa(random_ngrams(2, 77), tmp_path / "own.arpa")
    assert made(system) == 1
    with (tmp_path / "grammar").open("a") as file:
        file.write("[X] ||| b ||| more\n")
    assert [made(system), made(system, "a b")] == [1, 1]


def test_a_damaged_file_is_made_again_and_a_damaged_sentence_parsed_again(
    system: System, empty_home: Path
) -> None:
    space = Translation.of(system)
    KeptParses(system, space.decoder, segments(), "s", silent)
    (path,) = (empty_home / ".cache").rglob("*.parses")
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[: len(whole) // 2], whole[:-3] + b"abc", b"x" * len(whole)):
        path.write_bytes(damaged)
        corpus = KeptParses(system, space.decoder, segments(), "s", silent)
        same(corpus[2], space.encode(LINES[2]))
        assert path.read_bytes() == whole
    path.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
    corpus = KeptParses(system, space.decoder, segments(), "s", silent)
    for i, line in enumerate(LINES):
        same(corpus[i], space.encode(line))
    assert len(ParsesFile(path)) == len(LINES)


def test_making_goes_on_where_it_was_interrupted(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "A_FILE", 2)

    def interrupt(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    space, told = Translation.of(system), []
    with pytest.raises(KeyboardInterrupt):
        space.kept_corpus(segments(), report=interrupt)
    space.kept_corpus(segments(), report=lambda done, total: told.append(done))
    assert min(told) > 1  # a file is there already
    assert max(told) == 5


def test_files_that_were_not_used_for_longest_make_room(
    system: System, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "ROOM", 1)
    space = Translation.of(system)
    for line in LINES:
        corpus = space.kept_corpus(segments([line]))
        assert len(list((empty_home / ".cache").rglob("*.parses"))) == 1
        same(corpus[0], space.encode(line))


def test_what_is_wrong_with_a_sentence_is_said_and_nothing_is_left(system: System, empty_home: Path) -> None:
    strict = replace(system, options=ParserOptions(pass_through=False))
    space = Translation.of(strict)
    with pytest.raises(InputError, match=r"today.fr:[24]: the grammar derives no"):
        space.kept_corpus(segments(), where="today.fr")
    assert not list((empty_home / ".cache").rglob("*.parses"))
    with pytest.raises(InputError, match="There is no file"):
        space.kept_corpus([Segment("a", ("nowhere",))])
