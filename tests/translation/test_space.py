"""Translation as a space: without pruning it passes every check, saving included; with it, learners can live in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_models import random_ngrams
from small_grammars import grammars

import kibitz
from kibitz.errors import InputError
from kibitz.learning.optimizers import SGD
from kibitz.testing import Additive, check_space
from kibitz.translation.decoder.decoder import Decoder
from kibitz.translation.decoder.parser import ParserOptions
from kibitz.translation.grammar import Symbols, parse_grammar
from kibitz.translation.language_model.arpa_writer import write_arpa
from kibitz.translation.space import Translation
from kibitz.translation.system import System

COSTS = Additive(lambda x: (x.graph.edges,), lambda x, y, costs: float(costs[list(y)].sum()))
EVERYTHING = 10**9
MANY = 300
RULES = """[X] ||| a ||| a ||| A=1
[X] ||| a ||| c d ||| B=1
[X] ||| b ||| d ||| C=1
[X] ||| [X,1] b [X,2] ||| [2] d [1] ||| Swap=1
[X] ||| a [X,1] ||| [1] c ||| Shift=1"""


def system_in(folder: Path, text: str = RULES, *, models: int = 1, seed: int = 0, **options: Any) -> System:
    (folder / "grammar").write_text(text)
    named = {f"LM{m}": str(folder / f"{m}.arpa") for m in range(models)}
    for m, path in enumerate(named.values()):
        write_arpa(random_ngrams(1 + (seed + m) % 3, seed + m), path)
    return System((str(folder / "grammar"),), named, options=ParserOptions(span=3), **options)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    grammars(), st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=3), min_size=1, max_size=2),
    st.integers(0, 2), st.integers(0, 1000), st.booleans(), st.sampled_from([0.0, 1.0, 10.0]),
)  # fmt: skip
def test_translation_without_pruning_passes_every_check(  # type: ignore[no-untyped-def]
    tmp_path_factory, text, raws, models, seed, rebuilt, scale
) -> None:
    folder = tmp_path_factory.mktemp("system")
    system = system_in(folder, text, models=models, seed=seed, pop_limit=EVERYTHING)
    space = Translation.of(system, rebuilt=rebuilt)
    raws = [raw for raw in raws if space.encode(raw).parse.derivations() <= MANY]
    if raws:
        check_space(
            space, raws, seed=seed, scales=[scale], draws=100, additive=COSTS, forbidden=no_derivations
        )


def no_derivations(x: Any) -> Iterator[tuple[int, ...]]:
    """Lists of edges that are nearly derivations."""
    yield ()
    for y in itertools.islice(kibitz.spaces.hypergraph.derivation.every(x.graph), 5):
        yield (*y, y[-1])
        yield y[:-1]
        yield (*y[:-1], x.graph.edges)
        yield (-1, *y[1:])


@pytest.mark.parametrize(
    "objective",
    [
        kibitz.objective_from("el"),
        kibitz.objective_from("pr-bin", opponent="self"),
        kibitz.objective_from("pr-cont", pair_loss="shortfall"),
    ],
    ids=["el", "pr-bin", "pr-cont"],
)
def test_a_learner_finds_the_translation_that_is_rated_best(
    tmp_path: Path, objective: kibitz.Objective
) -> None:
    def loss(output: tuple[str, ...], gold: tuple[str, ...]) -> float:
        return sum(a != b for a, b in itertools.zip_longest(output, gold)) / max(len(output), len(gold))

    space = Translation.of(system_in(tmp_path, pop_limit=20))
    train = [("a b a", ("a", "d", "a")), ("a", ("a",)), ("b a", ("d", "a"))]
    learner = kibitz.Learner(space, objective, optimizer=SGD(0.3), seed=3)
    kibitz.simulate(learner, train, loss, iterations=1500)
    assert [learner.predict(x) for x, _ in train] == [y for _, y in train]


def test_what_is_saved_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    inputs = ["a b a", "a a b", "((('a', 0.5, 1),('b', 1),),(('a', 1),),)"]

    def steps(learner: kibitz.Learner, count: int, waiting: bool) -> None:
        for i in range(count):
            proposal = learner.ask(inputs[i % 3])
            learner.tell(proposal, loss=len(proposal.outputs[0]) / 8)
        if waiting:
            learner.ask(inputs[2])

    one, other = (
        kibitz.Learner(Translation.of(system_in(tmp_path, pop_limit=5)), "el", optimizer=SGD(0.1))
        for _ in range(2)
    )
    steps(one, 6, True)
    one.save(tmp_path / "saved")
    again = kibitz.load(tmp_path / "saved", space=Translation)
    again.tell(6, loss=0.5)
    steps(again, 4, False)
    steps(other, 6, True)
    other.tell(6, loss=0.5)
    steps(other, 4, False)
    assert np.array_equal(again.weights, other.weights)


def test_a_sentence_is_decoded_with_the_language_models_that_it_brings(tmp_path: Path) -> None:
    space = Translation.of(system_in(tmp_path, models=2, pop_limit=20))
    other = str(tmp_path / "other.arpa")
    write_arpa(random_ngrams(3, 17), other)
    swapped = System(
        space.system.grammars, {**space.system.models, "LM1": other},
        options=space.system.options, pop_limit=20,
    )  # fmt: skip
    expected = Translation.of(swapped)
    marked = f'<seg model="LM1={other}">a b zzz a</seg>'
    x, plain, y = space.encode(marked), space.encode("a b zzz a"), expected.encode("a b zzz a")
    assert space.encode(f'<seg model="LM1={other}">b</seg>').models is x.models
    weights = np.random.default_rng(5).normal(size=space.size)
    of_names = dict(zip(space.decoder.symbols.features.names(), weights.tolist(), strict=True))
    theirs = np.array([of_names[name] for name in expected.decoder.symbols.features.names()])
    found, right = space.distribution(x, weights), expected.distribution(y, theirs)
    assert found.log_partition == right.log_partition
    assert found.log_partition != space.distribution(plain, weights).log_partition
    best = right.argmax()
    assert found.argmax() == best
    assert space.code(x, best).tolist() == expected.code(y, best).tolist()
    assert space.code(x, best).tolist() != space.code(plain, best).tolist()
    again = space.unpack(space.pack(x))
    assert (again.models, again.brought) == (x.models, x.brought)
    assert space.distribution(again, weights).log_partition == found.log_partition


def test_a_language_model_that_cannot_take_a_place_is_refused(tmp_path: Path) -> None:
    space = Translation.of(system_in(tmp_path))
    for attribute, message in (
        ("LM=x.arpa", "x.arpa should take the place of the language model LM, but there are LM0"),
        ("LM0=nowhere.arpa", "There is no file nowhere.arpa"),
        ("x.arpa", 'should be model="NAME=FILE"'),
        ('LM0=x" model1="LM0=y', "one file for each"),
    ):
        with pytest.raises(InputError, match=message):
            space.encode(f'<seg model="{attribute}">a</seg>')
    with pytest.raises(InputError, match="but there is none"):
        Translation.of(system_in(tmp_path, models=0)).encode('<seg model="LM=x">a</seg>')


def test_a_space_without_files_cannot_be_saved(tmp_path: Path) -> None:
    decoder = Decoder(parse_grammar(RULES.encode(), "g", Symbols()))
    with pytest.raises(InputError, match="made of"):
        kibitz.Learner(Translation(decoder), "el").save(tmp_path / "saved")


def test_a_gold_output_that_pruning_lost_can_be_learned_from(tmp_path: Path) -> None:
    space = Translation.of(system_in(tmp_path, pop_limit=1))
    gold = ("a", "d", "a")
    learner = kibitz.Learner(space, "likelihood", optimizer=SGD(0.05))
    x = space.encode("a b a")
    learner.use(2.0 * np.array([name == "B" for name in space.decoder.symbols.features.names()]))
    assert space.distribution(x, learner.state).log_propensity(gold) == -np.inf
    for _ in range(300):
        learner.tell(learner.ask(x), output=gold)
    assert learner.predict(x) == gold
    with pytest.raises(InputError, match="cannot say"):
        space.check_gold(x, ("a", "a"))
