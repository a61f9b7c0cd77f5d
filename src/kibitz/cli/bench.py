"""`kibitz bench`: how fast it is beside the peers and the floor, and how many judgements each method needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, say


def bench(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="WHAT", help="chain, forest, translation or feedback; the first three, unless given."
        ),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            help="feedback: chunking, handwriting or generated; may be given again.  [default: all]"
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            help="feedback: a method by name, or all; may be given again.  [default: the main ones]"
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option(metavar="N", help="feedback: runs of each, with the seeds 1 to N.")
    ] = 3,
    controls: Annotated[
        int, typer.Option(metavar="N", help="feedback: runs of each control; 0 for none.")
    ] = 10,
    budget: Annotated[
        int | None, typer.Option(metavar="N", help="feedback: judgements of a run.  [default: by task]")
    ] = None,
    difficulty: Annotated[float, typer.Option(help="generated: the share of tokens that mislead.")] = 0.3,
    length: Annotated[int, typer.Option(help="generated: tokens of a sequence.")] = 12,
    labels: Annotated[int, typer.Option(help="generated: the number of labels.")] = 8,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="feedback: where runs, tables, plots and the report go.")
    ] = Path("feedback-bench"),
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Measure speed beside the peers, or judgements needed.

    chain: an iteration of each objective on chunking, CRFsuite's supervised pass, and the floor of memory
    traffic. forest: all sums and a sample on packed forests of every size, and their floor. translation: an
    iteration that decodes, draws and steps, beside the time that the paper's own tool takes. feedback: methods,
    raters and controls on three tasks; every run is kept in --out as it ends, and begun again, only what is
    missing is run.

    \b
    Examples:
      kibitz bench
      kibitz bench chain --json
      kibitz bench forest
      kibitz bench translation
      kibitz bench feedback --task chunking
      kibitz bench feedback --task generated --labels 40 --length 30 --seeds 1 --controls 0
    """
    from kibitz.analysis.bench import ROOMS
    from kibitz.analysis.bench import bench as measured
    from kibitz.tasks.choices import choose

    if what is not None and choose("bench", what, (*ROOMS, "feedback")) == "feedback":
        from kibitz.cli.benching import judgements

        asked = {"difficulty": difficulty, "length": length, "labels": labels}
        figures = judgements(out, task, method, seeds, controls, budget, asked, workers)
        if json:
            print_json(figures)
        return
    result = measured(what, say)
    if json:
        print_json(result.to_dict())
    else:
        print_table(result.table())
