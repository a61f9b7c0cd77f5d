"""What `kibitz reproduce translation` does once its options are read."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from kibitz.analysis import paper
from kibitz.cli.output import kept
from kibitz.cli.progress import progress
from kibitz.cli.reproduced import keep, seeds_to
from kibitz.errors import InputError
from kibitz.tasks import table_2
from kibitz.tasks.adaptation import convergence, tables
from kibitz.tasks.adaptation.experiment import Wanted, adapt, estimates
from kibitz.tasks.adaptation.rows import rows_of, told
from kibitz.tasks.adaptation.settings import Choices
from kibitz.tasks.adaptation.texts import Texts
from kibitz.tasks.reproduce_convergence import EQUAL


def adapted(
    texts: Texts, out: Path, seeds: int, iterations: int | None, full: bool, workers: int | None
) -> dict[str, Any]:
    """Run the experiment, print and keep its tables, return its figures."""
    if full and iterations is not None:
        raise InputError("--full and --iterations both say how long to learn: leave one of the two out.")
    began = time.monotonic()
    wanted = Wanted(texts, out, seeds_to(seeds), Choices().lasting(iterations), full, workers)
    with kept(out), progress("dev BLEU") as bars:
        results = adapt(wanted, bars.update)
        observed = estimates(wanted, results, bars.update)
    rows = rows_of(results)
    theirs = paper.TRANSLATION_TABLE_2
    shown = {
        "scores": tables.score_table(rows),
        "convergence": table_2.estimate_table(convergence.rows(), observed, EQUAL, theirs),
        "noise": table_2.noise_table(convergence.rows(), observed),
        "runs": tables.run_table(results),
        "texts": tables.text_table(results),
    }
    pictures = {
        "dev-bleu": tables.curves(results),
        "test-bleu": tables.bars(rows),
        "estimates": table_2.bars(convergence.rows(), observed, EQUAL, theirs),
    }
    page = tables.page(rows, results, observed, wanted.seeds)
    made = keep(out, shown, pictures, page, began)
    estimated = {name: shown[name].json() for name in ("convergence", "noise")}
    return {**told(results), **estimated, "seeds": list(wanted.seeds), "full": full, **made}
