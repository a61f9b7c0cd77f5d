"""From parallel text to a translation system: the stages of a build, one after the other."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kibitz.data.checksum import checksum_of
from kibitz.data.folders import write_whole
from kibitz.translation.alignment.eflomal import check_installed
from kibitz.translation.building.model import FORMAT, Model
from kibitz.translation.building.models import make_language_models
from kibitz.translation.building.plan import Plan
from kibitz.translation.building.report import peak_memory, report
from kibitz.translation.building.rules import make_grammar, make_links
from kibitz.translation.building.stages import Figures, Stages, Work
from kibitz.translation.building.texts import prepare_inputs, prepare_text

REPORT = "report.json"

Heard = Callable[[str, dict[str, Any]], None]
"""Hears, by the name of what is going on, how much is `done` of the `total`, and the `unit`."""


def build(plan: Plan, heard: Heard = lambda what, told: None) -> dict[str, Any]:
    """Do the stages that are not done yet; returns the report, which the folder keeps as well."""
    stages, fresh = Stages(plan.out), []
    if plan.alignments is None:
        check_installed()
    for name, decides, work in _stages(plan, stages, heard):
        before = stages.done.get(name)
        if stages.run(name, [FORMAT, *decides], _measured(work)) is not before:
            fresh.append(name)
    Model.of(plan).save()
    told = report(plan, stages.done, fresh)
    write_whole(plan.out / REPORT, json.dumps(told, indent=1).encode() + b"\n")
    return told


def _stages(plan: Plan, stages: Stages, heard: Heard) -> Iterator[tuple[str, list[Any], Work]]:
    """Each stage with all that decides what it makes: its settings, and the checksums of the files it reads."""

    def seen(what: str, unit: str) -> Callable[[int, int], None]:
        return lambda done, total: heard(what, {"done": done, "total": total, "unit": unit})

    known = {path: checksum_of(path) for path in plan.files}

    def sums(*paths: Path | None) -> list[str | None]:
        return [known[path] if path else None for path in paths]

    def named(paths: Sequence[Path]) -> list[list[str]]:
        return [[path.name, known[path]] for path in paths]

    prepared = [plan.languages, plan.tokeniser]
    yield (
        "text",
        [sums(plan.source, plan.target), prepared, plan.longest],
        lambda folder: prepare_text(plan, folder, seen("text", "sentences")),
    )
    text = stages.checksums("text")
    if plan.inputs or plan.references:
        yield (
            "inputs",
            [named(plan.inputs), named(plan.references), prepared],
            lambda folder: prepare_inputs(plan, folder, seen("inputs", "files")),
        )
    yield (
        "language models",
        [text, sums(plan.lm, plan.domain_lm), plan.order, prepared],
        lambda folder: make_language_models(plan, folder, seen("language models", "models")),
    )
    yield (
        "alignment",
        [text, sums(plan.alignments)],
        lambda folder: make_links(plan, folder, seen("alignment", "steps")),
    )
    inputs = stages.checksums("inputs") if plan.inputs else {}
    yield (
        "grammar",
        [text, stages.checksums("alignment"), inputs, asdict(plan.limits), plan.rules, plan.per_sentence],
        lambda folder: make_grammar(
            plan, folder, lambda what, done, total: seen(f"grammar, {what}", "")(done, total)
        ),
    )


def _measured(work: Work) -> Work:
    """The same, with the time on processors, and the most memory this process and those it started ever had."""

    def measured(folder: Path) -> Figures:
        began = sum(os.times()[:4])
        figures = work(folder)
        spent = round(sum(os.times()[:4]) - began, 2)
        return {**figures, "processor_seconds": spent, "peak_memory": peak_memory()}

    return measured
