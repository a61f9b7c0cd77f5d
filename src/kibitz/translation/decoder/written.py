"""Rules as they are written. Many rules share a side, so what is asked of a side is computed once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from kibitz.translation.grammar.grammar import Grammar

PLACES = 5


class Side:
    """One side of a rule: its tokens, which of them are words, and all of it as one text."""

    def __init__(self, tokens: Sequence[str], words: Sequence[bool], text: str) -> None:
        self.tokens, self.words, self.text = tokens, words, text

    @cached_property
    def bigrams(self) -> list[str]:
        """Neighbours, the ends of the side among them."""
        return [f"{a}_{b}" for a, b in pairwise(["<r>", *self.tokens, "</r>"])]

    @cached_property
    def places(self) -> str:
        """Words stand at even places, categories at odd ones; a run of words takes one place."""
        taken: list[int] = []
        for is_word in self.words:
            place = taken[-1] if taken else -1
            if not is_word or place < 0 or place % 2 == 1:
                place += 1 if (place % 2 == 0) != is_word else 2
                taken.append(place)
        size = max(PLACES, taken[-1] + 1 if taken else 0)
        return "".join("1" if place in taken else "0" for place in range(size))


class Written(NamedTuple):
    """A rule; categories stand among the words of its source by their names, slots in its target as N1, N2."""

    lhs: str
    source: Side
    target: Side


def written(rules: Grammar) -> Iterator[Written]:
    """The rules of a grammar, one after the other."""
    words, categories = rules.symbols.words, rules.symbols.categories.names()
    sources: dict[tuple[int, ...], Side] = {}
    targets: dict[tuple[int, ...], Side] = {}
    source, source_ptr = rules.source.tolist(), rules.source_ptr.tolist()
    target, target_ptr = rules.target.tolist(), rules.target_ptr.tolist()
    for r, lhs in enumerate(rules.lhs.tolist()):
        left = tuple(source[source_ptr[r] : source_ptr[r + 1]])
        right = tuple(target[target_ptr[r] : target_ptr[r + 1]])
        if left not in sources:
            tokens = [words.named([s])[0] if s >= 0 else categories[-1 - s] for s in left]
            text = "_".join(token if s >= 0 else f"N{token}" for token, s in zip(tokens, left, strict=True))
            sources[left] = Side(tokens, [s >= 0 for s in left], text)
        if right not in targets:
            tokens = [words.named([s])[0] if s >= 0 else f"N{-s}" for s in right]
            targets[right] = Side(tokens, [s >= 0 for s in right], "_".join(tokens))
        yield Written(categories[lhs], sources[left], targets[right])
