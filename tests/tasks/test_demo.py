"""The demo without any network, on words drawn from shapes of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz import load
from kibitz.data import letters, shapes
from kibitz.errors import DataUnavailable
from kibitz.tasks import demo
from kibitz.tasks.demo_page import examples, page, readings, table


@pytest.fixture(scope="module")
def shown() -> demo.Shown:
    found = demo.Handwriting(shapes.generated_split(train=300, dev=40, test=40), real=False)
    return demo.show(found, 15_000, 1, lambda told: None)


def test_without_any_data_the_demo_draws_its_own_words_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> None:
        raise DataUnavailable("no network")

    monkeypatch.setattr(letters, "load", nothing)
    found = demo.find_words()
    assert not found.real
    assert found.why == "no network"
    assert "of Kibitz's own" in found.described


def test_it_begins_with_a_blind_guess_and_learns_to_read(shown: demo.Shown) -> None:
    assert shown.loss(shown.before) == pytest.approx(25 / 26, abs=0.04)
    assert shown.loss(shown.after) < 0.6


def test_the_figures_are_those_of_the_readings(shown: demo.Shown) -> None:
    figures = demo.figures(shown)
    assert figures["test"] == pytest.approx(shown.loss(shown.after))
    assert figures["test_before"] == shown.loss(shown.before)
    assert not figures["real"]
    wrong = [
        sum(a != b for a, b in zip(y, g, strict=True)) for y, g in zip(shown.after, shown.golds, strict=True)
    ]
    assert figures["words_right"] == wrong.count(0) / len(wrong)


def test_the_tables_show_what_was_read(shown: demo.Shown) -> None:
    assert f"{shown.loss(shown.after):.3f}" in table(shown).text()
    chosen = examples(shown, 1, 3)
    text = readings(shown, chosen).text()
    assert all("".join(shown.after[i]) in text for i in chosen)


def test_the_page_is_whole_and_needs_nothing_from_elsewhere(shown: demo.Shown) -> None:
    text = page(shown, 1).html()
    assert text.count("<img") == 2
    assert "data:image/png;base64," in text
    assert "http://" not in text
    assert "https://" not in text


def test_the_saved_model_reads_as_it_did(shown: demo.Shown, tmp_path: Path) -> None:
    demo.save(shown, tmp_path)
    learner = load(tmp_path)
    assert learner.predict(shown.words.split.test[0][0]) == shown.after[0]
