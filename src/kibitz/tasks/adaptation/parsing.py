"""All sentences of the experiment parsed before the first run: runs side by side would each begin to parse them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.tasks.adaptation.ground import Ground, Heard
from kibitz.tasks.adaptation.settings import Choices
from kibitz.tasks.adaptation.texts import DEV, HELD_OUT, IN_DOMAIN, POST_EDITED, TEST, TUNE
from kibitz.tasks.inputs.sentences import read_pairs
from kibitz.tasks.side_by_side import run_side_by_side
from kibitz.tasks.task import Report
from kibitz.translation.assembly import system_of
from kibitz.translation.space import Translation

TOGETHER = ((IN_DOMAIN, POST_EDITED), (HELD_OUT, TUNE, DEV, TEST))  # about as many sentences each


@dataclass(frozen=True, slots=True)
class Job:
    """Files of sentences and references by the part they play, and the system that parses them."""

    files: dict[str, tuple[str, str]]
    system: str
    sparse: bool
    pop_limit: int


def parse(ground: Ground, choices: Choices, at_once: int | None, heard: Heard) -> None:
    """Make the parses that are not kept yet."""
    jobs = [
        Job(
            {part: ground.files(part) for part in parts},
            str(ground.system),
            choices.sparse,
            choices.pop_limit,
        )
        for parts in TOGETHER
    ]

    for _ in run_side_by_side(work, jobs, at_once=at_once, heard=lambda _, told: heard("parses", told)):
        pass


def work(job: Job, report: Report) -> dict[str, Any]:
    """Parse the sentences of one job."""
    space = Translation.of(system_of(Path(job.system), [], [], sparse=job.sparse, pop_limit=job.pop_limit))
    for part, files in job.files.items():
        segments = [segment for segment, _ in read_pairs(*files, job.system)]

        def tell(done: int, total: int, part: str = part) -> None:
            report({"what": part, "done": done, "total": total, "unit": "sentences"})

        space.kept_corpus(segments, where=files[0], report=tell)
    return {}
