"""The HTML report: whole, self-contained, and safe whatever the texts hold."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from kibitz.analysis.report import Facts, Figure, Report, Section
from kibitz.analysis.style import figure, png
from kibitz.analysis.tables import Table

EVIL = "<script>alert(\"1\")</script> & 'two'"
VOID = {"meta", "img", "br"}


class Page(HTMLParser):
    """Collects the elements, and insists that every one is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def picture() -> bytes:
    return png(figure(2, 1))


def evil_report(picture: bytes) -> Report:
    table = Table.of([EVIL, "n"], [[EVIL, 1.0]], EVIL, [EVIL])
    blocks = (EVIL, table, Figure(picture, EVIL, EVIL), Facts(((EVIL, EVIL),)))
    return Report.of(EVIL, EVIL, [Section(EVIL, blocks)])


def test_every_text_is_escaped_wherever_it_stands(picture):
    html = evil_report(picture).html()
    page = Page(html)
    assert page.open == []
    assert "script" not in {tag for tag, _ in page.elements}
    assert EVIL in page.text
    assert next(attrs["alt"] for tag, attrs in page.elements if tag == "img") == EVIL
    assert next(attrs["aria-label"] for _, attrs in page.elements if "aria-label" in attrs) == EVIL


def test_nothing_is_fetched_from_anywhere(picture):
    page = Page(evil_report(picture).html())
    links = [attrs[name] for _, attrs in page.elements for name in ("src", "href") if name in attrs]
    assert links
    assert all(link.startswith("data:image/png;base64,") for link in links)
    assert not {"link", "script", "iframe"} & {tag for tag, _ in page.elements}


def test_pictures_are_shown_at_their_printed_size(picture):
    page = Page(evil_report(picture).html())
    assert next(attrs["width"] for tag, attrs in page.elements if tag == "img") == str(2 * 96)


def test_an_empty_line_starts_a_paragraph():
    html = Report.of("t", "", [Section.of("h", "one\n\ntwo")]).html()
    assert "<p>one</p>" in html
    assert "<p>two</p>" in html
    assert 'lead"></p>' not in html


def test_saving_replaces_the_page_whole_or_leaves_the_old_one(tmp_path, monkeypatch):
    target = tmp_path / "report.html"
    Report.of("first", "", []).save(target)
    second = Report.of("second", "", [])
    monkeypatch.setattr(type(target), "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        second.save(target)
    assert "first" in target.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [target]
