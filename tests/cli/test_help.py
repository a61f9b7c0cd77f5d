"""Help: quick, on every command, with examples; and what `kibitz` alone does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from kibitz import __version__

Kibitz = Callable[..., Any]

COMMANDS = [
    ("demo",),
    ("learn",),
    ("predict",),
    ("evaluate",),
    ("judge",),
    ("sweep",),
    ("bench",),
    ("reproduce", "chunking"),
    ("reproduce", "convergence"),
    ("reproduce", "settings"),
    ("reproduce", "translation"),
    ("forest", "show"),
    ("forest", "convert"),
    ("translation", "build"),
    ("translation", "decode"),
    ("translation", "grammar"),
    ("translation", "tune"),
    ("translation", "lm", "build"),
    ("translation", "lm", "score"),
    ("translation", "lm", "compare"),
    ("data", "list"),
    ("data", "fetch"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_examples_that_begin_with_its_own_name(
    kibitz: Kibitz, command: tuple[str, ...]
) -> None:
    answer = kibitz(*command, "--help")
    assert answer.code == 0
    examples = answer.out.partition("Examples:")[2]
    assert f"kibitz {' '.join(command)}" in examples


def test_every_command_is_in_the_list_of_commands(kibitz: Kibitz) -> None:
    answer = kibitz("--help")
    listed = answer.out.partition("Commands:")[2]
    assert all(f"\n  {command[0]} " in listed for command in COMMANDS)


def test_no_line_of_help_is_cut_short(kibitz: Kibitz) -> None:
    assert "..." not in kibitz("--help").out.partition("Commands:")[2]


def test_the_options_of_learn_stand_in_groups(kibitz: Kibitz) -> None:
    before, _, replay = kibitz("learn", "--help").out.partition("\nJudgements taken again:\n")
    assert "  --replay-age M " in replay
    assert before.index("\nOptions:\n") < before.index("  --seed ") < before.index("\nThe step:\n")


def test_kibitz_alone_shows_the_help(kibitz: Kibitz) -> None:
    assert kibitz().out == kibitz("--help").out
    assert kibitz().code == 0


def test_the_version_is_that_of_the_package(kibitz: Kibitz) -> None:
    assert kibitz("--version").out == f"kibitz {__version__}\n"


def test_an_unknown_command_gets_a_suggestion(kibitz: Kibitz) -> None:
    answer = kibitz("lern")
    assert answer.code == 2
    assert "learn" in answer.err


def test_help_imports_nothing_heavy() -> None:
    """Half a second is the bar; these four are what would break it."""
    code = (
        "import sys; from kibitz.cli.application import app; app(['learn', '--help'], standalone_mode=False);"
        "heavy = {'numba', 'numpy', 'matplotlib', 'rich'} & set(sys.modules); sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_python_m_kibitz_is_the_command_too() -> None:
    command = [sys.executable, "-m", "kibitz", "--help"]
    assert "Usage: kibitz" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
