"""`kibitz evaluate`: a saved model against the gold labels of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, warn


def evaluate(
    model: options.Model,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Columns, the last one the gold label.")],
    loss: Annotated[str | None, typer.Option(help="f1, hamming or 01.  [default: the model's own]")] = None,
    json: options.Json = False,
) -> None:
    """Score a saved model on a file with gold labels.

    The most probable output of every input is compared; f1 counts typed spans over the whole file as
    conlleval does. A gold label that the model has never seen counts as wrong, with a warning.

    \b
    Examples:
      kibitz evaluate my-model test.txt
      kibitz evaluate my-model test.txt --loss hamming --json
    """
    from kibitz.analysis.tables import Table
    from kibitz.tasks.inputs import read_inputs
    from kibitz.tasks.models import open_model

    saved = open_model(model)
    judge = saved.loss(loss)
    inputs = read_inputs(saved, file, gold=True)
    golds = [each.gold or () for each in inputs]
    unseen = sorted({label for gold in golds for label in gold} - set(saved.space.labels))
    if unseen:
        warn(
            f"the model has never seen {', '.join(unseen)}: every token that should have it counts as wrong."
        )
    predictions = saved.space.predict(
        saved.space.corpus([each.raw for each in inputs]), saved.learner.weights
    )
    score = judge.corpus(predictions, golds)
    tokens = sum(map(len, golds))
    right = sum(a == b for p, g in zip(predictions, golds, strict=True) for a, b in zip(p, g, strict=True))
    if json:
        print_json(
            {
                "model": str(model),
                "file": str(file),
                "inputs": len(inputs),
                "tokens": tokens,
                "metric": judge.metric,
                "score": score,
                "token_accuracy": right / tokens,
                "unseen_labels": unseen,
            }
        )
    else:
        row = (len(inputs), tokens, f"{score:.4f}", f"{right / tokens:.4f}")
        print_table(Table.of(("inputs", "tokens", judge.metric, "token accuracy"), [row]))
