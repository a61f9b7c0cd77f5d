"""Compiled loops are kept for one state of the sources: a change anywhere must not run old machine code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.cli import machine_code

HOLD = """
import fcntl, sys
from pathlib import Path
from kibitz.cli.machine_code import _hold
descriptor = _hold(Path(sys.argv[1]), fcntl.LOCK_SH)
print("held", flush=True)
sys.stdin.read()
"""


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


@pytest.fixture
def shelf(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from kibitz.data.folders import cache_folder

    monkeypatch.setenv(machine_code.VARIABLE, "put back after the test")
    monkeypatch.delenv(machine_code.VARIABLE)
    return cache_folder() / "machine-code"


def _older(shelf: Path, count: int) -> list[Path]:
    """Folders of other states of the sources, the one used last first."""
    folders = [shelf / f"older-{age}" for age in range(count)]
    for age, folder in enumerate(folders):
        folder.mkdir(parents=True)
        os.utime(folder, (1e9 - age, 1e9 - age))
    return folders


def test_the_folders_used_last_stay_and_older_ones_are_removed(shelf: Path) -> None:
    older = _older(shelf, 6)
    machine_code.settle()
    own = Path(os.environ[machine_code.VARIABLE])
    assert set(shelf.iterdir()) == {own, *older[: machine_code.KEPT - 1]}


def test_a_folder_that_another_version_is_using_is_not_removed_under_it(shelf: Path) -> None:
    older = _older(shelf, 6)
    command = [sys.executable, "-c", HOLD, str(older[-1])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        machine_code.settle()
        assert older[-1].is_dir()
        assert not older[-2].exists()
        other.communicate("")
