"""A process of its own that goes on with what another one saved. Usage: elsewhere.py talks|runs FOLDER."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from worlds import HAMMING, chain, fingerprint, follow, learner_of, sentences

from kibitz.learning.checkpoint import load
from kibitz.learning.learner import Learner
from kibitz.learning.simulation import Simulation, simulate

STEPS = 40
RUN: dict[str, Any] = {"iterations": STEPS, "every": 6, "inputs": "epochs", "keep": 5}


def hexadecimal(learner: Learner) -> dict[str, str]:
    return {name: bits.hex() for name, bits in fingerprint(learner).items()}


def outcome(run: Simulation) -> dict[str, Any]:
    """All that a run gives, but for the time it took."""
    return {
        "learner": hexadecimal(run.learner),
        "choices": {rule: weights.tobytes().hex() for rule, weights in run.choices.items()},
        "best": [run.best_iteration, run.best_dev],
        "done": [run.iterations, run.feedback, run.interrupted],
        "curve": [[p.iteration, p.feedback, p.heard, p.dev] for p in run.curve],
        "iterates": [[t, weights.tobytes().hex()] for t, weights in run.iterates],
    }


def simulated(folder: Path, objective: str, optimizer: str, golds: Any, **more: Any) -> Simulation:
    """The run of a test, from its beginning or from where it was interrupted."""
    space = chain()
    train = space.corpus(sentences()[0], golds)
    learner = learner_of(space, objective, optimizer)
    return simulate(learner, train, HAMMING, dev=train, checkpoint=folder, **RUN, **more)


def talks(folder: Path, settings: Any) -> Any:
    learner = load(folder)
    follow(learner, sentences()[0], settings["golds"], settings["start"], STEPS)
    return hexadecimal(learner)


def runs(folder: Path, settings: Any) -> Any:
    return outcome(simulated(folder, settings["objective"], settings["optimizer"], settings["golds"]))


if __name__ == "__main__":
    command, root = {"talks": talks, "runs": runs}[sys.argv[1]], Path(sys.argv[2])
    found = {
        name: command(root / name, settings)
        for name, settings in json.loads((root / "settings.json").read_text()).items()
    }
    (root / "found.json").write_text(json.dumps(found))
