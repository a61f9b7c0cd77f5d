"""`kibitz reproduce`: the paper's tables by one command each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json
from kibitz.cli.reproduce_translation import translation

reproduce = typer.Typer(
    help="The paper's tables, ours beside them.", no_args_is_help=True, rich_markup_mode=None
)

Seeds = Annotated[int, typer.Option(metavar="N", help="Runs of every row, with the seeds 1 to N.")]
Fraction = Annotated[float, typer.Option(help="For a quick look: this part of the iterations.")]
FOLDER = Path("reproduction")


@reproduce.command()
def chunking(
    seeds: Seeds = 3,
    fraction: Fraction = 1.0,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where runs, tables, plots and the report go.")
    ] = FOLDER / "chunking",
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Table 1 for noun-phrase chunking: scores and iterations.

    EL, PR and CE at the chosen settings and at the paper's, and full information, with significance tests and
    the paper's claims judged at the end. Every run is kept in --out as it ends; begun again, only what is
    missing is run.

    \b
    Examples:
      kibitz reproduce chunking
      kibitz reproduce chunking --fraction 0.05 --seeds 2 --out quick
    """
    from kibitz.cli.reproducing import table_1

    figures = table_1(out, seeds, fraction, workers)
    if json:
        print_json(figures)


@reproduce.command()
def settings(
    seeds: Annotated[int, typer.Option(metavar="N", help="Runs of every rate, with the seeds 1 to N.")] = 1,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the record and the table go.")] = FOLDER
    / "settings",
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Choose the settings of Table 1 again: a sweep over the rates of each algorithm, decided by dev F1.

    Every run is a line of the record in --out as it ends; begun again, only what is missing is run.

    \b
    Examples:
      kibitz reproduce settings
      kibitz reproduce settings --seeds 3 --out three-seeds
    """
    from kibitz.cli.reproducing import chosen_settings

    figures = chosen_settings(out, seeds, workers)
    if json:
        print_json(figures)


@reproduce.command()
def convergence(
    seeds: Seeds = 3,
    fraction: Fraction = 1.0,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where runs, tables, plots and the report go.")
    ] = FOLDER / "convergence",
    scores: Annotated[
        Path, typer.Option(metavar="DIR", help="Table 1, for the claims that compare with it.")
    ] = FOLDER / "chunking",
    workers: options.Workers = None,
    json: options.Json = False,
) -> None:
    """Table 2 for noun-phrase chunking: estimates of convergence.

    Squared gradient norm, Lipschitz constant and variance of every algorithm, at the paper's equal rates and
    at the rates of Table 1, by single steps and by epoch differences, with the noise relative to the squared
    gradient, and the paper's claims judged at the end.

    \b
    Examples:
      kibitz reproduce convergence
      kibitz reproduce convergence --fraction 0.05 --seeds 2 --out quick
    """
    from kibitz.cli.reproducing import table_2

    figures = table_2(out, seeds, fraction, scores, workers)
    if json:
        print_json(figures)


reproduce.command("translation")(translation)
