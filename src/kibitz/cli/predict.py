"""`kibitz predict`: the most probable output of every input of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, say


def predict(
    model: options.Model,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Columns, n-best lists or sentences; - reads standard input."),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write here, not to standard output.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Predict with a saved model.

    The lines of FILE come back, each with the predicted label after it. FILE has the columns the model learnt
    from; the label may be there or not, it is not looked at. A model that reads handwriting takes a file of 0
    and 1 pixels, or one like letter.data. A model that reranks takes n-best lists: the best text of each list
    comes back, a line each. A model that translates takes sentences, a line each.

    \b
    Examples:
      kibitz predict my-model new.txt > labelled.txt
      kibitz predict my-model new.txt --out labelled.txt
      kibitz predict my-reranker nbest.jsonl.gz > best.txt
      cut -d' ' -f1,2 test.txt | kibitz predict chunker -
    """
    from kibitz.data.folders import write_whole
    from kibitz.tasks.inputs import read_inputs, written
    from kibitz.tasks.models import open_model

    saved = open_model(model)
    inputs = read_inputs(saved, file, gold=False)
    corpus = saved.space.corpus([each.raw for each in inputs])
    predictions = saved.space.predict(corpus, saved.learner.weights)
    text = written(inputs, predictions)
    if out is not None:
        write_whole(out, text.encode())
        say(f"{len(inputs):,} predictions are in {out}.")
    else:
        typer.echo(text, nl=False)
    if json:
        tokens = sum(len(output.split() if isinstance(output, str) else output) for output in predictions)
        print_json({"model": str(model), "file": str(file), "inputs": len(inputs), "tokens": tokens})
