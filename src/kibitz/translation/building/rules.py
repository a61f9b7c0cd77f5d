"""The middle stages: word alignments, and a grammar for the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from kibitz.data.lines import numbered_lines
from kibitz.data.parallel import read_sentences
from kibitz.errors import InputError
from kibitz.translation.alignment.eflomal import align
from kibitz.translation.alignment.links import Links, check_links, parse_links
from kibitz.translation.building.model import GRAMMAR, GRAMMARS, LINES, LINKS, SOURCE, TARGET, Model
from kibitz.translation.building.packed import packed, write_lines, write_packed
from kibitz.translation.building.plan import Plan, distinct_names
from kibitz.translation.building.stages import Figures
from kibitz.translation.extraction.aligned import Array
from kibitz.translation.extraction.grammar import Grammar, grammar
from kibitz.translation.extraction.wanted import Matching, split, wanted_sides
from kibitz.translation.extraction.writing import Writer

_BLOCK = 20_000  # rules written at a time


def make_links(plan: Plan, folder: Path, seen: Callable[[int, int], None]) -> Figures:
    """Alignments of the tokenised text: made by eflomal, or those given."""
    source, target = read_sentences(plan.out / SOURCE), read_sentences(plan.out / TARGET)
    seen(0, 1)
    links = align(source, target) if plan.alignments is None else _given(plan, source, target)
    seen(1, 1)
    write_lines(folder / LINKS, links.lines())
    return {"links": len(links.source)}


def make_grammar(plan: Plan, folder: Path, seen: Callable[[str, int, int], None]) -> Figures:
    """The rules that the inputs can use, or all where there are none; one file, or one for each sentence as well."""
    text, source_words, target_words = Model.of(plan).text()
    inputs = {
        name: split(*source_words.encode(read_sentences(plan.out / "inputs" / f"{name}.gz")))
        for name in distinct_names(plan.inputs)
    }
    wanted = wanted_sides([words for lines in inputs.values() for words in lines], plan.limits)
    rules = grammar(
        text,
        plan.limits,
        wanted if inputs else None,
        most=plan.rules,
        seen=lambda what, pairs: seen(what, pairs, text.pairs),
    )
    if not len(rules):
        raise InputError(
            "Not a single rule was found for these inputs: are both texts and the inputs of the right languages?"
        )
    del wanted
    writer = Writer(text, rules, source_words, target_words)
    write_packed(folder / GRAMMAR, _blocks(writer, len(rules), seen))
    figures = {
        "rules": len(rules), "source_sides": len(rules.ptr) - 1, "features": rules.features.shape[1],
        "source_vocabulary": len(source_words), "target_vocabulary": len(target_words),
    }  # fmt: skip
    if plan.per_sentence:
        figures["rules_of_sentences"] = _of_sentences(plan, folder, rules, writer, inputs, seen)
    return figures


def _of_sentences(
    plan: Plan,
    folder: Path,
    rules: Grammar,
    writer: Writer,
    inputs: Mapping[str, Sequence[Array]],
    seen: Callable[[str, int, int], None],
) -> int:
    """A file for each line of the inputs; how many rules they have together."""
    matching = Matching(plan.limits, max(len(words) for lines in inputs.values() for words in lines))
    done, total = 0, sum(map(len, inputs.values()))
    written = 0
    for name, lines in inputs.items():
        (folder / GRAMMARS / name).mkdir(parents=True)
        for number, words in enumerate(lines):
            own = rules.of(matching.sides(words))
            (folder / GRAMMARS / name / f"{number}.gz").write_bytes(packed(writer.lines(own)))
            done, written = done + 1, written + len(own)
            seen("sentences", done, total)
    return written


def _given(plan: Plan, source: list[str], target: list[str]) -> Links:
    """The given links of the pairs that were kept; each line is checked, also those of the others."""
    assert plan.alignments is not None
    lines = read_sentences(plan.alignments)
    parse_links(lines, str(plan.alignments))
    pairs = sum(1 for _ in numbered_lines(plan.source))
    if len(lines) != pairs:
        raise InputError(
            f"{plan.alignments}:{min(len(lines), pairs) + 1}: there are {len(lines):,} lines of links and {pairs:,} "
            "of text: give each pair of sentences its line of links."
        )
    kept = [int(number) for number in read_sentences(plan.out / LINES)]
    links = parse_links([lines[number - 1] for number in kept], str(plan.alignments))
    check_links(links, source, target, str(plan.alignments), kept)
    return links


def _blocks(writer: Writer, rules: int, seen: Callable[[str, int, int], None]) -> Iterator[bytes]:
    for first in range(0, rules, _BLOCK):
        last = min(first + _BLOCK, rules)
        yield writer.lines(np.arange(first, last))
        seen("writing", last, rules)
