"""Synchronous context-free grammars: rules that say how a phrase of one language is put in another."""

from kibitz.translation.grammar.grammar import Grammar, Rule
from kibitz.translation.grammar.reading import GrammarFiles, parse_grammar, read_grammar
from kibitz.translation.grammar.segment import Segment, segment_of
from kibitz.translation.grammar.symbols import Symbols
from kibitz.translation.grammar.weights import read_weights, write_weights

__all__ = [
    "Grammar", "GrammarFiles", "Rule", "Segment", "Symbols", "parse_grammar", "read_grammar", "read_weights",
    "segment_of", "write_weights",
]  # fmt: skip
