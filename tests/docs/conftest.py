"""The pages as the tests of the documentation see them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

_FENCE = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^ {4}(?P<code>\S.*)$", re.MULTILINE)
_INLINE = re.compile(r"`(?P<code>[^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the documentation, or the README."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def prose(self) -> str:
        """The page without its fenced code."""
        return _FENCE.sub("", self.text)

    def python(self) -> list[str]:
        """The Python blocks, each with as many empty lines before it as make its line numbers right."""
        found = [match for match in _FENCE.finditer(self.text) if match["kind"] == "python"]
        return ["\n" * (self.text.count("\n", 0, match.start()) + 1) + match["code"] for match in found]

    def shell(self) -> list[str]:
        """Every line of code that is not Python: fenced, indented, or within a sentence."""
        fenced = [m["code"].replace("\\\n", " ") for m in _FENCE.finditer(self.text) if m["kind"] != "python"]
        lines = [line for code in fenced for line in code.splitlines()]
        lines += [match["code"] for match in _INDENTED.finditer(self.prose)]
        return lines + [match["code"] for match in _INLINE.finditer(self.prose)]


def _pages() -> list[Page]:
    paths = [path for path in sorted(DOCS.rglob("*.md")) if "_build" not in path.parts]
    return [Page(path, path.read_text(encoding="utf-8")) for path in [ROOT / "README.md", *paths]]


PAGES = _pages()


# The gallery is run by a test of its own.
WITH_CODE = [page for page in PAGES if page.python() and page.name != "docs/gallery.md"]
LISTED = [page for page in PAGES if page.name not in ("README.md", "docs/index.md")]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with one of these arguments runs for each of its pages."""
    for argument, chosen in (("page", PAGES), ("page_with_code", WITH_CODE), ("listed_page", LISTED)):
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, chosen, ids=lambda page: page.name)


@pytest.fixture(scope="session")
def outline() -> Callable[[str], list[str]]:
    """What a printed text says but for its figures and labels: other processors may round otherwise."""

    def outline(printed: str) -> list[str]:
        masked = re.sub(r"\b[BIO]( [BIO])+\b", "labels", re.sub(r"\d[\d.,e-]*", "0", printed))
        return [" ".join(line.split()) for line in masked.splitlines()]

    return outline


@pytest.fixture(scope="session")
def pages() -> dict[str, Page]:
    """All pages by name."""
    return {page.name: page for page in PAGES}
