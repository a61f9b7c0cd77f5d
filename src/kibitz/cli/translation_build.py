"""`kibitz translation build`: from parallel text to the files of a translation system."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json


def build(
    source: Annotated[Path, typer.Option(metavar="FILE", help="Text to translate from, a sentence a line.")],
    target: Annotated[Path, typer.Option(metavar="FILE", help="Its translation, line by line.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the model goes.")],
    inputs: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Sentences to be translated; rules are kept for them alone. Any number of times.",
        ),
    ] = None,
    references: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Translations of inputs, to be tokenised. Any number of times."),
    ] = None,
    alignments: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Word alignments like 0-0 1-2, a line a pair.  [default: eflomal's]"
        ),
    ] = None,
    lm: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Text for the language model, or an ARPA file.  [default: the target]"
        ),
    ] = None,
    domain_lm: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Text for a second language model, or an ARPA file."),
    ] = None,
    order: Annotated[int, typer.Option(help="Words of the longest n-grams of estimated models.")] = 4,
    source_language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="As in fr.  [default: the ending of the file's name, else en]"),
    ] = None,
    target_language: Annotated[str | None, typer.Option(metavar="CODE", help="Likewise.")] = None,
    tokeniser: Annotated[
        str, typer.Option(help="moses, in lower case; or none: the files are tokenised.")
    ] = "moses",
    longest: Annotated[int, typer.Option(help="Pairs with more words on a side are left out.")] = 100,
    rules: Annotated[
        int, typer.Option(help="The most frequent rules kept of each source side; 0 keeps all.")
    ] = 20,
    phrase: Annotated[int, typer.Option(help="Words of the longest phrases that rules are made of.")] = 10,
    span: Annotated[int, typer.Option(help="Words of an input that a rule may cover.")] = 15,
    symbols: Annotated[int, typer.Option(help="Words and gaps of the longest source sides.")] = 5,
    gaps: Annotated[int, typer.Option(help="Gaps of a rule, at most: 0, 1 or 2.")] = 2,
    per_sentence: Annotated[
        bool, typer.Option("--per-sentence", help="Write a grammar for each sentence of the inputs as well.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Build a translation system from parallel text.

    Tokenises, aligns words, estimates language models and extracts the rules that the inputs can use. Files may end in
    .gz or .xz. Each stage is done once: the same command goes on where it was interrupted, and after a change does only
    what the change touches.

    \b
    Examples:
      kibitz translation build --source europarl.fr --target europarl.en --inputs news-dev.fr --out model
      kibitz translation build --source europarl.fr --target europarl.en --inputs dev.fr --inputs test.fr
        --domain-lm news.en --out model
      kibitz translation build --source tokens.fr --target tokens.en --tokeniser none --alignments links --out model
    """
    from kibitz.cli.building import built
    from kibitz.translation.building.plan import Plan
    from kibitz.translation.extraction.limits import Limits

    plan = Plan(
        source, target, out, tuple(inputs or ()), tuple(references or ()), alignments, lm, domain_lm,
        source_language, target_language, tokeniser, longest, order,
        Limits(phrase=phrase, span=span, symbols=symbols, gaps=gaps), rules, per_sentence,
    )  # fmt: skip
    figures = built(plan)
    if json:
        print_json(figures)
