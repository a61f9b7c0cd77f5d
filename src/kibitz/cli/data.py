"""`kibitz data`: which data sets there are, and getting them."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, say

data = typer.Typer(
    help="The data sets of the experiments: list them, fetch them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@data.command("list")
def list_sets(json: options.Json = False) -> None:
    """List the data sets and where they are.

    KIBITZ_DATA names a folder to read everything from; without it, sets come from their official source
    into the platform's cache folder.

    \b
    Examples:
      kibitz data list
      kibitz data list --json
    """
    from kibitz.analysis.tables import Table
    from kibitz.data import CATALOGUE, cache_folder, data_folder, present

    folder = data_folder() or cache_folder()
    sets: list[dict[str, str | bool]] = [
        {"name": entry.name, "here": present(entry), "licence": entry.licence, "source": entry.page,
         "description": entry.description}
        for entry in CATALOGUE
    ]  # fmt: skip
    if json:
        print_json({"folder": str(folder), "sets": sets})
        return
    rows = [(entry["name"], entry["here"], entry["description"], entry["licence"]) for entry in sets]
    print_table(Table.of(("set", "here", "what", "licence"), rows, notes=(f"Folder: {folder}",)))


@data.command("fetch")
def fetch_sets(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="SET...", help="Names of sets.  [default: all of them]")
    ] = None,
    json: options.Json = False,
) -> None:
    """Get data sets, check them, keep them.

    They come from their official sources and go to the cache folder; with KIBITZ_DATA set, that folder is checked.

    \b
    Examples:
      kibitz data fetch
      kibitz data fetch conll2000
    """
    from kibitz.data import CATALOGUE, data_set, fetch, present

    wanted = [data_set(name) for name in names] if names else list(CATALOGUE)
    for entry in wanted if not names else ():
        if entry.by_hand and not present(entry):
            say(f"{entry.name}: left out, to be got by hand from {entry.page}")
    wanted = [entry for entry in wanted if names or present(entry) or not entry.by_hand]
    files = {}
    for entry in wanted:
        files[entry.name] = [str(path) for path in fetch(entry)]
        say(f"{entry.name}: {', '.join(files[entry.name])}")
    if json:
        print_json({"sets": files})
