"""The decoder: sentences made ready once, and decoded under any weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

import numpy as np

from kibitz.errors import InputError
from kibitz.spaces.rows import gather
from kibitz.spaces.weights import Array, Weights, as_weights
from kibitz.translation.decoder.decoding import Decoding, decoding_of
from kibitz.translation.decoder.lattice import Lattice, lattice_of_words, parse_lattice
from kibitz.translation.decoder.models import Models, Shelf
from kibitz.translation.decoder.parser import HIERO, Parser, ParserOptions
from kibitz.translation.decoder.rule_features import rule_features
from kibitz.translation.decoder.search import FULL, Room, Size, room_for, search
from kibitz.translation.decoder.sentence import Sentence, sentence_of
from kibitz.translation.grammar import Grammar, GrammarFiles, Segment, Symbols, read_grammar, segment_of
from kibitz.translation.language_model import LanguageModel

POPS = 1024  # for which there is room at first where there is no limit
FEATURES = ("WordPenalty",)


class Decoder:
    """Decodes with one grammar and any number of language models, each a feature under its name.

    A grammar in files is read when the first sentence is parsed.

    decoder = Decoder(grammar, {"LanguageModel": lm})
    x = decoder.ready("le chat noir".split())
    decoding = decoder.decode(x, weights)

    Not safe to call from several threads at once: a search works in the room of the one before.
    """

    def __init__(
        self,
        grammar: Grammar | GrammarFiles,
        models: Mapping[str, LanguageModel] = MappingProxyType({}),
        *,
        options: ParserOptions = HIERO,
        features: Sequence[str] = FEATURES,
        pop_limit: int = 200,
        beam: float = np.inf,
    ) -> None:
        if pop_limit < 1 or not beam >= 0.0:
            raise InputError("a pop limit is at least 1, and a beam at least 0")
        self.models, self.pop_limit, self.beam = dict(models), pop_limit, beam
        self.symbols, self._grammar, self._options = grammar.symbols, grammar, options
        self._kinds, self._shelf = tuple(features), Shelf(models)
        self._features = rule_features(features, models)
        self._room: Room | None = None
        self._size = Size(0, 0, 0, 0)

    @cached_property
    def parser(self) -> Parser:
        """The parser; grammar files are read when a sentence is parsed first."""
        grammar = self._grammar.read() if isinstance(self._grammar, GrammarFiles) else self._grammar
        return Parser(grammar, self._options, self._features)

    def ready(self, sentence: str | Sequence[str] | Segment) -> Sentence:
        """A sentence, parsed: its words, or a line of words or of Python Lattice Format, which may name files."""
        if isinstance(sentence, Segment | str):
            segment = segment_of(sentence) if isinstance(sentence, str) else sentence
            return self.parse(lattice_of(segment, self.symbols), *segment[1:])
        return self.parse(lattice_of_words(sentence, self.symbols))

    def models_for(self, segment: Segment) -> Models:
        """The language models that a line is decoded with."""
        return self._shelf.with_files(segment.models)

    def parse(
        self,
        lattice: Lattice,
        grammars: Sequence[str] = (),
        files: Sequence[Sequence[str]] = (),
        alone: bool = False,
    ) -> Sentence:
        """A lattice, parsed with the rules of these files beside those that the decoder has, or with these alone.

        ``files`` names language models, each with the file of one that takes its place.
        """
        models = self._shelf.with_files(files)
        if grammars:
            own = [read_grammar(path, self.symbols) for path in grammars]
            rules = own[0].joined([*own[1:], *([] if alone else [self.parser.grammar])])
            parser = Parser(rules, self._options, self._features)
        else:
            parser = self.parser
        features = rule_features(self._kinds, models.named) if files else self._features
        brought = Segment("", tuple(grammars), models.files, alone)
        return sentence_of(lattice, parser.parse(lattice, features), models, brought)

    def decode(
        self, x: Sentence, weights: Weights | Array, sign: int = 1, *, pop_limit: int | None = None
    ) -> Decoding:
        """The forest of the sentence's translations, pruned as ``sign w`` scores them; it keeps the scores of ``w``."""
        limit = pop_limit or self.pop_limit
        applications, models = len(x.parse.said), x.models
        score = np.empty(applications + len(models.named))
        gather(as_weights(weights), x.x, 0, len(score), 1, score)
        own, weight = score[:applications], score[applications:]
        whole = own + weight @ x.parts.score
        while True:
            room = self._room_for(x, limit)
            nodes, edges = search(
                x.graph, x.parse.rule, x.parts, sign * whole, sign * weight, models.tables, models.scratches,
                limit, self.beam, room,
            )  # fmt: skip
            if nodes != FULL:
                return decoding_of(x, own, sign, room, nodes, edges)
            self._size = self._size._replace(edges=2 * self._size.edges, candidates=2 * self._size.candidates)
            self._room = None

    def _room_for(self, x: Sentence, limit: int) -> Room:
        """The room of the last search, if it is enough for this one to begin with."""
        parse, pops = x.parse, min(limit, POPS)
        candidates = int(np.diff(parse.first).max()) + parse.arity * pops
        size = Size(*map(max, self._size, Size(parse.nodes, parse.arity, pops * parse.nodes, candidates)))
        if size != self._size or self._room is None:
            self._room, self._size = room_for(size, len(self.models)), size
        return self._room


def lattice_of(segment: Segment, symbols: Symbols) -> Lattice:
    """What a line holds: a lattice in its format, or words."""
    if segment.is_lattice:
        return parse_lattice(segment.text, symbols)
    return lattice_of_words(words_of(segment.text), symbols)


def words_of(line: str) -> list[str]:
    """What blanks and tabs part: words may hold the exotic blanks of Unicode."""
    return [word for word in line.replace("\t", " ").split(" ") if word]
