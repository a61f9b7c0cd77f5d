"""`kibitz forest`: packed forests looked at, drawn, and brought from one format into another."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import options
from kibitz.cli.output import print_json, print_table, say, warn

if TYPE_CHECKING:
    from kibitz.analysis.forest_summary import ForestSummary, Said

WHOLE = 10**15  # from here on a count is given by its size

forest = typer.Typer(
    help="Packed forests: look at them, draw them, convert them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

From = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="jsonl, moses or cdec.  [default: seen in the file]"),
]


@forest.command("show")
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Forests; - reads standard input.")],
    id: Annotated[str | None, typer.Option("--id", help="Which forest.  [default: the first]")] = None,
    weights: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="A name and a number a line; may be given again.  [default: all 0]"
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="How many of the best outputs to list.")] = 5,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw it here, as SVG.")] = None,
    dot: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw it here, as Graphviz DOT.")] = None,
    edges: Annotated[
        int, typer.Option(min=1, help="How many edges to draw at most, those of the best.")
    ] = 40,
    form: From = None,
    json: options.Json = False,
) -> None:
    """Show a forest: how large it is, its best outputs, a picture.

    The probability of an output is the sum over its derivations, its score that of the best of them. A
    picture of a large forest has the edges of its best derivations, and says at each node how many it lacks.

    \b
    Examples:
      kibitz forest show forests.jsonl --id 7
      kibitz forest show input.cfg --weights weights --svg forest.svg
      kibitz forest show hg.xz --weights dense.weights --weights sparse.weights --top 10 --json
    """
    from kibitz.analysis.drawing import as_dot, as_svg
    from kibitz.analysis.forest_summary import ForestSummary
    from kibitz.data.folders import write_whole
    from kibitz.data.forests import read_forest, read_weights

    named = read_forest(file, form, id=id)
    given: dict[str, float] = {}
    for path in weights or ():
        given |= read_weights(path)
    if given and not given.keys() & set(named.forest.names):
        warn("no weight is that of a feature of this forest: all derivations are equally probable.")
    summary = ForestSummary(named.forest, given)
    best = summary.best(top) if top else []
    title = f"Forest {named.id} of {file}"
    for out, draw in ((svg, lambda part: as_svg(part, title=title)), (dot, as_dot)):
        if out is not None:
            write_whole(out, draw(summary.sketch(edges)).encode())
            say(f"The picture is in {out}.")
    if json:
        drawn = {"svg": svg and str(svg), "dot": dot and str(dot)}
        print_json({"file": str(file), "id": named.id, **_figures(summary), "outputs": _plain(best), **drawn})
    else:
        _print(named.id, summary, best)


@forest.command("convert")
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Forests; - reads standard input.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="Where they go; packed if it ends in .gz or .xz.")
    ],
    form: From = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT", help="jsonl, moses or cdec.  [default: jsonl if OUT ends so, cdec if in .cfg]"
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Write the forests of a file in another format.

    They are read and written one at a time. If one is wrong, OUT stays as it was.

    \b
    Examples:
      kibitz forest convert hg.xz forest.jsonl.gz
      kibitz forest convert input.cfg forest.hg --to moses
      xzcat rules.xz | kibitz forest convert - rules.jsonl --from cdec
    """
    from kibitz.data.forests import format_for, read_forests, write_forests

    chosen = to or format_for(target)
    written = write_forests(target, read_forests(source, form), chosen)
    say(f"{written:,} forests are in {target}." if written != 1 else f"The forest is in {target}.")
    if json:
        print_json({"in": str(source), "out": str(target), "to": chosen, "forests": written})


def _figures(summary: ForestSummary) -> dict[str, str | int | float]:
    forest, derivations = summary.forest, summary.derivations
    return {
        "root": forest.root,
        "nodes": len(forest.nodes),
        "edges": len(forest),
        "features": len(forest.names),
        "words": len(forest.words),
        "derivations": derivations if derivations < WHOLE else _rounded(derivations),
        "log10_derivations": math.log10(derivations),
        "log_partition": summary.model.log_partition,
        "entropy": summary.model.entropy(),
    }


def _rounded(derivations: int) -> float:
    return float(derivations) if derivations < 1e300 else math.inf


def _plain(best: list[Said]) -> list[dict[str, str | float]]:
    return [
        {"output": " ".join(said.words), "probability": said.probability, "score": said.score}
        for said in best
    ]


def _print(id: str, summary: ForestSummary, best: list[Said]) -> None:
    from kibitz.analysis.numbers import number
    from kibitz.analysis.tables import Table

    figures = _figures(summary)
    power = math.floor(float(figures["log10_derivations"]))
    many = f"about 1e{power}" if summary.derivations >= WHOLE else number(summary.derivations)
    columns = ("forest", "root", "nodes", "edges", "features", "words", "derivations", "entropy")
    row = (id, *(figures[name] for name in columns[1:6]), many, figures["entropy"])
    print_table(Table.of(columns, [row]))
    if best:
        rows = [
            (place, said.probability, said.score, " ".join(said.words)) for place, said in enumerate(best, 1)
        ]
        print_table(Table.of(("", "probability", "score", "output"), rows))
