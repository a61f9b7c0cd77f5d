"""`kibitz translation grammar`: rules for sentences that a model was not built for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, say


def grammar(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="What kibitz translation build made.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Sentences, one a line; - reads standard input.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the grammars go: 0.gz for the first line.")],
    samples: Annotated[
        int, typer.Option(help="Occurrences looked at, at most, of each run of words of a sentence.")
    ] = 100,
    json: options.Json = False,
) -> None:
    """Extract grammars for sentences a model was not built for.

    Each sentence is tokenised as the model's text was, and gets the rules of those pairs that share runs of words
    with it, found in a suffix array. The limits of rules are those of the model.

    \b
    Examples:
      kibitz translation grammar model today.fr --out grammars
      kibitz translation grammar model today.fr --samples 300 --out grammars
    """
    from kibitz.cli.progress import progress
    from kibitz.data.parallel import read_sentences
    from kibitz.translation.building.model import Model
    from kibitz.translation.building.sentences import write_grammars
    from kibitz.translation.building.texts import tokenised

    built = Model.read(model)
    lines = tokenised(read_sentences(file), file, built.tokenise(), lambda done: None)
    with progress() as bars:
        rules = write_grammars(
            built, lines, out, samples,
            lambda done, total: bars.update("grammars", {"done": done, "total": total, "unit": "sentences"}),
        )  # fmt: skip
    say(f"{len(rules):,} grammars with {sum(rules):,} rules are in {out}.")
    if json:
        print_json({"model": str(model), "file": str(file), "out": str(out), "rules": rules})
