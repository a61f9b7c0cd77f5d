"""N-best lists from nothing but word-aligned text: every word translated by itself, in order, by beam search.

    python examples/word_by_word.py fr.xz en.xz align.xz --tables 8000 --out lists

Files may be plain, .gz or .xz; the alignment has `0-0 1-2 ...` a line. The first lines give the tables: how often
a word was translated as which, and how often words follow each other. Each further line gives a list: of five lists
three go to `train.jsonl` in the folder, one to `dev.jsonl` and one to `test.jsonl`.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from math import log
from pathlib import Path

from kibitz.data.lines import numbered_lines
from kibitz.data.nbest import NBest, as_json_line
from kibitz.spaces.candidates import Candidate

OPTIONS = 6  # translations of a word that are tried
OFTEN = 50  # a word seen so often has a feature for each of its translations
START, END = "<s>", "</s>"
PLAIN = {"follows": 1.0, "there": 1.0, "back": 0.5, "words": 1.0}  # the weights of the search
Pair = tuple[list[str], list[str], set[tuple[int, int]]]


def aligned(source: str, target: str, alignment: str) -> Iterator[Pair]:
    """Source words, target words and the links between them."""
    files = [numbered_lines(path) for path in (source, target, alignment)]
    for (_, theirs), (_, ours), (_, links) in zip(*files, strict=True):
        ends = (link.split("-") for link in links.split())
        yield theirs.split(), ours.split(), {(int(i), int(j)) for i, j in ends}


class Tables:
    """What aligned text says of words and of neighbours."""

    def __init__(self, text: list[Pair]) -> None:
        self.there: dict[str, Counter[str]] = defaultdict(Counter)
        self.back: dict[str, Counter[str]] = defaultdict(Counter)
        self.after: dict[str, Counter[str]] = defaultdict(Counter)
        for theirs, ours, links in text:
            for i, word in enumerate(theirs):
                phrase = " ".join(ours[j] for j in range(len(ours)) if (i, j) in links)
                self.there[word][phrase] += 1
                self.back[phrase][word] += 1
            for a, b in pairwise([START, *ours, END]):
                self.after[a][b] += 1
        self.words = Counter(word for _, ours, _ in text for word in [*ours, END])
        self.size = self.words.total()

    def follows(self, a: str, b: str) -> float:
        """log p(b | a), mixed with how frequent b is by itself."""
        after = self.after.get(a, Counter())
        return log(0.8 * after[b] / max(1, after.total()) + 0.2 * (self.words[b] + 0.1) / self.size)

    def features(self, word: str, phrase: str, before: str) -> dict[str, float]:
        """What translating a word adds, behind the word `before`."""
        there, back = self.there.get(word, Counter()), self.back.get(phrase, Counter())
        words = phrase.split()
        found = {
            "follows": sum(self.follows(a, b) for a, b in pairwise([before, *words])),
            "there": log((there[phrase] + 0.1) / (there.total() + 1)),
            "back": log((back[word] + 0.1) / (back.total() + 1)),
            "words": float(len(words)),
            "dropped": float(not words),
        }
        if there.total() >= OFTEN:
            found[f"{word}={phrase}"] = 1.0
        return found


def translations(tables: Tables, source: list[str], size: int) -> list[Candidate]:
    """The best translations under the plain weights, best first."""
    beam = [(0.0, (START,), Counter[str]())]
    for word in source:
        phrases = [phrase for phrase, _ in tables.there.get(word, Counter()).most_common(OPTIONS)] or [word]
        longer: dict[tuple[str, ...], tuple[float, tuple[str, ...], Counter[str]]] = {}
        for score, words, sums in beam:
            for phrase in phrases:
                new = tables.features(word, phrase, words[-1])
                total = score + sum(weight * new[name] for name, weight in PLAIN.items())
                both = (*words, *phrase.split())
                if both not in longer or longer[both][0] < total:
                    added = Counter(sums)
                    added.update(new)
                    longer[both] = (total, both, added)
        beam = sorted(longer.values(), key=lambda each: -each[0])[:size]
    return [Candidate(" ".join(words[1:]), dict(sums)) for _, words, sums in beam]


def main() -> None:
    """Read, count, translate, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("source", "target", "alignment"):
        parser.add_argument(name)
    parser.add_argument("--tables", type=int, default=8000, help="lines that the tables are counted on")
    parser.add_argument("--lists", type=int, default=2000, help="lists to write, at most")
    parser.add_argument("--size", type=int, default=100, help="candidates of a list, at most")
    parser.add_argument("--longest", type=int, default=30, help="words of a source line, at most")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    options = parser.parse_args()
    text = list(aligned(options.source, options.target, options.alignment))
    tables = Tables(text[: options.tables])
    rest = [pair for pair in text[options.tables :] if 0 < len(pair[0]) <= options.longest][: options.lists]
    options.out.mkdir(parents=True, exist_ok=True)
    parts = [(options.out / f"{name}.jsonl").open("w", encoding="utf-8") for name in ("train", "dev", "test")]
    for number, (theirs, ours, _) in enumerate(rest):
        candidates = translations(tables, theirs, options.size)
        nbest = NBest(str(number), candidates, 0, None, " ".join(ours), " ".join(theirs))
        parts[max(0, number % 5 - 2)].write(as_json_line(nbest) + "\n")
    for part in parts:
        part.close()
    print(f"{len(rest):,} lists are in {options.out}.")


if __name__ == "__main__":
    main()
