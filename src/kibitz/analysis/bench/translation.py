"""The speed of learning to translate: an iteration of EL on the first ten sentences of a German sample of news.

An iteration asks and tells: it decodes under the weights of the moment, draws a translation and takes the expected
features, hears 1 - BLEU, and steps. Parses are kept. Times are processor times, for each sentence the least of the
rounds; the setting is that in which the authors' own tool was measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.analysis.bench.result import Bench
from kibitz.data.catalogue import NEWS_SAMPLES, DataFile
from kibitz.data.source import read
from kibitz.feedback.sentence_bleu import SentenceBLEU
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.translation.decoder.decoder import Decoder
from kibitz.translation.decoder.rule_features import SPARSE
from kibitz.translation.decoder.sentence import Sentence
from kibitz.translation.grammar import Grammar, Symbols, parse_grammar
from kibitz.translation.language_model import LanguageModel
from kibitz.translation.language_model.kneser_ney import estimate
from kibitz.translation.space import Translation

SENTENCES, ORDER, ROUNDS, RATE = 10, 3, 5, 1e-5
POP_LIMITS = (200, 30)
PEER_MS = {
    200: 440.0,
    30: 92.0,
}  # an EL iteration of the authors' tool, one core of an AMD Zen 4, the same sentences
WEIGHTS = {
    "LanguageModel": 1.0, "LanguageModel_OOV": -1.0, "WordPenalty": -2.0, "PassThrough": -10.0, "Glue": 0.01,
    **{f"PhraseModel_{i}": -0.2 for i in range(5)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """Means over the sentences."""

    iteration: float  # milliseconds
    decode: float
    edges: float
    pops: float


def bench_translation(progress: Callable[[str], None] = lambda text: None) -> Bench:
    """Iterations at both pop limits, and what is done once: reading and parsing."""
    progress("language model")
    references = _lines("nc-wmt11.en")
    model = LanguageModel(estimate([line.split() for line in references], ORDER).ngrams)
    progress("grammar")
    written = read(_file("nc-wmt11.grammar"))[1]
    grammar = parse_grammar(written, "nc-wmt11.grammar", Symbols())
    reading = _seconds(parse_grammar, written, "nc-wmt11.grammar", Symbols())
    sources = _lines("nc-wmt11.de")[:SENTENCES]
    found = {}
    for limit in POP_LIMITS:
        progress(f"pop limit {limit}")
        found[limit] = _measure(grammar, model, sources, references, limit)
    parsing = _parse_ms(grammar, model, sources)
    first, second = (found[limit] for limit in POP_LIMITS)
    figures = {
        "iteration_ms": round(first.iteration, 2),
        "decode_ms": round(first.decode, 2),
        "edges": round(first.edges),
        "pops": round(first.pops),
        "times_faster": round(PEER_MS[POP_LIMITS[0]] / first.iteration, 1),
        "iteration_ms_pop_30": round(second.iteration, 2),
        "edges_pop_30": round(second.edges),
        "pops_pop_30": round(second.pops),
        "times_faster_pop_30": round(PEER_MS[POP_LIMITS[1]] / second.iteration, 1),
        "parse_ms": round(parsing, 1),
        "grammar_seconds": round(reading, 2),
    }
    meanings = {
        "iteration_ms": "an EL iteration at pop limit 200 with sparse features, a sentence, in ms",
        "decode_ms": "of which decoding",
        "edges": "edges of the forest with language model, a sentence",
        "pops": "candidates taken, a sentence",
        "times_faster": "440 ms, an iteration of the authors' tool on a core of an AMD Zen 4 / iteration_ms",
        "iteration_ms_pop_30": "an EL iteration at pop limit 30",
        "times_faster_pop_30": "92 ms, the authors' tool at pop limit 30 / the same",
        "parse_ms": "parsing a sentence, once, in ms",
        "grammar_seconds": f"reading the grammar of {len(grammar):,} rules, once",
    }
    rows = tuple((f"translation.{name}", f"{figures[name]:g}", "", text) for name, text in meanings.items())
    words = np.mean([len(line.split()) for line in sources])
    return Bench(
        {"translation": figures}, rows, (f"Translation: {SENTENCES} sentences of {words:.1f} words.",)
    )


def _measure(
    grammar: Grammar, model: LanguageModel, sources: Sequence[str], references: Sequence[str], limit: int
) -> Measured:
    decoder = _decoder(grammar, model, limit)
    learner, loss = Learner(Translation(decoder), "el", optimizer=SGD(RATE), seed=1), SentenceBLEU()
    ready = [decoder.ready(line) for line in sources]
    learner.fit()
    for name, value in WEIGHTS.items():
        learner.state.table[decoder.symbols.features.number(name)] = value
    iteration, decode = np.full((2, len(ready)), np.inf)
    edges, pops = np.zeros((2, len(ready)))
    for _ in range(ROUNDS + 1):  # the first one compiles
        for i, x in enumerate(ready):
            iteration[i] = min(iteration[i], _seconds(_iterate, learner, x, loss, references[i]))
            decode[i] = min(decode[i], _seconds(decoder.decode, x, learner.state))
            decoding = decoder.decode(x, learner.state)
            edges[i], pops[i] = len(decoding), decoding.pops
    return Measured(
        float(iteration.mean() * 1e3), float(decode.mean() * 1e3), float(edges.mean()), float(pops.mean())
    )


def _iterate(learner: Learner, x: Sentence, loss: SentenceBLEU, reference: str) -> None:
    proposal = learner.ask(x)
    learner.tell(proposal, loss=loss(proposal.outputs[0], reference.split()))


def _parse_ms(grammar: Grammar, model: LanguageModel, sources: Sequence[str]) -> float:
    decoder = _decoder(grammar, model, POP_LIMITS[0])
    return float(np.mean([_seconds(decoder.ready, line) for line in sources]) * 1e3)


def _decoder(grammar: Grammar, model: LanguageModel, limit: int) -> Decoder:
    return Decoder(grammar, {"LanguageModel": model}, features=("WordPenalty", *SPARSE), pop_limit=limit)


def _seconds(function: Callable[..., object], *arguments: object) -> float:
    began = time.process_time()
    function(*arguments)
    return time.process_time() - began


def _file(name: str) -> DataFile:
    return next(file for file in NEWS_SAMPLES if file.path.endswith(f"/{name}"))


def _lines(name: str) -> list[str]:
    return read(_file(name))[1].decode("utf-8").splitlines()
