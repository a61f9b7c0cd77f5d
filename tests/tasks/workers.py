"""Workers for the tests of runs side by side: a process of its own must be able to import them by name."""

from __future__ import annotations

import os
import time
from typing import Any

from kibitz.errors import InputError
from kibitz.tasks.side_by_side import Report


def square(job: int, report: Report) -> dict[str, Any]:
    report({"iteration": job})
    return {"value": job * job, "process": os.getpid()}


def refuse(job: int, report: Report) -> dict[str, Any]:
    raise InputError(f"job {job} is wrong")


def die(job: int, report: Report) -> dict[str, Any]:
    os._exit(7)


def until_interrupted(job: int, report: Report) -> dict[str, Any]:
    try:
        report({"iteration": 0})
        time.sleep(60)
    except KeyboardInterrupt:
        return {"interrupted": job}
    return {}
