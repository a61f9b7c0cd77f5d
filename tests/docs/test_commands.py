"""The pages of the commands say what the commands say of themselves, no less and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from kibitz.cli.application import app

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
INVOCATION = re.compile(r"\bkibitz((?: +[a-z-]+)*)([^|>#]*)")
FIRST_CELL = re.compile(r"^\| (`--[^|]*)\|", re.MULTILINE)
HELP = "--help"


def _walk(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command that does something, by its words."""
    children = getattr(command, "commands", None)
    if not children:
        yield " ".join(words), command
        return
    for name, child in children.items():
        yield from _walk(child, (*words, name))


def _options(command: Any) -> set[str]:
    """The long names of a command's options, as its --help shows them."""
    shown = [p for p in command.params if p.param_type_name == "option" and not getattr(p, "hidden", False)]
    return {name for p in shown for name in (*p.opts, *p.secondary_opts) if name.startswith("--")} - {HELP}


ROOT_COMMAND = typer.main.get_command(app)
COMMANDS = dict(_walk(ROOT_COMMAND))


def _invocations(code: str) -> Iterator[tuple[str, set[str], str]]:
    """What a line of code calls: the command, the options given to it, and the text of the call."""
    for match in INVOCATION.finditer(code):
        words = match[1].split()
        called = next((n for n in range(len(words), 0, -1) if " ".join(words[:n]) in COMMANDS), 0)
        yield " ".join(words[:called]), set(OPTION.findall(match[2])) - {HELP}, match[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_no_page_or_its_page_misses_an_option_or_has_one_too_many(
    name: str, pages: Any
) -> None:
    path = f"docs/commands/{name.replace(' ', '-')}.md"
    assert path in pages, f"there is no {path}"
    text = pages[path].text
    for line in pages[path].shell():
        for called, _, invocation in _invocations(line):
            if called != name:
                text = text.replace(invocation, "")
    assert f"# kibitz {name}\n" in text
    assert set(OPTION.findall(" ".join(FIRST_CELL.findall(text)))) == _options(COMMANDS[name])
    assert set(OPTION.findall(text)) - {HELP} <= _options(COMMANDS[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_missing_from_the_list_of_commands(name: str, pages: Any) -> None:
    assert f"[`kibitz {name}`]({name.replace(' ', '-')}.md)" in pages["docs/commands/index.md"].text


def test_a_page_of_a_command_that_is_gone(pages: Any) -> None:
    there = {name for name in pages if name.startswith("docs/commands/")} - {"docs/commands/index.md"}
    assert there == {f"docs/commands/{name.replace(' ', '-')}.md" for name in COMMANDS}


def test_a_command_line_on_a_page_would_be_refused(page: Any) -> None:
    for line in page.shell():
        for called, given, invocation in _invocations(line):
            known = _options(COMMANDS[called]) if called else _options(ROOT_COMMAND)
            assert given <= known, f"`{invocation.strip()}`: there is no {', '.join(sorted(given - known))}"


def test_a_page_names_an_option_that_no_command_has(page: Any) -> None:
    every = set.union(*(_options(command) for command in COMMANDS.values()), _options(ROOT_COMMAND))
    assert set(OPTION.findall(page.prose)) - {HELP} <= every
