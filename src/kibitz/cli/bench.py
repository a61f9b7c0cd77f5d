"""`kibitz bench`: how fast it is, beside the peers and the floor that memory traffic sets."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, say


def bench(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="chain.")] = "chain",
    json: options.Json = False,
) -> None:
    """Measure speed beside the peers and the floor.

    An iteration of each objective on chunking, CRFsuite's supervised pass, and the floor of memory traffic,
    in one run.

    \b
    Examples:
      kibitz bench
      kibitz bench chain --json
    """
    from kibitz.analysis.bench import bench as measured
    from kibitz.tasks.choices import choose

    result = measured(choose("bench", what, ("chain",)), say)
    if json:
        print_json(result.to_dict())
    else:
        print_table(result.table())
