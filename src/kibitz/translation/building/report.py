"""What a build made, what it took, and how large it is."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.translation.building.plan import Plan
from kibitz.translation.building.stages import Done


def report(plan: Plan, done: Mapping[str, Done], fresh: Sequence[str]) -> dict[str, Any]:
    """Per stage: seconds, bytes of its files, the figures it gave, and whether it was done now."""
    stages = {
        name: {
            "now": name in fresh,
            "seconds": stage.seconds,
            "bytes": sum(stage.bytes.values()),
            **stage.figures,
        }
        for name, stage in done.items()
    }
    return {
        "languages": list(plan.languages),
        "stages": stages,
        "files": {name: size for stage in done.values() for name, size in _few(stage.bytes).items()},
        "bytes": sum(stage["bytes"] for stage in stages.values()),
        "seconds": round(sum(stage["seconds"] for stage in stages.values()), 1),
        "processor_seconds": round(sum(stage["processor_seconds"] for stage in stages.values()), 1),
        "peak_memory": max(stage["peak_memory"] or 0 for stage in stages.values()) or None,
    }


def peak_memory() -> int | None:
    """The most bytes that this process or one that it started has had; None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return most if sys.platform == "darwin" else most * 1024


def _few(sizes: Mapping[str, int]) -> dict[str, int]:
    """Files by their names; the grammars of single sentences as one."""
    own = {name: size for name, size in sizes.items() if name.startswith("grammars/")}
    few = {name: size for name, size in sizes.items() if name not in own}
    return {**few, "grammars": sum(own.values())} if own else few
