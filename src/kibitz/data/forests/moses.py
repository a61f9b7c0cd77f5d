"""The text format of Moses for search graphs as hypergraphs.

A header, the numbers of nodes and of edges, and then for each node, tails before heads and the root last, the number
of its edges and a line for each of them: words and [numbers of nodes], features, and how many source words it covers.

    # target ||| features ||| source-covered
    2 2
    # node NP
    1
    the cat ||| Definite=1 ||| 0
    # node S
    1
    [0] sleeps |||  ||| 0

A comment "# node NAME" names the node that follows, "# id NAME" the forest. How much an edge covers is not kept, and
is written as 0. Tails come in the order in which the output says them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kibitz.data.forests.fields import (
    check_note,
    check_word,
    count,
    feature_text,
    features,
    fields,
    note,
)
from kibitz.data.forests.format import Format, Named
from kibitz.data.forests.lines import Lines
from kibitz.spaces.hypergraph.builder import ForestBuilder
from kibitz.spaces.hypergraph.forest import Edge, Forest, Symbol

HEADER = "# target ||| features ||| source-covered"
_WHAT = "the Moses format"
_NODE = re.compile(r"\[.*\]", re.DOTALL)


def parse(lines: Lines) -> Iterator[Named]:
    """Every forest of the file; each begins with the header."""
    number = 0
    for line in lines:
        if not line.strip():
            continue
        if line.rstrip() != HEADER:
            raise lines.wrong(f"a forest should begin with the line {HEADER!r}")
        yield _forest(lines, number)
        number += 1


def text(forests: Iterable[Named]) -> Iterator[str]:
    """Header, counts, nodes."""
    for number, (name, forest) in enumerate(forests):
        comment = "" if name == str(number) else f"# id {check_note(name, 'id', _WHAT)}\n"
        yield f"{HEADER}\n{comment}{len(forest.nodes)} {len(forest)}\n" + "".join(_nodes(forest))


def _nodes(forest: Forest) -> Iterator[str]:
    place = {node: v for v, node in enumerate(forest.nodes)}
    edges = forest.edges()
    for v, node in enumerate(forest.nodes):
        many = forest.first[v + 1] - forest.first[v]
        yield f"# node {check_note(node, 'name of the node', _WHAT)}\n{many}\n"
        for _ in range(many):
            yield _edge_text(next(edges), place)


def _edge_text(edge: Edge, place: dict[str, int]) -> str:
    said = []
    for symbol in edge.output:
        if isinstance(symbol, int):
            said.append(f"[{place[edge.tails[symbol]]}]")
        else:
            check_word(symbol, _NODE, _WHAT)
            said.append(symbol)
    return f"{' '.join(said)} ||| {feature_text(edge.features, _WHAT)} ||| 0\n"


def _forest(lines: Lines, number: int) -> Named:
    names: list[str] = []
    taken: set[str] = set()
    builder = ForestBuilder()
    title, _, line = _after_comments(lines, "the numbers of nodes and of edges")
    counts = [count(token) for token in line.split(" ")]
    if len(counts) != 2 or None in counts or not counts[0]:
        raise lines.wrong("this line should be the numbers of nodes and of edges, as 2 3")
    counted = lines.number
    for v in range(counts[0]):
        _, name, line = _after_comments(lines, f"the number of edges of node {v}")
        edges = count(line.strip())
        if not edges:
            raise lines.wrong(f"this line should be the number of edges of node {v}, at least 1")
        names.append(str(v) if name is None else name)
        if names[-1] in taken:
            raise lines.wrong(f"two nodes of this forest are called {names[-1]!r}")
        taken.add(names[-1])
        for _ in range(edges):
            _edge(lines, names, builder)
    if len(builder) != counts[1]:
        raise lines.wrong(f"there should be {counts[1]} edges, not {len(builder)}", counted)
    return Named(str(number) if title is None else title, builder.build(names[-1]))


def _after_comments(lines: Lines, wanted: str) -> tuple[str | None, str | None, str]:
    """The next line that is no comment, and the forest's id and the node's name that comments gave."""
    title, name = None, None
    for line in lines:
        if not line.startswith("#"):
            return title, name, line
        title = note(line, "id") if note(line, "id") is not None else title
        name = note(line, "node") if note(line, "node") is not None else name
    raise lines.wrong(f"the file ends here: {wanted} should follow")


def _edge(lines: Lines, names: list[str], builder: ForestBuilder) -> None:
    """An edge of the node named last."""
    try:
        found = fields(next(lines))
    except StopIteration:
        raise lines.wrong(f"the file ends here: an edge of node {names[-1]!r} should follow") from None
    if len(found) != 3 or len(found[2]) != 1 or count(found[2][0]) is None:
        raise lines.wrong("an edge should be: target ||| name=value features ||| number of source words")
    tails: list[str] = []
    output: list[Symbol] = []
    for token in found[0]:
        if not _NODE.fullmatch(token):
            output.append(token)
            continue
        place = count(token[1:-1])
        if place is None or place >= len(names) - 1:
            above = f"0 to {len(names) - 2}" if len(names) > 1 else "there is none"
            raise lines.wrong(f"{token} should be the number of a node above this one ({above})")
        output.append(len(tails))
        tails.append(names[place])
    builder.edge(names[-1], tails, output, features(found[1], lines.wrong, str.rpartition))


MOSES = Format("moses", "search graphs of Moses", lambda line: line.rstrip() == HEADER, parse, text)
