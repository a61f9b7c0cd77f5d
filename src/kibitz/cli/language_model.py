"""`kibitz translation lm`: language models by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, say

language_model = typer.Typer(
    help="N-gram language models: estimate them, score with them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TEXT_HELP = "Tokenised text, a sentence a line; .gz, .xz, - for standard input."
Text = Annotated[Path, typer.Argument(metavar="TEXT", help=TEXT_HELP)]
Order = Annotated[int, typer.Option("--order", help="The length of the longest n-grams, 1 to 7.")]


@language_model.command("build")
def build(
    text: Text,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The ARPA file; packed if it ends in .gz.")],
    order: Order = 4,
    json: options.Json = False,
) -> None:
    """Estimate a language model from text.

    Interpolated modified Kneser-Ney with the discounts of each order, as lmplz estimates. Where the text is
    too small to tell the discounts of an order, 0.5, 1 and 1.5 stand in, and the table says so.

    \b
    Examples:
      kibitz translation lm build europarl.en --out europarl.arpa.gz
      kibitz translation lm build news.en.xz --order 5 --out news.arpa --json
    """
    from kibitz.cli.language_models import built

    figures = built(text, out, order)
    if json:
        print_json(figures)


@language_model.command("score")
def score(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="An ARPA file, also .gz or .xz.")],
    text: Text,
    each: Annotated[
        bool, typer.Option("--each", help="Print log10 p of every sentence, a line each.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Say how probable a model finds a text.

    Sentences are scored from beginning to end. Perplexity counts the end of a sentence as a word; it stands
    there with and without the words that the model does not know.

    \b
    Examples:
      kibitz translation lm score europarl.arpa.gz dev.en
      kibitz translation lm score europarl.arpa.gz dev.en --each > scores.txt
    """
    from kibitz.cli.language_models import scored

    figures = scored(model, text, each=each)
    if json:
        print_json(figures)


@language_model.command("compare")
def compare(
    text: Text,
    heldout: Annotated[Path, typer.Argument(metavar="HELDOUT", help="Text to score, of the same kind.")],
    order: Order = 4,
    lmplz: Annotated[
        Path | None, typer.Option(metavar="PROGRAM", help="kenlm's lmplz, which estimates a model as well.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Compare scores with kenlm's, and perplexity with lmplz's.

    A model is estimated from TEXT and written; Kibitz and kenlm read that file and score HELDOUT.

    \b
    Examples:
      kibitz translation lm compare europarl.en dev.en
      kibitz translation lm compare europarl.en dev.en --order 5 --lmplz kenlm/build/bin/lmplz --json
    """
    from kibitz.analysis.bench.kenlm import agreement
    from kibitz.translation.language_model.perplexity import read_sentences

    result = agreement(list(read_sentences(text)), list(read_sentences(heldout)), order, lmplz, say)
    if json:
        print_json(result.to_dict())
    else:
        print_table(result.table())
