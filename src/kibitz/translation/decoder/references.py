"""The derivations that say a reference, or one of many: the parse of their lattice with a parse as its grammar.

Every edge of the parse is a rule: its node is the category, what it says is the source side, with its tails' nodes as
categories. So the derivations of the lattice under that grammar are those derivations of the parse that say one of the
lattice's paths, each once for every path.
"""

from __future__ import annotations

import numpy as np

from kibitz.errors import InputError
from kibitz.features.vocabulary import Vocabulary
from kibitz.translation.decoder.lattice import Lattice
from kibitz.translation.decoder.parse import Parse
from kibitz.translation.decoder.parser import Parser, ParserOptions
from kibitz.translation.grammar import Grammar, Symbols
from kibitz.translation.grammar.grammar import stretches


def constrained(parse: Parse, references: Lattice) -> Parse:
    """The derivations of ``parse`` that say a path of ``references``; an ``InputError`` where there are none."""
    said, symbols = parse.said, parse.said.symbols
    numbers = np.array(symbols.words.numbers(said.words), np.int32)
    heads = np.repeat(np.arange(parse.nodes, dtype=np.int32), np.diff(parse.first))
    source_ptr, source = stretches(said.target_ptr, said.target, parse.rule)
    if not np.diff(source_ptr).all():
        raise InputError("a rule that says nothing leaves no trace in a reference: parse without such rules")
    edge = np.repeat(np.arange(len(parse)), np.diff(source_ptr))
    is_slot = source < 0
    source[~is_slot] = numbers[source[~is_slot]]
    source[is_slot] = -1 - parse.tails[parse.tail_ptr[edge[is_slot]] - 1 - source[is_slot]]
    slots = np.cumsum(is_slot) - 1
    first_slot = np.concatenate([[0], np.cumsum(is_slot)])[source_ptr[:-1]]
    target = np.where(is_slot, -1 - (slots - first_slot[edge]), source).astype(np.int32)
    feature_ptr, feature = stretches(said.feature_ptr, said.feature, parse.rule)
    _, value = stretches(said.feature_ptr, said.value, parse.rule)
    categories = [str(v) for v in range(parse.nodes)]
    named = Symbols(symbols.words, Vocabulary(categories), symbols.features)
    grammar = Grammar(named, heads, source_ptr, source, source_ptr, target, feature_ptr, feature, value)
    goal = categories[-1]
    options = ParserOptions(goal, goal, glue=False, pass_through=False, span=len(references))
    return Parser(grammar, options).parse(references)
