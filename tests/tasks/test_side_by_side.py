"""Runs in processes of their own: results, reports, errors, and one clean stop."""

from __future__ import annotations

import importlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kibitz.errors import InputError, KibitzError
from kibitz.tasks.side_by_side import run_side_by_side


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that the processes find as well: they are given this process's search path."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    return importlib.import_module("workers")


def test_every_job_runs_in_a_process_of_its_own_and_reports(workers: ModuleType) -> None:
    heard: list[tuple[int, dict[str, Any]]] = []
    results = dict(
        run_side_by_side(workers.square, [2, 3, 4], at_once=2, heard=lambda n, told: heard.append((n, told)))
    )
    assert {number: result["value"] for number, result in results.items()} == {0: 4, 1: 9, 2: 16}
    assert len({result["process"] for result in results.values()} | {os.getpid()}) == 4
    assert sorted(heard, key=lambda pair: pair[0]) == [
        (0, {"iteration": 2}),
        (1, {"iteration": 3}),
        (2, {"iteration": 4}),
    ]


def test_an_error_of_the_user_s_comes_back_as_it_was_said(workers: ModuleType) -> None:
    with pytest.raises(InputError, match="job 1 is wrong"):
        list(run_side_by_side(workers.refuse, [1]))


def test_a_process_that_dies_is_not_waited_for_for_ever(workers: ModuleType) -> None:
    with pytest.raises(KibitzError, match="exit status 7"):
        list(run_side_by_side(workers.die, [1]))


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """As in a terminal; tests may be started deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_stops_the_running_jobs_cleanly_and_starts_no_others(workers: ModuleType) -> None:
    def interrupt(number: int, told: dict[str, Any]) -> None:
        signal.raise_signal(signal.SIGINT)

    runs = run_side_by_side(workers.until_interrupted, [5, 6], at_once=1, heard=interrupt)
    assert next(runs) == (0, {"interrupted": 5})
    with pytest.raises(KeyboardInterrupt):
        next(runs)


def test_ctrl_c_reaches_jobs_of_a_process_that_was_started_deaf_to_it(workers: ModuleType) -> None:
    """As shells start what runs in the background."""

    def interrupt(number: int, told: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        runs = run_side_by_side(workers.until_interrupted, [5], at_once=1, heard=interrupt)
        assert next(runs) == (0, {"interrupted": 5})
    finally:
        signal.signal(signal.SIGINT, before)
