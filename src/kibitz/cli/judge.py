"""`kibitz judge`: a person in the terminal, one key an answer, and the model learns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, say


def judge(
    model: options.Model,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="Columns, n-best lists or sentences.  [default: what the model learnt from]",
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(help="Ask otherwise than the model did: el for ratings, pr-bin for comparisons."),
    ] = None,
    rate: Annotated[float | None, typer.Option(help="The learning rate of the answers.")] = None,
    count: Annotated[int | None, typer.Option(metavar="N", help="Leave after N answers.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes the order of the inputs.")] = 1,
    json: options.Json = False,
) -> None:
    """Teach a saved model by hand, one key an answer.

    It shows an output, or two side by side, hears one key, and learns at once. One output: 0 (all wrong) to 9
    (perfect). Two: 1 or 2 for the better one, t for a tie. Always: s skips, q leaves. The model is saved
    every few answers and when you leave.

    \b
    Examples:
      kibitz judge chunker
      kibitz judge my-model new-sentences.txt
      kibitz judge my-model --objective pr-bin --rate 0.05
    """
    from kibitz.cli.judging import Session
    from kibitz.tasks.inputs import own_inputs, read_inputs
    from kibitz.tasks.models import open_model
    from kibitz.tasks.teaching import teachable

    saved = teachable(open_model(model), objective, rate)
    inputs = own_inputs(saved) if file is None else read_inputs(saved, file, gold=False)
    session = Session(saved, inputs, seed)
    try:
        session.run(count)
    finally:
        session.save()
    say(f"{session.answers:,} answers. The model is in {saved.path}.")
    if json:
        print_json({"model": str(saved.path), "answers": session.answers, "skipped": session.skipped})
