"""The pages hold together: their code runs, their links lead somewhere, and nothing public is left out."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz.cli.application import app
from kibitz.learning.simulation import Point

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LABEL = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)
TUTORIAL, METRICS = "docs/tutorial.md", "docs/objectives/index.md"


def _run(page: Any, namespace: dict[str, Any]) -> str:
    """Run the page's Python blocks one after the other; what they print."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for block in page.python():
            exec(compile(block, str(page.path), "exec"), namespace)
    return printed.getvalue()


@pytest.fixture(scope="module")
def tutorial(pages: Any, tmp_path_factory: Any) -> tuple[Path, dict[str, Any], str]:
    """The folder, the names and the output that the tutorial leaves behind."""
    folder, names = tmp_path_factory.mktemp("tutorial"), {}
    with contextlib.chdir(folder):
        printed = _run(pages[TUTORIAL], names)
    return folder, names, printed


def test_the_tutorial_prints_something_else_than_it_says(tutorial: Any, pages: Any, outline: Any) -> None:
    _, _, printed = tutorial
    curve = [line for line in printed.splitlines() if "comparisons: F1" in line]
    assert len(curve) == 5
    shown = [line for line in pages[TUTORIAL].text.splitlines() if re.match(r" *\d+ comparisons: F1", line)]
    assert outline("\n".join(curve)) == outline("\n".join(shown))


def test_code_on_a_page_fails(page_with_code: Any, tutorial: Any) -> None:
    folder, names, _ = tutorial
    learner = kibitz.Learner(names["space"], "el", optimizer=kibitz.AdaGrad(rate=0.1), seed=1)
    with contextlib.chdir(folder):
        printed = _run(page_with_code, {**names, "learner": learner})
    for line in printed.splitlines():
        if line.startswith("["):  # lists are shown on the page as they are printed
            assert line in page_with_code.text


def _anchors(text: str) -> set[str]:
    """What a link may point to: labels, and headings as MyST and GitHub spell them."""
    slugs = [
        re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in HEADING.findall(text)
    ]
    return {*slugs, *LABEL.findall(text)}


def test_a_link_leads_nowhere(page: Any) -> None:
    for target in LINK.findall(page.prose):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        file = page.path.parent / path if path else page.path
        assert file.is_file(), f"{target}: there is no such file"
        assert not anchor or anchor in _anchors(file.read_text(encoding="utf-8")), f"{target}: no such place"


def test_a_page_is_in_no_table_of_contents(listed_page: Any, pages: Any) -> None:
    here = listed_page.name.removeprefix("docs/").removesuffix(".md")
    assert re.search(rf"^{re.escape(here)}$", pages["docs/index.md"].text, re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in kibitz.__all__ if name != "__version__"])
def test_a_public_name_is_undocumented(name: str, pages: Any) -> None:
    assert re.search(rf"kibitz\.{name}\b", pages["docs/api.md"].text)
    thing = getattr(kibitz, name)
    parts = {name: thing}
    if inspect.isclass(thing) and not issubclass(thing, Exception):
        parts |= {f"{name}.{part}": value for part, value in vars(thing).items() if not part.startswith("_")}
    for called, part in parts.items():
        if inspect.isroutine(part) or inspect.isclass(part) or isinstance(part, property):
            doc = _doc(thing, called, part)
            # A dataclass without a docstring gets its signature as one.
            assert doc, f"{called} has no docstring"
            assert not doc.startswith(f"{name}("), f"{called} has no docstring"


def _doc(owner: Any, called: str, part: Any) -> str:
    """The docstring, or the one of the method that is overridden."""
    attribute = called.partition(".")[2]
    found = inspect.getdoc(part) or (inspect.getdoc(getattr(owner, attribute)) if attribute else None)
    if not found and attribute and inspect.isclass(owner):
        found = next((d for base in owner.__mro__ if (d := inspect.getdoc(vars(base).get(attribute)))), None)
    return found or ""


def _rows(text: str, heading: str) -> set[str]:
    """The names in the first column of the table below a heading."""
    table = text.split(f"{heading}\n", 1)[1].split("\n\n", 1)[0]
    return {name for line in table.splitlines() for name in re.findall(r"`(\w+)`", line.split("|")[1])}


def test_a_field_of_the_curve_is_not_explained(pages: Any) -> None:
    explained = _rows(pages[METRICS].text, "| field of `curve.jsonl` | meaning |")
    assert explained == {field.name for field in fields(Point)}


def test_a_key_of_the_json_is_not_explained(pages: Any, tutorial: Any) -> None:
    folder, _, _ = tutorial
    command = (
        "learn sequence --train train.txt --dev dev.txt --test test.txt --iterations 20 --out run --json"
    )
    with contextlib.chdir(folder):
        result = CliRunner().invoke(app, command.split(), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    keys = set(json.loads(result.stdout.splitlines()[-1]))
    assert _rows(pages[METRICS].text, "| key | meaning |") == keys
