"""What `kibitz translation build` does once its options are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.analysis.numbers import count, duration
from kibitz.analysis.tables import Table
from kibitz.cli.output import kept, print_table, say
from kibitz.cli.progress import progress
from kibitz.translation.building.build import build
from kibitz.translation.building.plan import Plan


def built(plan: Plan) -> dict[str, Any]:
    """Build, print the sizes, return the report."""
    with kept(plan.out), progress() as bars:
        report = build(plan, bars.update)
    stages, files = report["stages"], report["files"]
    rows = [
        (
            name,
            _made(stage),
            duration(stage["seconds"]),
            duration(stage["processor_seconds"]),
            size(stage["bytes"]),
            stage["now"],
        )
        for name, stage in stages.items()
    ]
    memory = report["peak_memory"]
    notes = [f"Largest files: {', '.join(f'{name} {size(files[name])}' for name in _largest(files))}."]
    if memory:
        notes.append(f"Memory at most {size(memory)}.")
    columns = ("stage", "made", "time", "on processors", "size", "done now")
    print_table(Table.of(columns, rows, title=f"The model in {plan.out}", notes=notes))
    say(f"{duration(report['seconds'])} in all, {size(report['bytes'])}.")
    return {**report, "out": str(plan.out)}


def size(bytes_: float) -> str:
    """12 kB, 3.4 MB: three digits, in thousands."""
    return f"{count(bytes_)}B" if bytes_ >= 1000 else f"{bytes_:.0f} B"


def _largest(files: Mapping[str, int]) -> list[str]:
    return sorted(files, key=lambda name: -files[name])[:3]


def _made(stage: Mapping[str, Any]) -> str:
    """What a stage made, in a few words."""
    if "rules" in stage:
        return f"{stage['rules']:,} rules with {stage['source_sides']:,} source sides"
    if "links" in stage:
        return f"{stage['links']:,} links"
    if "pairs" in stage:
        left_out = stage["pairs_empty"] + stage["pairs_too_long"]
        return f"{stage['pairs']:,} pairs, {left_out:,} left out"
    sentences = sum(each["sentences"] for each in stage.values() if isinstance(each, Mapping))
    if sentences:
        return f"{sentences:,} sentences"
    models = [sum(orders) for orders in stage.values() if isinstance(orders, list)]
    return " and ".join(f"{ngrams:,} n-grams" for ngrams in models)
