"""`kibitz evaluate`: a saved model against the gold labels of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, warn


def evaluate(
    model: options.Model,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Columns, the last one the gold label; n-best lists; or sentences."
        ),
    ],
    loss: Annotated[
        str | None, typer.Option(help="f1, hamming, 01; bleu, given.  [default: the model's own]")
    ] = None,
    references: options.References = None,
    json: options.Json = False,
) -> None:
    """Score a saved model on a file with gold labels.

    The most probable output of every input is compared; f1 counts typed spans over the whole file as
    conlleval does. A gold label that the model has never seen counts as wrong, with a warning. Beside the
    score of reranked lists stand those of their first and of their best candidates.

    \b
    Examples:
      kibitz evaluate my-model test.txt
      kibitz evaluate my-model test.txt --loss hamming --json
      kibitz evaluate my-reranker test.jsonl --references test.en
    """
    from kibitz.analysis.tables import Table
    from kibitz.tasks.evaluation import evaluate as evaluation
    from kibitz.tasks.inputs import read_inputs
    from kibitz.tasks.models import open_model

    saved = open_model(model)
    judge = saved.loss(loss)
    inputs = read_inputs(saved, file, gold=True, references=references, loss=judge.name)
    found = evaluation(saved, inputs, judge)
    if found.unseen:
        warn(
            f"the model has never seen {', '.join(found.unseen)}: every token that should have it counts as wrong."
        )
    figures = {"inputs": len(inputs), **found.figures}
    if json:
        print_json(
            {
                "model": str(model),
                "file": str(file),
                "metric": judge.metric,
                "score": found.score,
                **figures,
                "unseen_labels": list(found.unseen),
            }
        )
    else:
        names = (judge.metric, *(name.replace("_", " ") for name in figures))
        values = (found.score, *figures.values())
        print_table(Table.of(names, [[f"{v:.4f}" if isinstance(v, float) else v for v in values]]))
