"""How far the runs are, on stderr: a live line each on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Protocol, Self

from kibitz.cli.output import say

QUIET_SECONDS = 10.0  # between two plain lines of one run
FEW = 6  # bars stay when their run is done, unless there are more


class Progress(Protocol):
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def update(self, run: str, told: dict[str, Any]) -> None:
        """`told` has `done`, `total` and their `unit`, where known `loss` and `dev`; `what` is a part of a run."""


def progress(metric: str = "dev") -> Progress:
    """The kind of progress that suits where stderr goes."""
    return LiveProgress(metric) if sys.stderr.isatty() else PlainProgress(metric)


class PlainProgress:
    """For each run a line every ten seconds at most, and one when it is done."""

    def __init__(self, metric: str = "dev") -> None:
        self._metric = metric
        self._said: dict[str, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def update(self, run: str, told: dict[str, Any]) -> None:
        run, now = _called(run, told), time.monotonic()
        early = now - self._said.setdefault(run, now) < QUIET_SECONDS
        if early and told["done"] < told["total"]:
            return
        self._said[run] = now
        far = f"{told['done']:,} of {told['total']:,} {told['unit']}"
        say(f"{run}: {', '.join(filter(None, (far, _measures(told, self._metric))))}")


class LiveProgress:
    """One line a run with a bar, the rate, the loss, the dev score and the time left."""

    def __init__(self, metric: str = "dev") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bars

        self._metric = metric
        self._tasks: dict[str, Any] = {}
        self._first: dict[str, tuple[int, float]] = {}
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[measures]}"),
            TimeRemainingColumn(compact=True, elapsed_when_finished=True),
            console=Console(stderr=True),
        )

    def __enter__(self) -> Self:
        self._bars.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.__exit__(kind, error, trace)

    def update(self, run: str, told: dict[str, Any]) -> None:
        run, now, done = _called(run, told), time.monotonic(), told["done"]
        if run not in self._tasks:
            self._tasks[run] = self._bars.add_task(run, total=told["total"], rate="", measures="")
            self._first[run] = (done, now)
        first, started = self._first[run]
        many_done = done >= told["total"] and len(self._tasks) > FEW
        rate = f"{(done - first) / (now - started):,.0f}/s" if done > first else ""
        self._bars.update(self._tasks[run], completed=done, rate=rate, measures=_measures(told, self._metric))
        if many_done:
            self._bars.update(self._tasks[run], visible=False)


def _called(run: str, told: dict[str, Any]) -> str:
    return ", ".join(filter(None, (run, told.get("what"))))


def _measures(told: dict[str, Any], metric: str) -> str:
    known = [("loss", told.get("loss")), (metric, told.get("dev"))]
    return ", ".join(f"{name} {value:.4f}" for name, value in known if value is not None)
