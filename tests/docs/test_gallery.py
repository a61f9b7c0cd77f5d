"""The gallery runs, and its page shows what it is and what it prints."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from kibitz.errors import KibitzError


@pytest.fixture(scope="module")
def gallery(pages: Any) -> Iterator[ModuleType]:
    """The script that builds the page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(pages["docs/gallery.md"].path.parent)
        yield importlib.import_module("build_gallery")


def test_the_page_of_the_gallery_is_not_what_the_script_prints(
    gallery: ModuleType, pages: Any, outline: Any
) -> None:
    parts = gallery.pieces(gallery.SCRIPT.read_text(encoding="utf-8"))
    printed = gallery.run(parts)
    assert all(printed), "a piece of the gallery prints nothing"
    page, built = pages["docs/gallery.md"], gallery.page(parts, printed)
    assert page.python() == type(page)(page.path, built).python(), "run docs/build_gallery.py"
    assert outline(page.text) == outline(built), "run docs/build_gallery.py"


def test_an_error_in_the_gallery_does_not_name_the_line(gallery: ModuleType) -> None:
    fails = 'raise KibitzError("here")'
    second = f"# %% Two\nfrom kibitz.errors import KibitzError\n{fails}\n"
    script = f'"""Head."""\n\n# %% One\n# Text.\n\nfine = 1\n\n{second}'
    one, two = gallery.pieces(script)
    assert (one.title, one.text, one.code) == ("One", "Text.", "fine = 1")
    with pytest.raises(KibitzError) as raised:
        gallery.run([one, two])
    assert raised.traceback[-1].lineno == script.splitlines().index(fails)
