"""The peers of the language model: kenlm, which scores, and its lmplz, which estimates."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.analysis.tables import Table
from kibitz.errors import InputError
from kibitz.translation.language_model import (
    LanguageModel,
    NGrams,
    estimate,
    perplexity,
    read_arpa,
    write_arpa,
)

_MEMORY = "2G"  # for lmplz, which takes most of the machine's unless it is told


@dataclass(frozen=True, slots=True)
class Agreement:
    """Both on the same text."""

    sentences: int
    words: int
    unknown: int
    largest_difference: float  # between two scores of one sentence, log10
    perplexity: float
    seconds: dict[str, float]
    perplexity_lmplz: float | None = None
    largest_difference_lmplz: float | None = None  # between the numbers of one n-gram, log10

    @property
    def excess(self) -> float | None:
        """How much higher our perplexity is than that of lmplz's model, as a share."""
        return None if self.perplexity_lmplz is None else self.perplexity / self.perplexity_lmplz - 1.0

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "excess": self.excess}

    def table(self) -> Table:
        """The figures as people read them."""
        rows: list[tuple[str, str | float | None]] = [
            ("sentences", self.sentences),
            ("words", self.words),
            ("unknown words", self.unknown),
            ("largest difference of two scores, log10", _power(self.largest_difference)),
            ("perplexity", f"{self.perplexity:.3f}"),
            ("perplexity of lmplz's model", self.perplexity_lmplz and f"{self.perplexity_lmplz:.3f}"),
            ("largest difference of two numbers of the models, log10", _power(self.largest_difference_lmplz)),
        ]
        rows += [(f"seconds, {name}", f"{seconds:.2f}") for name, seconds in self.seconds.items()]
        return Table.of(("figure", ""), rows, "Language models beside kenlm")


def agreement(
    text: Sequence[Sequence[str]],
    heldout: Sequence[Sequence[str]],
    order: int,
    lmplz: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Agreement:
    """Estimate a model of the text, score what was held out with it here and in kenlm, and ask lmplz for its own."""
    try:
        import kenlm
    except ImportError as error:
        raise InputError("kenlm is a peer and no part of Kibitz: install it (pip install kenlm)") from error
    seconds: dict[str, float] = {}

    def timed(name: str, run: Callable[[], Any]) -> Any:
        say(f"{name} ...")
        began = time.perf_counter()
        result = run()
        seconds[name] = time.perf_counter() - began
        return result

    quiet = kenlm.Config()
    quiet.show_progress = False
    heldout = [sentence for sentence in heldout if sentence]
    lines = [" ".join(sentence) for sentence in heldout]
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.arpa", Path(folder) / "theirs.arpa"
        made = timed("estimating", lambda: estimate(text, order))
        timed("writing", lambda: write_arpa(made.ngrams, ours))
        model = timed("reading", lambda: LanguageModel.read(ours))
        peer = timed("reading, kenlm", lambda: kenlm.Model(str(ours), quiet))
        scores = timed("scoring", lambda: [model.score(sentence) for sentence in heldout])
        others = timed("scoring, kenlm", lambda: [peer.score(line) for line in lines])
        found = perplexity(model, heldout)
        if lmplz is not None:
            timed("estimating, lmplz", lambda: _lmplz(lmplz, text, order, theirs))
        other = read_arpa(theirs)[0] if lmplz else None
    return Agreement(
        sentences=found.sentences,
        words=found.words,
        unknown=found.unknown,
        largest_difference=max((abs(a - b) for a, b in zip(scores, others, strict=True)), default=0.0),
        perplexity=found.perplexity,
        seconds=seconds,
        perplexity_lmplz=None if other is None else perplexity(LanguageModel(other), heldout).perplexity,
        largest_difference_lmplz=None if other is None else _difference(made.ngrams, other),
    )


def _difference(ours: NGrams, theirs: NGrams) -> float:
    """The largest difference of two probabilities, or backoff weights, of one n-gram; infinite if there are others."""
    number = {word: i for i, word in enumerate(ours.words)}
    if set(theirs.words) != set(number) or len(ours.orders) != len(theirs.orders):
        return float("inf")
    numbers = np.array([number[word] for word in theirs.words], np.int32)
    largest = 0.0
    for a, b in zip(ours.orders, theirs.orders, strict=True):
        words = numbers[b.words]
        by_a, by_b = np.lexsort(a.words.T), np.lexsort(words.T)
        if not np.array_equal(a.words[by_a], words[by_b]):
            return float("inf")
        for x, y in ((a.logprob, b.logprob), (a.backoff, b.backoff)):
            largest = max(largest, float(np.abs(x[by_a] - y[by_b]).max()))
    return largest


def _power(difference: float | None) -> str | None:
    return None if difference is None else f"{difference:.1e}"


def _lmplz(program: Path, text: Sequence[Sequence[str]], order: int, out: Path) -> None:
    corpus = out.with_suffix(".txt")
    corpus.write_text("".join([f"{' '.join(s)}\n" for s in text if s]), encoding="utf-8")
    command = [str(program), "-o", str(order), "-S", _MEMORY, "-T", str(out.parent), "--discount_fallback"]
    with corpus.open("rb") as given, out.open("wb") as taken:
        try:
            done = subprocess.run(command, stdin=given, stdout=taken, stderr=subprocess.PIPE, check=False)
        except OSError as error:
            raise InputError(f"{program} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["nothing"]
        raise InputError(f"{program} failed, and said: {said[-1]}")
