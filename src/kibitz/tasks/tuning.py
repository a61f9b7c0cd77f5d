"""Tuning a translation system on references: the gradient of the expected loss, from several rated draws a sentence.

Every draw is rated, and each is held against the mean of the others of its sentence: the estimate of the gradient that
bandit feedback gives with one draw has then far less noise. The objective is corpus BLEU's nearest that is smooth.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kibitz.tasks.recipe import Recipe
from kibitz.tasks.run import Outcome, Run, perform
from kibitz.tasks.settings import Settings
from kibitz.tasks.task import Report, unheard
from kibitz.translation.grammar import write_weights
from kibitz.translation.space import Translation

# Where tuning begins unless told otherwise: probabilities are -log10, word penalties -1 / ln 10 a word.
HAND = {
    "LanguageModel": 3.0, "LanguageModel_OOV": -3.0, "WordPenalty": -6.0, "PassThrough": -30.0, "Glue": 0.03,
    "EgivenF": -1.5, "FgivenE": -0.6, "MaxLexEgivenF": -0.9, "MaxLexFgivenE": -0.9, "CountEF": 0.3, "CountF": -0.15,
    "IsSingletonF": -0.15, "IsSingletonFE": -0.3,
}  # fmt: skip

TUNING = Settings(
    "el", baseline="leave-one-out", draws=16, optimizer="adagrad", rate=0.2, iterations=4_000,
    schedule="linear", inputs="epochs", select="last",
)  # fmt: skip
LOOKS = 10  # at dev, and at the losses of what was drawn


def tune(
    recipe: Recipe, settings: Settings, seed: int, out: Path, report: Report = unheard
) -> dict[str, Any]:
    """Tune from the recipe's weights, or from those set by hand; write the weights, return the figures."""
    settings = replace(
        settings, evaluate_every=settings.evaluate_every or max(1, settings.iterations // LOOKS)
    )
    with TemporaryDirectory() as folder:
        if recipe.weights is None:
            by_hand = Path(folder) / "by-hand.weights"
            write_weights(by_hand, HAND)
            recipe = replace(recipe, weights=str(by_hand))
        outcome = perform(Run(recipe, settings, seed), report)
    active = keep_weights(outcome, out)
    simulation = outcome.simulation
    return {
        "weights": str(out),
        "active": active,
        "features": outcome.task.space.size,
        "seed": seed,
        "iterations": simulation.iterations,
        "feedback": simulation.feedback,
        "heard": [point.heard for point in simulation.curve if point.heard is not None],
        "best_iteration": simulation.best_iteration if outcome.task.dev else None,
        "dev": simulation.best_dev,
        "seconds": round(simulation.seconds, 1),
        "interrupted": simulation.interrupted,
    }


def keep_weights(outcome: Outcome, path: Path) -> int:
    """Write the chosen weights that are not 0; how many these are."""
    space = outcome.task.space
    assert isinstance(space, Translation)
    named = zip(space.decoder.symbols.features.names(), outcome.chosen.tolist(), strict=False)
    weights = {name: weight for name, weight in named if weight}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_weights(path, weights)
    return len(weights)
