"""Runs side by side: every job in a process of its own, as many at a time as there are cores.

A job is a value that pickles, the worker a function of a module: `worker(job, report) -> result`. What the
worker reports and returns comes back over the job's own pipe. The first Ctrl-C asks the running jobs to stop
cleanly, starts no others and waits for them; a second one ends them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from kibitz.errors import InputError, KibitzError

Report = Callable[[dict[str, Any]], None]
Worker = Callable[[Any, Report], dict[str, Any]]
Heard = Callable[[int, dict[str, Any]], None]


def cores() -> int:
    """The processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def run_side_by_side(
    worker: Worker,
    jobs: Sequence[Any],
    *,
    at_once: int | None = None,
    heard: Heard = lambda number, told: None,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield `(number of the job, its result)` as the jobs end; raise the first error that one raises."""
    if at_once is not None and at_once < 1:
        raise InputError(f"At least one run must go at a time, not {at_once}.")
    waiting = list(enumerate(jobs))[::-1]
    running = _Running()
    try:
        while waiting or running.jobs:
            while waiting and len(running.jobs) < (at_once or cores()):
                number, job = waiting.pop()
                running.start(number, worker, job)
            try:
                ended = running.listen(heard)
            except KeyboardInterrupt:
                waiting.clear()
                running.interrupt()
                continue
            yield from ended
        if running.interrupted:
            raise KeyboardInterrupt
    finally:
        running.kill()


@dataclass(slots=True)
class _Running:
    jobs: dict[Connection, tuple[int, BaseProcess]] = field(default_factory=dict)
    interrupted: bool = False

    def start(self, number: int, worker: Worker, job: Any) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(theirs, worker, job), daemon=True)
        process.start()
        theirs.close()
        self.jobs[ours] = (number, process)

    def listen(self, heard: Heard) -> list[tuple[int, dict[str, Any]]]:
        """Hear what the jobs have to say now; return the results of those that ended."""
        ended = []
        for pipe in wait(list(self.jobs)):
            assert isinstance(pipe, Connection)
            number, process = self.jobs[pipe]
            try:
                kind, told = pipe.recv()
            except EOFError:
                process.join()
                raise KibitzError(f"A run ended without a result (exit status {process.exitcode}).") from None
            if kind == "report":
                heard(number, told)
                continue
            process.join()
            pipe.close()
            del self.jobs[pipe]
            if kind == "wrong":
                raise InputError(told)
            if kind == "result":
                ended.append((number, told))
        return ended

    def interrupt(self) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True
        for _, process in self.jobs.values():
            if process.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGINT)

    def kill(self) -> None:
        for pipe, (_, process) in self.jobs.items():
            process.terminate()
            process.join()
            pipe.close()
        self.jobs.clear()


def _work(pipe: Connection, worker: Worker, job: Any) -> None:
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # Ctrl-C in the terminal reaches the parent alone, which then passes it on once
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have us begin with a deaf ear
    try:
        pipe.send(("result", worker(job, lambda told: pipe.send(("report", told)))))
    except KeyboardInterrupt:
        pipe.send(("interrupted", None))
    except InputError as error:
        pipe.send(("wrong", str(error)))
    except BrokenPipeError:
        pass  # the parent is gone: nobody waits for this result
