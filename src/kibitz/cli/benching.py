"""What `kibitz bench feedback` does once its options are read."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from kibitz.analysis.numbers import duration
from kibitz.cli.output import kept, print_table, say
from kibitz.cli.progress import progress
from kibitz.data.folders import write_whole
from kibitz.data.generated import Difficulty
from kibitz.errors import InputError
from kibitz.tasks.judgements import pages
from kibitz.tasks.judgements.bench import TASKS, Wanted, measure
from kibitz.tasks.judgements.methods import METHODS, QUICK


def judgements(
    out: Path, tasks: Sequence[str] | None, methods: Sequence[str] | None, seeds: int, controls: int,
    budget: int | None, generated: Mapping[str, Any], workers: int | None,
) -> dict[str, Any]:  # fmt: skip
    """Run, print and keep it all; the figures as JSON."""
    if seeds < 1 or controls < 0 or (budget is not None and budget < 1):
        raise InputError(
            "The bench needs a seed and a judgement at least: give --seeds and --budget of 1 or more."
        )
    wanted = Wanted(
        tasks=tuple(tasks or TASKS),
        methods=tuple(METHODS) if methods == ["all"] else tuple(methods or QUICK),
        seeds=tuple(range(1, seeds + 1)),
        controls=controls,
        budget=budget,
        difficulty=Difficulty(**generated),
    )
    began = time.monotonic()
    with kept(out), progress() as bars:
        found = measure(wanted, out / "runs", at_once=workers, heard=bars.update)
    tables = [
        make(found, task) for task in wanted.tasks for make in (pages.method_table, pages.control_table)
    ]
    for table in tables:
        print_table(table)
        typer.echo()
    write_whole(out / "tables.md", "\n\n".join(table.markdown() for table in tables).encode() + b"\n")
    for task in wanted.tasks:
        write_whole(out / f"{task}.png", pages.curves(found, task))
    report = pages.page(found).save(out / "report.html")
    seconds = time.monotonic() - began
    say(f"Done in {duration(seconds)}. Tables, plots and {report} are in {out}.")
    return {
        "seeds": list(wanted.seeds),
        "seconds": round(seconds, 1),
        "out": str(out),
        **pages.figures(found),
    }
