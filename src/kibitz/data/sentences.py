"""Sentences of our own with their noun phrases, in the shape of the chunking data, for tests and trials."""

from __future__ import annotations

import numpy as np

from kibitz.data.split import Example, Split
from kibitz.errors import InputError

LEXICON = {
    "DT": "the a this every some no".split(),
    "PRP": "she he it they we".split(),
    "JJ": "old new quiet large foreign early annual strong local".split(),
    "NN": "market report plan house company price week talk trade river answer work".split(),
    "NNS": "shares reports plans houses prices weeks talks rivers workers answers".split(),
    "NNP": "Lisbon March Ada Turing Bergen Monday Quito".split(),
    "CD": "two seven ten 1,024 3.5".split(),
    "VBD": "rose fell said reports plans saw found kept talks answers".split(),
    "RB": "slowly again not often early".split(),
    "IN": "of in for with near after".split(),
    "CC": "and but".split(),
    ",": [","],
    ".": ["."],
}
# The tags of noun phrases, likelier ones more often.
PHRASES = [
    phrase.split()
    for phrase in """
DT NN, DT NN, DT JJ NN, DT JJ JJ NN, DT NN NN, PRP, PRP, NNP, NNP NNP, JJ NNS, NNS, CD NNS, DT CD JJ NNS
""".split(",")
]


def generated_chunks(seed: int, count: int) -> list[Example]:
    """Sentences as lists of (word, tag) and their labels B, I, O; the same seed gives the same sentences.

    Some words occur as noun and as verb, and two noun phrases may meet without a word between them, so that
    neither the word nor the tag alone gives the label.
    """
    if count < 0:
        raise InputError(f"The number of sentences should not be negative, as {count} is.")
    generator = np.random.Generator(np.random.PCG64(seed))
    return [_sentence(generator) for _ in range(count)]


def generated_split(seed: int = 0, train: int = 400, dev: int = 100, test: int = 100) -> Split:
    """A split of the shape of the chunking set."""
    sentences = generated_chunks(seed, train + dev + test)
    return Split(
        train=sentences[:train],
        dev=sentences[train : train + dev],
        test=sentences[train + dev :],
        checksum=f"sentences 1, seed {seed}, {train}+{dev}+{test}",
    )


def as_columns(examples: list[Example]) -> str:
    """The text of a column file with these examples: word, tag, label."""
    blocks = (
        "".join(f"{' '.join(token)} {label}\n" for token, label in zip(raw, gold, strict=True))
        for raw, gold in examples
    )
    return "\n".join(blocks)


def _sentence(generator: np.random.Generator) -> Example:
    tokens: list[tuple[str, str]] = []
    labels: list[str] = []

    def say(tag: str, label: str) -> None:
        # Early words of a list are likelier, roughly as 1/rank.
        words = LEXICON[tag]
        tokens.append((words[int(len(words) ** generator.random()) - 1], tag))
        labels.append(label)

    def phrase() -> None:
        for i, tag in enumerate(PHRASES[int(generator.random() * len(PHRASES))]):
            say(tag, "I" if i else "B")

    for clause in range(1 + int(2 * generator.random())):
        if clause:
            say("CC", "O")
        phrase()
        if generator.random() < 0.3:
            say("RB", "O")
        say("VBD", "O")
        for _ in range(int(3 * generator.random())):
            phrase()
        while generator.random() < 0.5:
            say("IN", "O")
            phrase()
        if generator.random() < 0.2:
            say(",", "O")
    say(".", "O")
    return tokens, tuple(labels)
