"""The gallery runs, and its page shows what it is and what it prints."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import kibitz
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


def test_the_trees_of_the_gallery_are_the_projective_ones_each_once(gallery: ModuleType) -> None:
    script = ast.parse(gallery.SCRIPT.read_text(encoding="utf-8"))
    (made,) = (part for part in script.body if isinstance(part, ast.ClassDef) and part.name == "Trees")
    names: dict[str, Any] = {"kibitz": kibitz}
    exec(compile(ast.Module([made], []), str(gallery.SCRIPT), "exec"), names)
    space = names["Trees"]()
    for length, count in enumerate([1, 2, 7, 30, 143], start=1):
        x = space.encode(["NN"] * length)
        shown = [space.shown(x, y) for y in space.structures(x)]
        assert len(shown) == len(set(shown)) == count
        assert all(len(governors) == length and governors.count("0") == 1 for governors in shown)
        assert all(_projective([int(governor) for governor in governors]) for governors in shown)


def _projective(governors: list[int]) -> bool:
    """Whether everything between a word and its governor hangs, in the end, on that governor."""

    def under(word: int, top: int) -> bool:
        for _ in governors:
            if word == top:
                return True
            word = governors[word - 1]
        return word == top

    return all(
        under(between, governor)
        for word, governor in enumerate(governors, start=1)
        if governor
        for between in range(min(word, governor) + 1, max(word, governor))
    )
