"""Estimates are those of the definition, and those of lmplz."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import InputError
from kibitz.translation.language_model import LanguageModel, estimate, perplexity

Gram = tuple[str, ...]
SENTENCES = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8), min_size=1, max_size=40)

TINY = """the house is small
the small house
the house is old
a small house is a house
is the old house small
the house"""

# What lmplz of kenlm 0.3.0 says of it at order 3 with --discount_fallback: log10 p and log10 of backing off.
LMPLZ = {
    "<unk>": (-1.2524247, 0), "<s>": (0, -0.57403123), "</s>": (-0.87008977, 0), "house": (-0.72699875, -0.43572855),
    "small": (-0.72699875, -0.18708666), "a": (-0.96435964, -0.15490194), "<s> the": (-0.17895792, -0.30103),
    "the house": (-0.63591826, -0.30103), "house </s>": (-0.28725067, 0), "house is": (-0.80557084, -0.30103),
    "<s> is": (-1.1026623, -0.30103), "the house </s>": (-0.37189126, 0), "<s> the house": (-0.30925032, 0),
    "house is a": (-0.6158974, 0), "old house small": (-0.25229698, 0),
}  # fmt: skip


def padded(sentences: Sequence[Sequence[str]]) -> list[Gram]:
    return [("<s>", *sentence, "</s>") for sentence in sentences]


def occurrences(sentences: list[Gram], n: int) -> Counter[Gram]:
    return Counter(s[i : i + n] for s in sentences for i in range(len(s) - n + 1))


class Defined:
    """Interpolated modified Kneser-Ney by its definition, with dictionaries."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int, discounts: Sequence[Sequence[float]]):
        text = padded(sentences)
        self.vocabulary = {"<unk>", "</s>", *(w for sentence in sentences for w in sentence)}
        self.discounts = discounts
        self.adjusted: list[dict[Gram, int]] = []
        self.followers: list[dict[Gram, list[int]]] = []
        for n in range(1, order + 1):
            found = occurrences(text, n)
            if n < order:
                longer = occurrences(text, n + 1)
                before = Counter(gram[1:] for gram in longer)
                found = Counter({g: found[g] if g[0] == "<s>" else before[g] for g in found})
            found.pop(("<s>",), None)
            followers: dict[Gram, list[int]] = defaultdict(list)
            for gram, count in found.items():
                followers[gram[:-1]].append(count)
            self.adjusted.append(found)
            self.followers.append(followers)

    def p(self, gram: Gram) -> float:
        """p(w | c), which falls back on shorter contexts as far as it has to."""
        if not gram[1:]:
            lower = 1.0 / len(self.vocabulary)
        else:
            lower = self.p(gram[1:])
        return self.taken(gram) + self.gamma(gram[:-1]) * lower

    def taken(self, gram: Gram) -> float:
        total = sum(self.followers[len(gram) - 1].get(gram[:-1], [])) if self.known(gram[:-1]) else 0
        count = self.adjusted[len(gram) - 1].get(gram, 0)
        return (count - self.discount(len(gram), count)) / total if count else 0.0

    def gamma(self, context: Gram) -> float:
        if not self.known(context):
            return 1.0
        counts = self.followers[len(context)][context]
        return sum(self.discount(len(context) + 1, c) for c in counts) / sum(counts)

    def known(self, context: Gram) -> bool:
        return context in self.followers[len(context)]

    def discount(self, n: int, count: int) -> float:
        return [0.0, *self.discounts[n - 1]][min(count, 3)]


def entries(sentences: Sequence[Sequence[str]], order: int) -> Iterator[tuple[Gram, float, float]]:
    model = estimate(sentences, order).ngrams
    for grams in model.orders:
        for words, p, backoff in zip(grams.words, grams.logprob, grams.backoff, strict=True):
            yield tuple([model.words[w] for w in words]), float(p), float(backoff)


@given(SENTENCES, st.integers(1, 4))
def test_an_estimate_is_not_that_of_the_definition(sentences: list[list[str]], order: int) -> None:
    order = min(order, max(map(len, sentences)) + 2)
    made = estimate(sentences, order)
    defined = Defined(sentences, order, [d.amounts for d in made.discounts])
    seen = 0
    for gram, p, backoff in entries(sentences, order):
        seen += 1
        if gram != ("<s>",):
            assert p == pytest.approx(math.log10(defined.p(gram)), abs=1e-5)
        if len(gram) < order:
            assert backoff == pytest.approx(math.log10(defined.gamma(gram)), abs=1e-5)
    distinct = sum(len(occurrences(padded(sentences), n)) for n in range(1, order + 1))
    assert seen == distinct + 1  # <unk>


@given(SENTENCES, st.integers(1, 4), st.lists(st.sampled_from("abcde"), max_size=4))
def test_the_probabilities_of_a_context_do_not_sum_to_one(
    sentences: list[list[str]], order: int, context: list[str]
) -> None:
    order = min(order, max(map(len, sentences)) + 2)
    model = LanguageModel(estimate(sentences, order).ngrams)
    words = [word for word in model.words if word not in ("", "<s>")]
    total = sum(10.0 ** float(model.score_words([*context, word], end=False)[-1]) for word in words)
    assert total == pytest.approx(1.0, abs=1e-5)


def test_an_estimate_is_not_that_of_lmplz() -> None:
    found = {" ".join(gram): (p, b) for gram, p, b in entries([line.split() for line in TINY.split("\n")], 3)}
    assert len(found) == 9 + 19 + 21
    for gram, values in LMPLZ.items():
        assert found[gram] == pytest.approx(values, abs=2e-7), gram


def formula(adjusted: Sequence[int]) -> tuple[float, ...]:
    """The discounts of Chen and Goodman."""
    t = Counter(adjusted)
    y = t[1] / (t[1] + 2 * t[2])
    return tuple([k - (k + 1) * y * t[k + 1] / t[k] for k in (1, 2, 3)])


def test_discounts_are_not_those_of_the_text() -> None:
    rng = np.random.default_rng(3)
    words = [f"w{int(i)}" for i in rng.zipf(1.4, size=4000) if i < 3000]
    sentences = [words[i : i + 12] for i in range(0, len(words), 12)]
    made = estimate(sentences, 3)
    defined = Defined(sentences, 3, [])
    for adjusted, discounts in zip(defined.adjusted, made.discounts, strict=True):
        assert discounts.estimated
        assert discounts.amounts == pytest.approx(formula(list(adjusted.values())))
    assert made.tokens == len(words) + made.sentences


def test_discounts_that_a_text_cannot_tell_are_made_up_silently() -> None:
    made = estimate([["a", "b", "a"], ["c"]], 2)
    assert [(d.estimated, d.amounts) for d in made.discounts] == [(False, (0.5, 1.0, 1.5))] * 2


def test_blank_lines_are_sentences() -> None:
    made = estimate([[], ["a", "b"], [], ["a"]], 2)
    assert (made.sentences, made.tokens) == (2, 5)


@pytest.mark.parametrize(
    ("sentences", "order", "named"),
    [
        ([], 2, "empty"),
        ([[], []], 2, "empty"),
        ([["a"], ["b", "<s>"]], 2, "news.en:2: '<s>'"),
        ([["a", "<unk>"]], 2, "news.en:1: '<unk>'"),
        ([["a", "b"]], 5, "lower order"),
        ([["a", "b"]], 0, "1 to 7"),
        ([["a", "b"]], 8, "1 to 7"),
    ],
)
def test_a_text_that_cannot_be_used_is_used(sentences: list[list[str]], order: int, named: str) -> None:
    with pytest.raises(InputError) as refused:
        estimate(sentences, order, where="news.en")
    assert named in str(refused.value)


def test_perplexity_counts_wrong() -> None:
    model = LanguageModel(estimate([line.split() for line in TINY.split("\n")], 3).ngrams)
    sentences = [["the", "barn", "is", "old"], [], ["a", "house"]]
    found = perplexity(model, sentences)
    assert (found.sentences, found.words, found.unknown) == (2, 6, 1)
    total = model.score(sentences[0]) + model.score(sentences[2])
    barn = float(model.score_words(sentences[0])[1])
    assert found.perplexity == pytest.approx(10 ** (-total / 8), rel=1e-5)
    assert found.perplexity_known == pytest.approx(10 ** (-(total - barn) / 7), rel=1e-5)
