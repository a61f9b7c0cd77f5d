"""A forest as plain data, such as JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.errors import InputError
from kibitz.spaces.hypergraph.builder import ForestBuilder
from kibitz.spaces.hypergraph.forest import Edge, Forest

EDGE_KEYS = ("head", "tails", "output", "features")


def as_plain(forest: Forest) -> dict[str, Any]:
    """The root and the edges; what is empty or by default is left out."""
    return {"root": forest.root, "edges": [_plain_edge(edge) for edge in forest.edges()]}


def from_plain(value: object) -> Forest:
    """The forest that ``as_plain`` wrote, or that somebody else did: everything is checked."""
    if not isinstance(value, Mapping) or not isinstance(value.get("edges"), list | tuple):
        raise InputError('a forest should be an object with "edges", a list of objects')
    root = value.get("root")
    if root is not None and not isinstance(root, str):
        raise InputError(f'the "root" should be the name of a node, not {_short(root)}')
    builder = ForestBuilder()
    for number, edge in enumerate(value["edges"], start=1):
        try:
            builder.edge(*_checked(edge))
        except InputError as error:
            raise InputError(f"edge {number} is wrong: {error}") from None
    return builder.build(root)


def _plain_edge(edge: Edge) -> dict[str, Any]:
    plain: dict[str, Any] = {"head": edge.head}
    if edge.tails:
        plain["tails"] = list(edge.tails)
    if edge.output != tuple(range(len(edge.tails))):
        plain["output"] = list(edge.output)
    if edge.features:
        plain["features"] = edge.features
    return plain


def _checked(edge: object) -> tuple[str, list[str], list[str | int] | None, dict[str, float]]:
    """Head, tails, output and features, each of the type it should have."""
    if not isinstance(edge, Mapping):
        raise InputError(f'it should be an object with "head", not {_short(edge)}')
    for key in edge:
        if key not in EDGE_KEYS:
            raise InputError(f"it has {_short(key)}, but it should have {', '.join(EDGE_KEYS)} alone")
    head, tails, output = edge.get("head"), edge.get("tails", ()), edge.get("output")
    features = edge.get("features", {})
    if not isinstance(head, str):
        raise InputError(f'its "head" should be the name of a node, not {_short(head)}')
    if not isinstance(tails, list | tuple) or not all(isinstance(tail, str) for tail in tails):
        raise InputError(f'its "tails" should be a list of names of nodes, not {_short(tails)}')
    if output is not None and not (
        isinstance(output, list | tuple) and all(isinstance(s, str) or type(s) is int for s in output)
    ):
        raise InputError(f'its "output" should be a list of words and numbers of tails, not {_short(output)}')
    if not isinstance(features, Mapping):
        raise InputError(
            f'its "features" should be an object with a number for each name, not {_short(features)}'
        )
    return head, list(tails), None if output is None else list(output), _numbers(features)


def _numbers(features: Mapping[Any, Any]) -> dict[str, float]:
    for name, value in features.items():
        if not isinstance(name, str) or isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"its feature {_short(name)} should be a number, not {_short(value)}")
    try:
        return {name: float(value) for name, value in features.items()}
    except OverflowError:
        raise InputError("one of its features is too large a number") from None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
