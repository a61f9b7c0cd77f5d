"""The stage of the language models: estimated from text, or taken as they are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from kibitz.data.lines import numbered_lines
from kibitz.data.parallel import read_sentences
from kibitz.translation.building.model import DOMAIN_LANGUAGE_MODEL, LANGUAGE_MODEL, TARGET
from kibitz.translation.building.plan import Plan
from kibitz.translation.building.stages import Figures
from kibitz.translation.building.texts import tokenised
from kibitz.translation.language_model import NGrams
from kibitz.translation.language_model.arpa_reader import read_arpa
from kibitz.translation.language_model.arpa_writer import write_arpa
from kibitz.translation.language_model.kneser_ney import estimate
from kibitz.translation.text import tokeniser

_HEADER = "\\data\\"
_FIRST_LINES = 20  # an ARPA file has its header here


def make_language_models(plan: Plan, folder: Path, seen: Callable[[int, int], None]) -> Figures:
    """That of the target side, or of the text named in its place, and that of the domain where one is named."""
    wanted = [
        (LANGUAGE_MODEL, plan.lm),
        *([(DOMAIN_LANGUAGE_MODEL, plan.domain_lm)] if plan.domain_lm else []),
    ]
    figures: Figures = {}
    for number, (name, path) in enumerate(wanted):
        seen(number, len(wanted))
        ngrams = read_arpa(path)[0] if path and is_arpa(path) else _estimated(plan, path)
        write_arpa(ngrams, folder / name)
        figures[name] = [len(order) for order in ngrams.orders]
    seen(len(wanted), len(wanted))
    return figures


def is_arpa(path: Path) -> bool:
    """Whether a file is a language model, and not text for one."""
    return any(line.strip() == _HEADER for _, line in islice(numbered_lines(path), _FIRST_LINES))


def _estimated(plan: Plan, path: Path | None) -> NGrams:
    """The model of a text, which is the target side where no other is named."""
    if path is None:
        path, lines = plan.target, read_sentences(plan.out / TARGET)
    else:
        tokenise = tokeniser(plan.tokeniser, plan.languages[1])
        lines = tokenised(read_sentences(path), path, tokenise, lambda done: None)
    return estimate((line.split() for line in lines), plan.order, where=str(path)).ngrams
