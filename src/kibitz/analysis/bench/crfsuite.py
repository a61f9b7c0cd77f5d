"""The peer: one supervised pass of CRFsuite's stochastic gradient descent over the same attributes."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kibitz.errors import InputError

EPOCHS = 12


def seconds_an_epoch(inputs: Sequence[Sequence[Sequence[str]]], golds: Sequence[Sequence[str]]) -> float:
    """The median epoch of l2sgd after its calibration, with all states and transitions, as CRFsuite reports it."""
    try:
        import pycrfsuite
    except ImportError as error:
        raise InputError(
            "the bench measures CRFsuite beside Kibitz: install the extra 'dev' (pip install 'kibitz[dev]')"
        ) from error

    times: list[float] = []

    class Trainer(pycrfsuite.BaseTrainer):  # type: ignore[misc]
        def message(self, text: str) -> None:
            found = re.search(r"Seconds required for this iteration: ([\d.]+)", text)
            if found:
                times.append(float(found.group(1)))

    trainer = Trainer(algorithm="l2sgd")
    trainer.set_params(
        {"feature.possible_states": True, "feature.possible_transitions": True, "max_iterations": EPOCHS}
    )
    for tokens, labels in zip(inputs, golds, strict=True):
        trainer.append(tokens, labels)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder) / "model.crfsuite"))
    return float(np.median(times[-EPOCHS:]))
