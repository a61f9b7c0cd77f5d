"""`kibitz translation decode`: what a system says of sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json


def decode(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Sentences or lattices, one a line; - reads standard input."),
    ] = Path("-"),
    model: Annotated[
        Path | None, typer.Option(metavar="DIR", help="What kibitz translation build made.")
    ] = None,
    grammar: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Rules as cdec writes them. Any number of times."),
    ] = None,
    grammars: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A grammar for each line: 0.gz for the first.")
    ] = None,
    lm: Annotated[
        list[str] | None,
        typer.Option(metavar="[NAME=]FILE", help="A language model in ARPA format. Any number of times."),
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A name and a weight a line; all others are 0.")
    ] = None,
    sparse: Annotated[
        bool, typer.Option("--sparse", help="Compute RuleIdentity, bigrams and RuleShape as well.")
    ] = False,
    kbest: Annotated[
        int | None,
        typer.Option(metavar="N", help="Print the N best, with features and scores, as Moses does."),
    ] = None,
    derivations: Annotated[
        bool, typer.Option("--derivations", help="In the N best, the same words may come more than once.")
    ] = False,
    forest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the forests too: .jsonl or .cfg, .gz or .xz.")
    ] = None,
    pop_limit: Annotated[int, typer.Option(help="Candidates taken for each category and span.")] = 200,
    beam: Annotated[
        float | None,
        typer.Option(help="Leave out candidates that score less than the best by more than this."),
    ] = None,
    span: Annotated[
        int | None, typer.Option(help="The most words that a rule covers.  [default: the model's, else 10]")
    ] = None,
    glue: Annotated[bool, typer.Option(help="Join what rules cover from left to right.")] = True,
    pass_through: Annotated[bool, typer.Option(help="Let any word stand for itself.")] = True,
    json: options.Json = False,
) -> None:
    """Translate sentences with a grammar and language models.

    A line holds words, a lattice in Python Lattice Format, or <seg grammar="FILE">words</seg> with a grammar of
    its own; model="NAME=FILE" puts another language model in the place of NAME. With --model lines are
    tokenised as its text was; otherwise they are taken as they stand.

    \b
    Examples:
      kibitz translation decode --model model --weights weights news.fr > news.en
      kibitz translation decode --grammar rules.gz --lm lm.arpa.gz --weights weights < tokens.fr
      kibitz translation decode --model model --weights weights --kbest 100 --forest news.jsonl.gz news.fr
    """
    from kibitz.cli.decoding import Outputs, decoded
    from kibitz.translation.assembly import system_of

    system = system_of(
        model, grammar or [], lm or [], sparse=sparse, pop_limit=pop_limit, beam=beam, span=span, glue=glue,
        pass_through=pass_through, alone=grammars is not None,
    )  # fmt: skip
    figures = decoded(file, system, model, grammars, weights, Outputs(kbest, not derivations, forest))
    if json:
        print_json(figures)
