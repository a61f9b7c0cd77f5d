"""The chain's speed on noun-phrase chunking with the paper's templates: w = 0, rate 1e-4, a pass in random order.

Times are processor times, so that other programs on the machine do not count; all contestants run in turn, round after
round, and every figure is a ratio of two of them, with its quartiles over the rounds.
"""

from __future__ import annotations

import resource
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kibitz.analysis.bench.crfsuite import seconds_an_epoch
from kibitz.analysis.bench.floor import floor_pass
from kibitz.analysis.bench.result import Bench
from kibitz.analysis.bench.timing import race
from kibitz.data import conll2000
from kibitz.feedback import ChunkF1
from kibitz.learning.learner import Learner
from kibitz.learning.optimizers import SGD
from kibitz.objectives import Objective, objective_from
from kibitz.spaces.chain import Chain, Corpus
from kibitz.tasks.chunking import space

Order = npt.NDArray[np.int64]
UNLIMITED = 2**62  # judgements
RATE = 1e-4
ROUNDS = 15
ASKED = 2_000  # inputs stepped from Python in a round

RATIOS = {
    "el_over_crfsuite": ("el", None, "an EL iteration / a supervised SGD step of CRFsuite, per sentence"),
    "el_over_floor": ("el", "floor", "an EL iteration / summing and adding the same weight rows, nothing else"),
    "pr_over_el": ("pr", "el", "PR(cont, shortfall) / EL"),
    "pr_violation_over_el": ("pr_violation", "el", "PR(cont, violation) / EL"),
    "ce_over_el": ("ce", "el", "CE / EL"),
    "ask_tell_over_el": ("ask_tell", "el", "an ask and a tell from Python / a compiled EL iteration"),
    "order_2_over_el": ("order_2", "el", "an EL iteration of the second-order model / of the first-order model"),
    "order_2_over_floor": ("order_2", "floor_2", "the second-order model / its own floor"),
}  # fmt: skip


def bench_chain(progress: Callable[[str], None] = lambda text: None) -> Bench:
    """All the ratios."""
    split = conll2000.load()
    raws, golds = [raw for raw, _ in split.train], [gold for _, gold in split.train]
    first, second = space(order=1), space(order=2)
    corpora = first.corpus(raws, golds), second.corpus(raws, golds)
    order = np.random.default_rng(0).permutation(len(raws)).astype(np.int64)
    progress("CRFsuite")
    attributes = [[[str(name) for name in token] for token in first.extractor.extract(raw)] for raw in raws]
    peer = seconds_an_epoch(attributes, golds) / len(raws)
    del attributes

    el = objective_from("el")
    contestants = {
        "floor": _floor(first, corpora[0], order),
        "el": _pass(first, corpora[0], order, el),
        "pr": _pass(first, corpora[0], order, objective_from("pr-cont", pair_loss="shortfall")),
        "pr_violation": _pass(first, corpora[0], order, objective_from("pr-cont")),
        "ce": _pass(first, corpora[0], order, objective_from("ce")),
        "ask_tell": _ask_tell(first, corpora[0], order[:ASKED], el),
        "floor_2": _floor(second, corpora[1], order),
        "order_2": _pass(second, corpora[1], order, el),
    }
    timings = race(contestants, ROUNDS, lambda done: progress(f"round {done} of {ROUNDS}"))
    each = {name: (ASKED if name == "ask_tell" else len(order)) for name in contestants}
    microseconds = {name: timings.median(name) / each[name] * 1e6 for name in contestants}

    figures: dict[str, float] = {}
    rows = []
    for name, (ours, theirs, meaning) in RATIOS.items():
        if theirs is None:
            low, middle, high = np.percentile(
                np.array(timings.seconds[ours]) / each[ours] / peer, [25, 50, 75]
            )
        else:
            low, middle, high = (r * each[theirs] / each[ours] for r in timings.ratio(ours, theirs))
        figures[name] = round(float(middle), 3)
        rows.append((f"chain.{name}", f"{middle:.3f}", f"{low:.3f} to {high:.3f}", meaning))
    named = {**microseconds, "crfsuite": peer * 1e6}
    notes = ("Microseconds: " + ", ".join(f"{name} {value:.2f}" for name, value in named.items()) + ".",)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    chain = {
        **figures,
        "microseconds": {n: round(v, 3) for n, v in named.items()},
        "peak_mb_of_bench": round(memory),
    }
    return Bench({"chain": chain}, tuple(rows), notes)


def _floor(space: Chain, corpus: Corpus, order: Order) -> Callable[[], object]:
    table = np.zeros(space.size, np.float32)
    return lambda: floor_pass(table, corpus.x, corpus.starts, order, space.columns)


def _pass(space: Chain, corpus: Corpus, order: Order, objective: Objective) -> Callable[[], object]:
    learner = Learner(space, objective, optimizer=SGD(RATE))
    loss = ChunkF1()

    def run() -> None:
        learner.state.table[:] = 0
        space.run(corpus, order, learner.step_plan(), loss, UNLIMITED)

    return run


def _ask_tell(space: Chain, corpus: Corpus, order: Order, objective: Objective) -> Callable[[], object]:
    learner = Learner(space, objective, optimizer=SGD(RATE))
    inputs = [corpus[i] for i in order.tolist()]

    def run() -> None:
        learner.state.table[:] = 0
        for x in inputs:
            learner.tell(learner.ask(x), loss=0.5)

    return run
