"""`kibitz bench`: how fast it is, beside the peers and the floor that memory traffic sets."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, say


def bench(
    what: Annotated[
        str | None, typer.Argument(metavar="WHAT", help="chain, forest or translation; all, unless given.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Measure speed beside the peers and the floor.

    chain: an iteration of each objective on chunking, CRFsuite's supervised pass, and the floor of memory
    traffic. forest: all sums and a sample on packed forests of every size, and their floor. translation: an
    iteration that decodes, draws and steps, beside the time that the paper's own tool takes.

    \b
    Examples:
      kibitz bench
      kibitz bench chain --json
      kibitz bench forest
      kibitz bench translation
    """
    from kibitz.analysis.bench import ROOMS
    from kibitz.analysis.bench import bench as measured
    from kibitz.tasks.choices import choose

    result = measured(None if what is None else choose("bench", what, ROOMS), say)
    if json:
        print_json(result.to_dict())
    else:
        print_table(result.table())
