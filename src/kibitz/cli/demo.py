"""`kibitz demo`: the main job on real data, end to end, in a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, say


def demo(
    iterations: Annotated[int | None, typer.Option(help="Guesses to be judged.  [default: 1200000]")] = None,
    seed: Annotated[int, typer.Option(help="Fixes every random choice.")] = 1,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report and the model go.")] = Path(
        "kibitz-demo"
    ),
    json: options.Json = False,
) -> None:
    """Learn to read handwriting, in about a minute.

    The learner guesses at a word, hears the share of letters it got wrong, and is better at once. It never
    sees the right letters. Ends with a table, and a report with pictures of words read before and after.

    \b
    Examples:
      kibitz demo
      kibitz demo --iterations 100000 --out quick-demo
    """
    from kibitz.cli.progress import progress
    from kibitz.tasks import demo as room
    from kibitz.tasks.demo_page import examples, page, readings, table

    say("Kibitz learns to read handwriting. It guesses, and is told only the share of letters it got wrong.")
    found = room.find_words()
    if not found.real:
        say(f"No handwriting to be had: {found.why}")
    say(f"Reading {found.described}. (The first time, it compiles its loops before it begins.)")
    with progress("dev") as bars:
        shown = room.show(
            found, iterations or room.ITERATIONS, seed, lambda told: bars.update("reading", told)
        )
    print_table(readings(shown, examples(shown, seed, 8)))
    typer.echo()
    print_table(table(shown))
    room.save(shown, out)
    report = page(shown, seed).save(out / "report.html")
    say(f"\nThe report is in {report}. Teach the model by hand with: kibitz judge {out}")
    if json:
        print_json({**room.figures(shown), "report": str(report)})
