"""What `kibitz translation lm` does once its options are read."""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import Any

import typer

from kibitz.analysis.tables import Cell, Table
from kibitz.cli.output import print_table
from kibitz.cli.progress import progress
from kibitz.data.lines import called
from kibitz.translation.language_model import LanguageModel, estimate, perplexity, write_arpa
from kibitz.translation.language_model.perplexity import read_sentences


def built(text: Path, out: Path, order: int) -> dict[str, Any]:
    """Estimate and write; print and return what came of it."""
    began = time.perf_counter()
    with progress() as bars:

        def tell(done: int) -> None:
            bars.update("counting", {"done": done, "total": order, "unit": "orders"})

        made = estimate(read_sentences(text), order, where=called(text), tell=tell)
    write_arpa(made.ngrams, out)
    seconds = time.perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    orders = list(zip(made.ngrams.orders, made.discounts, strict=True))
    rows: list[list[Cell]] = [
        [n, len(grams), *[f"{amount:.4f}" for amount in d.amounts], d.estimated]
        for n, (grams, d) in enumerate(orders, start=1)
    ]
    size = (
        f"{made.sentences:,} sentences, {made.tokens:,} words; {seconds:.1f} seconds, {memory:,.0f} MB; {out}"
    )
    print_table(Table.of(("order", "n-grams", "D1", "D2", "D3+", "estimated"), rows, notes=(size,)))
    return {
        "model": str(out),
        "sentences": made.sentences,
        "tokens": made.tokens,
        "ngrams": [len(grams) for grams, _ in orders],
        "discounts": [list(d.amounts) for _, d in orders],
        "discounts_estimated": [d.estimated for _, d in orders],
        "seconds": seconds,
        "memory_mb": memory,
    }


def scored(model: Path, text: Path, *, each: bool) -> dict[str, Any]:
    """Score a text; print and return its perplexity."""
    asked = LanguageModel.read(model)
    sentences = list(read_sentences(text))
    if each:
        for sentence in sentences:
            typer.echo(f"{asked.score(sentence):.4f}")
    found = perplexity(asked, sentences)
    if not each:
        shown = [f"{x:.2f}" for x in (found.logprob, found.perplexity, found.perplexity_known)]
        columns = ("sentences", "words", "unknown", "log10 p", "perplexity", "without unknown words")
        size = f"{model}: order {asked.order}, {asked.nbytes / 2**20:,.0f} MB in memory"
        print_table(Table.of(columns, [(found.sentences, found.words, found.unknown, *shown)], notes=(size,)))
    return {
        "model": str(model),
        "text": str(text),
        "order": asked.order,
        "table_mb": asked.nbytes / 2**20,
        "sentences": found.sentences,
        "words": found.words,
        "unknown": found.unknown,
        "logprob": found.logprob,
        "perplexity": found.perplexity,
        "perplexity_known": found.perplexity_known,
    }
