"""Rules, one for each edge, as cdec prints its search space; an empty line stands between forests.

    [NP_0] ||| the cat ||| die Katze ||| Definite=1
    [S_1] ||| [NP_0,1] sleeps ||| [1] schläft

The node the edge makes; what it says, with [NODE,number] for its tails; the source side, where [number] says in which
order the source has them; features. A forest all of whose rules lack the source side is fine too, as cdec reads it:

    [NP] ||| the cat ||| Definite=1
    [S] ||| [NP] sleeps

The root is the node that is on no right-hand side; where there are several, [S]. The words of the source side are not
kept. Comments begin with #; "# id NAME" names the forest that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kibitz.data.forests.fields import (
    Wrong,
    check_note,
    check_token,
    check_word,
    feature_text,
    features,
    fields,
    note,
)
from kibitz.data.forests.format import Format, Named
from kibitz.data.forests.lines import Lines
from kibitz.errors import InputError
from kibitz.spaces.hypergraph.builder import ForestBuilder
from kibitz.spaces.hypergraph.forest import Edge, Forest, Symbol

_WHAT = "the cdec format"
_TAIL = re.compile(r"\[(.+),([1-9][0-9]*)\]", re.DOTALL)
_PLAIN_TAIL = re.compile(r"\[(.+)\]", re.DOTALL)
_SOURCE_TAIL = re.compile(r"\[(?:.+,)?([1-9][0-9]*)\]", re.DOTALL)
GOAL = "S"


class _Rule(NamedTuple):
    number: int  # of the line
    head: str
    rest: list[list[str]]  # the fields after the head


def parse(lines: Lines) -> Iterator[Named]:
    """Every forest of the file."""
    count = 0
    title: str | None = None
    rules: list[_Rule] = []
    while True:
        line = next(lines, None)
        if rules and (line is None or not line.strip()):
            yield Named(str(count) if title is None else title, _forest(rules, lines))
            count, title, rules = count + 1, None, []
        if line is None:
            return
        if line.startswith("#"):
            title = note(line, "id") if note(line, "id") is not None else title
        elif line.strip():
            rules.append(_rule(line, lines))


def text(forests: Iterable[Named]) -> Iterator[str]:
    """The rules of each forest, tails before heads, and an empty line between two."""
    for number, (name, forest) in enumerate(forests):
        comment = "" if name == str(number) else f"# id {check_note(name, 'id', _WHAT)}\n"
        for node in forest.nodes:
            check_token(node, f"name of the node {node!r}", _WHAT)
        yield ("\n" if number else "") + comment + "".join(map(_edge_text, forest.edges()))


def _edge_text(edge: Edge) -> str:
    """Tails are numbered as they are said; the source side has their numbers in the order of the edge."""
    said: list[str] = []
    order = [0] * len(edge.tails)
    for symbol in edge.output:
        if isinstance(symbol, int):
            order[symbol] = 1 + sum(map(bool, order))
            said.append(f"[{edge.tails[symbol]},{order[symbol]}]")
        else:
            check_word(symbol, _PLAIN_TAIL, _WHAT)
            said.append(symbol)
    sides = f"[{edge.head}] ||| {' '.join(said)} ||| {' '.join(f'[{place}]' for place in order)}"
    if not edge.features:
        return f"{sides}\n"
    for name in edge.features:
        if "=" in name:
            raise InputError(f"the feature {name!r} cannot be written in {_WHAT}: it has a =; write jsonl")
    return f"{sides} ||| {feature_text(edge.features, _WHAT)}\n"


def _rule(line: str, lines: Lines) -> _Rule:
    left, *rest = fields(line)
    if len(left) != 1 or not _PLAIN_TAIL.fullmatch(left[0]) or not 1 <= len(rest) <= 3:
        raise lines.wrong(
            "a rule should be: [NODE] ||| output ||| source side, where there is one ||| features"
        )
    return _Rule(lines.number, left[0][1:-1], rest)


def _of_one_side(rule: _Rule, wrong: Wrong) -> tuple[list[str], list[Symbol]]:
    """Tails and output of a rule without a source side: tails as they are said."""
    tails: list[str] = []
    output: list[Symbol] = []
    for token in rule.rest[0]:
        named = _PLAIN_TAIL.fullmatch(token)
        output.append(len(tails) if named else token)
        if named:
            tails.append(named[1])
    return tails, output


def _of_both_sides(rule: _Rule, wrong: Wrong) -> tuple[list[str], list[Symbol]]:
    """Tails and output of a rule with a source side: tails as the source has them."""
    if len(rule.rest) < 2:
        raise wrong("this rule should have a source side, as others of this forest do")
    named = [(token, _TAIL.fullmatch(token)) for token in rule.rest[0]]
    said = [int(tail[2]) for _, tail in named if tail]
    source = [int(tail[1]) for token in rule.rest[1] if (tail := _SOURCE_TAIL.fullmatch(token))]
    if sorted(said) != list(range(1, len(said) + 1)) or sorted(source) != sorted(said):
        raise wrong(
            "the tails should be numbered from 1, each number once in the output and once in the source"
        )
    node = {int(tail[2]): tail[1] for _, tail in named if tail}
    output: list[Symbol] = [source.index(int(tail[2])) if tail else token for token, tail in named]
    return [node[place] for place in source], output


def _forest(rules: list[_Rule], lines: Lines) -> Forest:
    # A rule without tails can lack its source side or its features: the other rules tell which it is.
    both_sides = any(
        len(rule.rest) == 3 or any(_TAIL.fullmatch(token) for token in rule.rest[0]) for rule in rules
    )
    heads = {rule.head for rule in rules}
    builder = ForestBuilder()
    used: set[str] = set()
    for rule in rules:

        def wrong(sentence: str, number: int = rule.number) -> InputError:
            return lines.wrong(sentence, number)

        tails, output = (_of_both_sides if both_sides else _of_one_side)(rule, wrong)
        for tail in tails:
            if tail not in heads:
                raise wrong(f"[{tail}] should be on the left-hand side of some rule of this forest")
        used.update(tails)
        last = rule.rest[1 + both_sides :]
        tokens = last[0] if last else []
        builder.edge(rule.head, tails, output, features(tokens, wrong, str.partition))
    roots = heads - used
    try:
        return builder.build(GOAL if len(roots) > 1 and GOAL in roots else None)
    except InputError as error:
        raise lines.wrong(str(error), rules[0].number) from None


CDEC = Format("cdec", "rules of cdec, one for each edge", lambda line: line[:1] in ("[", "#"), parse, text)
