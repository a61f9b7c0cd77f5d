"""Full information tells gold answers: inputs whose answer the space cannot give teach nothing."""

from __future__ import annotations

from dataclasses import replace

from kibitz.errors import InputError
from kibitz.tasks.task import Task


def tellable(task: Task) -> Task:
    """The task with those inputs to learn from whose answer can be told; a warning says how many are left out."""
    train, told = task.train, []
    for i in range(len(train)):
        try:
            x = train[i]
            task.space.check_gold(x, task.space.target(x, train.gold_of(i), task.loss))
        except InputError as error:
            last = error
        else:
            told.append(i)
    if len(told) == len(train):
        return task
    if not told:
        raise InputError(
            f"No gold answer is one of the outputs of its input ({last}): learn from feedback, or give others."
        )
    warning = (
        f"{len(train) - len(told):,} of {len(train):,} inputs are not learnt from: no output is their gold "
        "answer, which full information would have to tell."
    )
    return replace(task, train=train.subset(told), warnings=(*task.warnings, warning))
