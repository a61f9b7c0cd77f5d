"""Lists of candidates learn with everything: compiled and by hand the same bits, unbiased, resumed exactly."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from worlds import OBJECTIVES, OPTIMIZERS, SEVERAL, by_hand, fingerprint, learner_of

from kibitz.analysis.exact import exact_gradient
from kibitz.analysis.mean_step import mean_step
from kibitz.errors import InputError
from kibitz.feedback import Additive, GivenLoss, SentenceBLEU
from kibitz.learning.checkpoint import load
from kibitz.learning.gradient import step_gradient
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import AdaGrad
from kibitz.learning.simulation import simulate
from kibitz.spaces.candidates import Candidate, Candidates
from kibitz.spaces.generator import Generator

BLEU = SentenceBLEU()
ITERATIONS = 50
WORDS = "a b c d e".split()


def lists(count: int = 12) -> tuple[list[list[Candidate]], list[str]]:
    """Lists in which some texts stand twice; the reference is one of them, and a feature tends to know it."""
    random = np.random.default_rng(2)
    raws, golds = [], []
    for _ in range(count):
        texts = [" ".join(random.choice(WORDS, random.integers(1, 6))) for _ in range(random.integers(2, 6))]
        texts.append(texts[0])
        gold = texts[int(random.integers(len(texts)))]
        near = [1 - BLEU(text, gold) for text in texts]
        raws.append([
            Candidate(text, {"near": float(x + 0.3 * random.normal()), f"f{i}": 1.0, "noise": float(random.normal())})
            for i, (text, x) in enumerate(zip(texts, near, strict=True))
        ])  # fmt: skip
        golds.append(gold)
    return raws, golds


RAWS, GOLDS = lists()


@cache
def world() -> Any:
    space = Candidates()
    corpus = space.corpus(RAWS, GOLDS)
    space.vocabulary.freeze()
    return space, corpus


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("objective", [*OBJECTIVES, *SEVERAL])
def test_the_compiled_run_and_asking_give_the_same_bits(objective: str, dtype: str) -> None:
    space, train = world()
    for number, optimizer in enumerate(OPTIMIZERS):
        inputs = ("random", "epochs")[number % 2]
        fast, slow = (learner_of(space, objective, optimizer, dtype=dtype) for _ in range(2))
        run = simulate(fast, train, BLEU, iterations=ITERATIONS, inputs=inputs)
        by_hand(slow, train, BLEU, ITERATIONS, inputs)
        assert run.iterations == ITERATIONS
        assert fast.weights.any() or objective.startswith("pr-cont violation")
        theirs = fingerprint(slow)
        for name, bits in fingerprint(fast).items():
            assert bits == theirs[name], f"the {name} differ"


@pytest.mark.parametrize("objective", ["el mean", "pr-bin signed self", "likelihood"])
def test_a_loss_that_only_python_knows_hears_the_same(objective: str) -> None:
    space, train = world()
    fast, slow = (learner_of(space, objective, "adagrad") for _ in range(2))
    compiled = simulate(fast, train, BLEU, iterations=ITERATIONS, every=20)
    python = simulate(slow, train, lambda output, gold: BLEU(output, gold), iterations=ITERATIONS, every=20)
    assert fingerprint(fast) == fingerprint(slow)
    assert [p.heard for p in compiled.curve[1:]] == pytest.approx([p.heard for p in python.curve[1:]])


def test_a_budget_of_judgements_does_not_count_pairs_of_one_text() -> None:
    space, train = world()
    fast, slow = (learner_of(space, "pr-bin signed self") for _ in range(2))
    run = simulate(fast, train, BLEU, feedback=20)
    by_hand(slow, train, BLEU, 400, "random", 20)
    assert run.feedback == slow.judgements == 20
    assert run.iterations == slow.updates > 20
    assert fast.weights.tobytes() == slow.weights.tobytes()


@pytest.mark.parametrize("temperature", [0.0, 0.4])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_mean_step_is_the_gradient_of_the_objective(objective: str, temperature: float) -> None:
    space, raw, gold = Candidates(), RAWS[0], GOLDS[0]
    x, chosen = space.encode(raw), OBJECTIVES[objective]
    weights = np.random.default_rng(5).normal(size=space.size)

    def loss(text: str) -> float:
        return BLEU(text, gold)

    mean = mean_step(space, x, weights, chosen, loss, gold=gold, temperature=temperature, baseline=0.3)
    entropy = temperature if chosen.hears != "gold" else 0.0
    exact = exact_gradient(space, x, weights, chosen, loss, gold=gold, entropy=entropy)
    assert np.linalg.norm(exact) > 1e-3
    np.testing.assert_allclose(mean, exact, rtol=1e-8, atol=1e-10)


def test_full_information_is_the_text_of_least_loss_where_the_reference_is_no_candidate() -> None:
    raw = [Candidate("a x", {"u": 1.0}), Candidate("a b", {"v": 1.0}), Candidate("a b", {"w": 1.0})]
    given = {"a x": 0.5, "a b": 0.25}
    for gold, loss in (("a b c d", BLEU), (given, GivenLoss())):
        space = Candidates()
        corpus = space.corpus([raw], [gold])
        fast, slow = (Learner(space, "likelihood", seed=1) for _ in range(2))
        simulate(fast, corpus, loss, iterations=5)
        simulate(slow, corpus, lambda output, gold, loss=loss: loss(output, gold), iterations=5)
        assert fast.weights.tobytes() == slow.weights.tobytes()
        assert fast.predict(raw) == "a b"
        step = step_gradient(space, corpus, 0, np.zeros(3), fast.objective, loss, Generator(1))
        np.testing.assert_allclose(step.dense(3), [1 / 3, -1 / 6, -1 / 6])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_it_is_saved_with_its_pending_asks_and_goes_on(objective: str, tmp_path: Any) -> None:
    space, train = world()
    whole, part = (learner_of(space, objective, "adagrad", horizon=24) for _ in range(2))
    by_hand(whole, train, BLEU, 10, "random")
    by_hand(part, train, BLEU, 10, "random")
    asked = [learner.ask(RAWS[3]) for learner in (whole, part)]
    assert asked[0] == asked[1]
    part.save(tmp_path)
    again = load(tmp_path)
    assert again.pending[asked[0].id].proposal == asked[0]
    for learner in (whole, again):
        if learner.objective.hears == "loss":
            losses = [0.25] * len(asked[0].outputs)
            learner.tell(asked[0].id, loss=losses if len(losses) > 1 else losses[0])
        else:
            learner.tell(asked[0].id, output=GOLDS[3])
        by_hand(learner, train, BLEU, 14, "random")
    assert fingerprint(again) == fingerprint(whole)


def test_new_features_grow_a_learner_that_is_asked_and_told() -> None:
    learner = Learner(Candidates(), "pr-bin", optimizer=AdaGrad(0.3), seed=1)
    for word in "abcdefgh":
        proposal = learner.ask(
            [Candidate("good", {f"{word} good": 1.0}), Candidate("bad", {f"{word} bad": 1.0})]
        )
        if proposal.decided:
            learner.tell(proposal)
        else:
            learner.tell(proposal, prefer=proposal.outputs.index("good"))
    assert learner.space.size == len(learner.weights) == 16


def test_noise_is_drawn_anew_for_every_answer_and_not_kept_with_the_lists() -> None:
    space, train = world()
    noisy = Additive(BLEU, 0.2, Generator(3))
    assert not space.runs(noisy)
    learner = learner_of(space, "el mean", "adagrad")
    simulate(learner, train, noisy, iterations=20)
    assert learner.judgements == 20


def test_it_learns_what_there_is_to_learn() -> None:
    space, train = world()
    learner = Learner(space, "el", optimizer=AdaGrad(0.3), seed=3)
    run = simulate(learner, train, BLEU, iterations=2_000, dev=train)
    assert run.curve[0].dev < 0.6
    assert run.curve[-1].dev > 0.75


def test_a_model_that_overflowed_is_said_to_have() -> None:
    space, _ = world()
    with pytest.raises(InputError, match="no candidate has a finite score"):
        space.distribution(RAWS[0], np.full(space.size, np.nan))
