"""Draws that hang together: what any number of them does to the mean of the step, and that each is exact by itself."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from kibitz.analysis.mean_step import mean_step
from kibitz.errors import InputError
from kibitz.learning.answer import answer_from
from kibitz.learning.learner import Learner
from kibitz.objectives import objective_from
from kibitz.spaces.candidates import Candidates
from kibitz.spaces.chain import Chain
from kibitz.spaces.coupling import ANTITHETIC, TRIES, WITHOUT_REPLACEMENT
from kibitz.spaces.generator import Generator
from kibitz.spaces.hypergraph import Hypergraph
from kibitz.spaces.weights import as_weights
from kibitz.testing.chi_square import p_value

SIGNED = {"pair_loss": "signed", "opponent": "self"}


@cache
def worlds() -> dict[str, tuple[Any, Any]]:
    """A chain, a list in which a text stands twice, and a forest in which two derivations say the same."""
    chain = Chain(["A", "B"], forbidden=[("B", "B")])
    chain_x = chain.encode([["a", "b"], ["b"]])
    lists = Candidates()
    texts = ["a", "b", "a", "c"]
    list_x = lists.encode([{"text": t, "features": {"f": i, t: 1.0}} for i, t in enumerate(texts)])
    forests = Hypergraph()
    edges = [
        {"head": "S", "output": [word], "features": {word: 1.0, f"f{i}": 1.0}} for i, word in enumerate("aab")
    ]
    forest_x = forests.encode({"root": "S", "edges": edges})
    return {"chain": (chain, chain_x), "lists": (lists, list_x), "forests": (forests, forest_x)}


def loss(y: Any) -> float:
    """Some loss of what is shown."""
    return (sum(ord(c) for c in " ".join(y)) % 7) / 7


def means(world: str, scale: float, *objectives: Any) -> list[Any]:
    space, x = worlds()[world]
    w = scale * np.random.default_rng(2).normal(size=space.size)
    return [mean_step(space, x, w, objective, loss) for objective in objectives]


RATED = [("el", {}), ("ce", {"clip": 0.2})]


@pytest.mark.parametrize("world", worlds())
@pytest.mark.parametrize("baseline", ["none", "leave-one-out"])
@pytest.mark.parametrize(("name", "options"), RATED, ids=["el", "ce"])
@pytest.mark.parametrize("scale", [1.0, 6.0])
def test_two_rated_draws_without_replacement_step_as_one_draw_does_in_the_mean(
    world: str, baseline: str, name: str, options: Any, scale: float
) -> None:
    apart = objective_from(name, draws=2, coupling="without-replacement", baseline=baseline, **options)
    one, two = means(world, scale, objective_from(name, **options), apart)
    assert np.abs(one).sum() > 1e-6
    np.testing.assert_allclose(two, one, atol=1e-9)


@pytest.mark.parametrize("world", worlds())
@pytest.mark.parametrize("name", ["pr-bin", "pr-cont"])
@pytest.mark.parametrize("pair_loss", ["signed", "shortfall"])
def test_pairs_without_replacement_step_as_independent_pairs_do_in_the_mean(
    world: str, name: str, pair_loss: str
) -> None:
    options = {"pair_loss": pair_loss, "opponent": "self"}
    independent, apart = (
        objective_from(name, coupling=coupling, **options)
        for coupling in ("independent", "without-replacement")
    )
    one, two = means(world, 1.0, independent, apart)
    np.testing.assert_allclose(two, one, atol=1e-9)


@pytest.mark.parametrize("world", worlds())
@pytest.mark.parametrize(("name", "options"), RATED, ids=["el", "ce"])
@pytest.mark.parametrize(("draws", "baseline"), [(2, "none"), (4, "none"), (4, "leave-one-out")])
def test_antithetic_draws_step_as_one_draw_does_in_the_mean(
    world: str, name: str, options: Any, draws: int, baseline: str
) -> None:
    mirrored = objective_from(name, draws=draws, coupling="antithetic", baseline=baseline, **options)
    one, several = means(world, 1.0, objective_from(name, **options), mirrored)
    np.testing.assert_allclose(several, one, atol=1e-9)


@pytest.mark.parametrize("world", worlds())
@pytest.mark.parametrize("pair_loss", ["signed", "violation", "logistic"])
@pytest.mark.parametrize("name", ["pr-bin", "pr-cont"])
def test_every_pair_of_three_steps_as_one_pair_does_in_the_mean(
    world: str, name: str, pair_loss: str
) -> None:
    two, three = (objective_from(name, draws=draws, pair_loss=pair_loss, opponent="self") for draws in (2, 3))
    one, other = means(world, 1.0, two, three)
    np.testing.assert_allclose(other, one, atol=1e-9)


@pytest.mark.parametrize("options", [
    {"name": "el", "draws": 2, "coupling": "antithetic"},
    {"name": "el", "draws": 2, "coupling": "without-replacement"},
    {"name": "pr-bin", "draws": 3, **SIGNED},
])  # fmt: skip
def test_a_baseline_from_before_the_ask_leaves_the_mean(options: Any) -> None:
    """One that learned from the first draw of an ask would depend on the second, which hangs together with it."""
    space, x = worlds()["chain"]
    w = np.random.default_rng(2).normal(size=space.size)
    plain, mean = (
        mean_step(space, x, w, objective_from(**options, baseline=baseline), loss, baseline=0.7)
        for baseline in ("none", "mean")
    )
    np.testing.assert_allclose(mean, plain, atol=1e-9)


def test_of_k_compared_outputs_each_has_its_mean_sign_against_the_others() -> None:
    space, x = worlds()["chain"]
    learner = Learner(space, objective_from("pr-bin", draws=4, **SIGNED), seed=1)
    proposal = learner.ask(x)
    losses = [loss(y) for y in proposal.outputs]
    prefer = ["tie" if one == other else int(one > other) for one, other in combinations(losses, 2)]
    pending = learner.pending[proposal.id]
    answer = answer_from("pair", 6, False, loss=None, prefer=prefer, by=None, skip=False, output=None)
    c, _ = learner.step_of(pending, answer)
    signs = np.sign(np.subtract.outer(losses, losses))
    assert len(set(losses)) > 1
    np.testing.assert_allclose(c, 2 / 4 * signs.sum(axis=1) / 3)
    learner.tell(proposal, prefer=prefer)
    assert learner.judgements == sum(a != b for a, b in combinations(proposal.outputs, 2)) > 0


@pytest.mark.parametrize("world", worlds())
def test_coupled_draws_follow_their_law_and_differ_more_often(world: str) -> None:
    space, x = worlds()[world]
    w = np.random.default_rng(2).normal(size=space.size)
    structures = list(space.structures(x))
    p = np.exp([space.distribution(x, w).log_prob(y) for y in structures])
    shown = [space.shown(x, y) for y in structures]
    same = np.array([[one == other for other in shown] for one in shown])
    rounds, signs = 600, np.array([1, 1])
    for coupling in (ANTITHETIC, WITHOUT_REPLACEMENT):
        random, counts = Generator(3), np.zeros((len(p), len(p)), np.int64)
        for _ in range(rounds):
            draw = space.draw(x, as_weights(w), signs, random, coupling)
            one, other = (structures.index(y) for y in draw.structures)
            counts[one, other] += 1
        if coupling == ANTITHETIC:
            for axis in (0, 1):
                assert p_value(counts.sum(axis=axis).tolist(), p.tolist()) > 1e-6
        else:
            propensity = same @ p
            tries = sum(propensity**n for n in range(TRIES))
            apart = np.outer(p, p) * np.add.outer(tries, tries) / 2
            joint = np.where(same, np.outer(p, p) * propensity[:, None] ** (TRIES - 1), apart)
            assert p_value(counts.ravel().tolist(), joint.ravel().tolist()) > 1e-6
        assert np.trace(counts) / rounds < p @ p


def test_a_sure_model_ends_the_search_for_another_output() -> None:
    space, x = worlds()["chain"]
    w = np.full(space.size, 0.0)
    w[: space.size // 2 * 2 : 2] = 400.0
    draw = space.draw(x, as_weights(w), np.array([1, 1]), Generator(1), WITHOUT_REPLACEMENT)
    assert draw.structures[0] == draw.structures[1]
    learner = Learner(
        space, objective_from("el", draws=2, coupling="without-replacement"), seed=1, dtype="float64"
    )
    learner.use(w)
    learner.tell(learner.ask(x), loss=[0.5, 0.5])
    assert np.isfinite(learner.weights).all()
    assert TRIES > 1


def test_a_mirrored_stream_has_one_minus_the_numbers_of_the_other() -> None:
    ahead, mirrored = Generator.stream(7), Generator.stream(7, mirrored=True)
    for _ in range(20):
        assert ahead.uniform() + mirrored.uniform() == 1.0 - 2.0**-53


def test_a_generator_goes_on_from_a_state_of_four_numbers() -> None:
    """As models have it that were saved before streams had mirror images."""
    old, new = Generator(3), Generator(9)
    new.restore(old.state[:4])
    assert [new.uniform() for _ in range(5)] == [old.uniform() for _ in range(5)]


@pytest.mark.parametrize(("name", "options", "words"), [
    ("pr-bin", {"coupling": "antithetic"}, "cannot be compared"),
    ("el", {"coupling": "antithetic", "draws": 3}, "come in pairs"),
    ("el", {"coupling": "antithetic", "draws": 2, "baseline": "leave-one-out"}, "or 4 with"),
    ("el", {"coupling": "without-replacement"}, "draws=2"),
    ("pr-bin", {"coupling": "without-replacement"}, "opponent self"),
    ("el", {"coupling": "entangled"}, "no coupling of draws"),
    ("pr-bin", {"draws": 3}, "with the opponent self"),
    ("pr-bin", {"draws": 1}, "two draws"),
])  # fmt: skip
def test_what_would_not_be_unbiased_is_refused(name: str, options: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        objective_from(name, **options)


def test_of_several_pairs_each_needs_its_answer() -> None:
    space, x = worlds()["chain"]
    learner = Learner(space, objective_from("pr-bin", draws=3, **SIGNED), seed=2)
    with pytest.raises(InputError, match=r"3 pairs are compared.*prefer=\[...\]"):
        learner.tell(learner.ask(x), prefer=1)
