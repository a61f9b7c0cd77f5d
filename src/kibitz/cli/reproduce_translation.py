"""`kibitz reproduce translation`: the paper's translation experiment by one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json

Two = tuple[Path, Path] | None
FILES = "SOURCE TARGET"


def translation(
    out_of_domain: Annotated[
        Two, typer.Option(metavar=FILES, help="Text to build from.  [default: Europarl]")
    ] = None,
    held_out: Annotated[
        Two, typer.Option(metavar=FILES, help="Text like it, to tune the start on.  [default: Europarl]")
    ] = None,
    in_domain: Annotated[
        Two,
        typer.Option(
            metavar=FILES,
            help="Text to learn from, and for the domain's model.  [default: news, 7,754 pairs]",
        ),
    ] = None,
    tune: Annotated[
        Two, typer.Option(metavar=FILES, help="Text to tune the reference on.  [default: nc-dev2007]")
    ] = None,
    dev: Annotated[
        Two, typer.Option(metavar=FILES, help="Text to choose weights on.  [default: nc-devtest2007]")
    ] = None,
    test: Annotated[Two, typer.Option(metavar=FILES, help="Text to test on.  [default: nc-test2007]")] = None,
    post_edits: Annotated[
        Two, typer.Option(metavar=FILES, help="Sentences with post-edited translations.  [default: news]")
    ] = None,
    pairs: Annotated[
        int, typer.Option(metavar="N", help="Of the text to build from, the first N.")
    ] = 100_000,
    sentences: Annotated[
        int | None, typer.Option(metavar="N", help="For a quick look: of each other text N, evenly spread.")
    ] = None,
    seeds: Annotated[int, typer.Option(metavar="N", help="Runs of every row, with the seeds 1 to N.")] = 3,
    iterations: Annotated[
        int | None, typer.Option(metavar="N", help="How many times a run asks.  [default: 7500]")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="The paper's 20 passes over all sentences in every run.")
    ] = False,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the system, runs, tables, plots and the report go.")
    ] = Path("reproduction/translation"),
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Translation from bandit feedback: a system of one domain adapts to another.

    Builds a system from parallel text, tunes it on both domains with references, and learns with EL, PR and CE from
    the scores of single translations: BLEU on dev and test, significance, the part of the gap that is closed, and the
    estimates of convergence. Everything is kept in --out as it ends; begun again, the command goes on where it was.

    \b
    Examples:
      kibitz reproduce translation
      kibitz reproduce translation --pairs 10000 --sentences 500 --iterations 2000 --seeds 1 --out quick
      kibitz reproduce translation --out-of-domain europarl.fr europarl.en --in-domain nc.fr nc.en --full --out wmt07
    """
    from kibitz.cli.adapting import adapted
    from kibitz.tasks.adaptation.texts import Texts

    named = {
        "out-of-domain": out_of_domain, "held-out": held_out, "in-domain": in_domain, "tune": tune, "dev": dev,
        "test": test, "post-edits": post_edits,
    }  # fmt: skip
    files = {part: two for part, two in named.items() if two is not None}
    figures = adapted(Texts(files, pairs, sentences), out, seeds, iterations, full, workers)
    if json:
        print_json(figures)
