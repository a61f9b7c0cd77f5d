"""`kibitz translation tune`: weights for a system, from sentences with references."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import INTERRUPTED, print_json


def tune(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Sentences or lattices, one a line.")],
    references: Annotated[Path, typer.Option(metavar="FILE", help="A reference a line.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the weights go, a name and a weight a line.")
    ],
    system: Annotated[
        Path | None, typer.Option(metavar="DIR", help="What kibitz translation build made.")
    ] = None,
    grammar: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Rules as cdec writes them. Any number of times."),
    ] = None,
    lm: Annotated[
        list[str] | None,
        typer.Option(metavar="[NAME=]FILE", help="A language model in ARPA format. Any number of times."),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Begin with these.  [default: set by hand, for what build makes]"),
    ] = None,
    sparse: Annotated[
        bool, typer.Option("--sparse", help="Weigh single rules, bigrams and shapes of rules as well.")
    ] = False,
    dev: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Sentences to choose on.  [default: the last weights]")
    ] = None,
    dev_references: Annotated[Path | None, typer.Option(metavar="FILE", help="Those of --dev.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Sentences drawn from.  [default: 4000]")] = None,
    rate: Annotated[float | None, typer.Option(help="The learning rate.  [default: 0.2]")] = None,
    draws: Annotated[
        int | None, typer.Option(help="Translations drawn of a sentence.  [default: 16]")
    ] = None,
    pop_limit: Annotated[int, typer.Option(help="Candidates of a span while tuning.")] = 30,
    seed: Annotated[int, typer.Option(help="Fixes every random choice.")] = 1,
    json: options.Json = False,
) -> None:
    """Tune the weights of a system on sentences with references.

    Translations are drawn from the system, all are compared with the reference, and the weights follow the gradient of
    the expected loss, 1 - sentence BLEU.

    \b
    Examples:
      kibitz translation tune dev.fr --references dev.en --system model --out weights
      kibitz translation tune dev.fr --references dev.en --system model --sparse --weights dense --out sparse
    """
    from kibitz.cli.tuning import tuned

    figures = tuned(
        file, references, out, {
            "system": system, "grammar": grammar, "lm": lm, "weights": weights, "sparse": sparse or None, "dev": dev,
            "dev_references": dev_references, "pop_limit": pop_limit,
        },
        {"iterations": iterations, "rate": rate, "draws": draws}, seed,
    )  # fmt: skip
    if json:
        print_json(figures)
    if figures["interrupted"]:
        raise typer.Exit(INTERRUPTED)
