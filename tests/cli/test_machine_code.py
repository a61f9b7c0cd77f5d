"""Compiled loops are kept for one state of the sources: a change anywhere must not run old machine code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kibitz.cli import machine_code


def test_each_state_of_the_sources_has_its_own_folder(tmp_path: Path) -> None:
    file = tmp_path / "room" / "kernel.py"
    file.parent.mkdir()
    file.write_text("a = 1\n")
    before = machine_code._digest(tmp_path)
    assert machine_code._digest(tmp_path) == before
    file.write_text("a = 2\n")
    assert machine_code._digest(tmp_path) != before


def test_a_folder_named_by_the_user_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machine_code.VARIABLE, "mine")
    machine_code.settle()
    assert os.environ[machine_code.VARIABLE] == "mine"


def test_folders_of_older_sources_are_removed(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.data.folders import cache_folder

    monkeypatch.setenv(machine_code.VARIABLE, "put back after the test")
    monkeypatch.delenv(machine_code.VARIABLE)
    old = cache_folder() / "machine-code" / "older"
    old.mkdir(parents=True)
    machine_code.settle()
    assert Path(os.environ[machine_code.VARIABLE]).parent == old.parent
    assert not old.exists()
