"""The options that several commands share, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OF_TASK = "The task, its data and its model"

TaskName = Annotated[
    str, typer.Argument(metavar="TASK", help="chunking, handwriting, sequence, rerank or translation.")
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A saved model, or the --out folder of a run.")]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object as the last line.")]
Workers = Annotated[int | None, typer.Option("--workers", help="Runs side by side; default: the cores.")]

Train = Annotated[
    Path | None,
    typer.Option(
        "--train",
        metavar="FILE",
        help="sequence: columns, the label last; rerank: n-best lists; translation: sentences.",
        rich_help_panel=OF_TASK,
    ),
]
Dev = Annotated[
    Path | None,
    typer.Option(
        "--dev",
        metavar="FILE",
        help="sequence, rerank, translation: the file that choices are made on.",
        rich_help_panel=OF_TASK,
    ),
]
Test = Annotated[
    Path | None,
    typer.Option(
        "--test",
        metavar="FILE",
        help="sequence, rerank, translation: the file scored once, at the end.",
        rich_help_panel=OF_TASK,
    ),
]
LossName = Annotated[
    str | None,
    typer.Option(
        "--loss",
        help="sequence: f1, hamming or 01, by default f1 where the labels write spans; "
        "rerank: bleu where there are references, else given.",
        rich_help_panel=OF_TASK,
    ),
]
References = Annotated[
    Path | None,
    typer.Option(
        "--references",
        metavar="FILE",
        help="rerank, translation: a reference a line, in the order of the inputs.",
        rich_help_panel=OF_TASK,
    ),
]
DevReferences = Annotated[
    Path | None,
    typer.Option(
        "--dev-references",
        metavar="FILE",
        help="rerank, translation: those of --dev.",
        rich_help_panel=OF_TASK,
    ),
]
TestReferences = Annotated[
    Path | None,
    typer.Option(
        "--test-references",
        metavar="FILE",
        help="rerank, translation: those of --test.",
        rich_help_panel=OF_TASK,
    ),
]
SchemeName = Annotated[
    str | None,
    typer.Option(
        "--scheme",
        help="sequence: bio, iob1, iob2 or iobes, how spans are written.  [default: seen in the labels]",
        rich_help_panel=OF_TASK,
    ),
]
System = Annotated[
    Path | None,
    typer.Option(
        "--system",
        metavar="DIR",
        help="translation: what kibitz translation build made.",
        rich_help_panel=OF_TASK,
    ),
]
GrammarFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--grammar",
        metavar="FILE",
        help="translation: rules as cdec writes them. Any number of times.",
        rich_help_panel=OF_TASK,
    ),
]
LanguageModels = Annotated[
    list[str] | None,
    typer.Option(
        "--lm",
        metavar="[NAME=]FILE",
        help="translation: a model in ARPA format. Any number of times.",
        rich_help_panel=OF_TASK,
    ),
]
Sparse = Annotated[
    bool | None,
    typer.Option(
        "--sparse",
        help="translation: weigh single rules, bigrams and shapes of rules as well.",
        rich_help_panel=OF_TASK,
    ),
]
WeightsFile = Annotated[
    Path | None,
    typer.Option(
        "--weights",
        metavar="FILE",
        help="rerank, translation: begin with these, a name and a weight a line.",
        rich_help_panel=OF_TASK,
    ),
]
PopLimit = Annotated[
    int | None,
    typer.Option(
        "--pop-limit",
        help="translation: candidates of a span while learning.  [default: 30]",
        rich_help_panel=OF_TASK,
    ),
]
BestPopLimit = Annotated[
    int | None,
    typer.Option(
        "--best-pop-limit",
        help="translation: the same for what is scored.  [default: 200]",
        rich_help_panel=OF_TASK,
    ),
]
TemplateFile = Annotated[
    Path | None,
    typer.Option(
        "--templates", metavar="FILE", help="sequence: a file of feature templates.", rich_help_panel=OF_TASK
    ),
]
Order = Annotated[
    int | None,
    typer.Option("--order", help="1 or 2: how many labels back the model looks.", rich_help_panel=OF_TASK),
]
Features = Annotated[
    str | None,
    typer.Option("--features", help="handwriting: pixels or pairs (of neighbours).", rich_help_panel=OF_TASK),
]
