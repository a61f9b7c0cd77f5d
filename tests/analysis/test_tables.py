"""One table, shown as text, Markdown, Rich and JSON."""

from __future__ import annotations

import io
import json
from dataclasses import FrozenInstanceError

import pytest
from rich.console import Console

from kibitz.analysis.numbers import Spread
from kibitz.analysis.tables import Table

TABLE = Table.of(
    ["objective", "test F1", "paper", "note"],
    [["EL", Spread.of([0.93, 0.94]), 0.923, "a | b"], ["PR(bin)", None, None, "[red]x[/red]"]],
    "Table 1",
    ["Over two seeds."],
)


def test_markdown_keeps_its_columns_when_a_cell_has_a_bar():
    lines = TABLE.markdown().split("\n")
    assert lines[0] == "**Table 1**"
    assert lines[2:4] == ["| objective | test F1 | paper | note |", "| --- | ---: | ---: | --- |"]
    assert lines[4] == "| EL | 0.935 ± 7.07e-3 | 0.923 | a \\| b |"
    assert lines[5] == "| PR(bin) | – | – | [red]x[/red] |"
    assert lines[-1] == "Over two seeds."


def test_text_lines_up_under_its_heads():
    lines = TABLE.text().split("\n")
    assert lines[0] == "Table 1"
    head, row = lines[1], lines[3]
    assert head.index("paper") + len("paper") == row.index("0.923") + len("0.923")
    assert head.index("note") == row.index("a | b")


def test_rich_prints_brackets_as_brackets():
    out = io.StringIO()
    Console(file=out, width=100).print(TABLE.rich())
    assert "[red]x[/red]" in out.getvalue()
    assert "Over two seeds." in out.getvalue()
    assert "Table 1" in out.getvalue()


def test_json_keeps_the_figures_unrounded():
    plain = json.loads(json.dumps(TABLE.json()))
    assert plain["rows"][0]["test F1"]["mean"] == pytest.approx(0.935)
    assert plain["rows"][0]["paper"] == 0.923
    assert plain["rows"][1]["test F1"] is None
    assert plain["columns"] == ["objective", "test F1", "paper", "note"]


def test_a_column_of_figures_with_gaps_is_still_one_of_figures():
    assert TABLE.numeric == (False, True, True, False)
    assert Table.of(["empty"], [[None]]).numeric == (False,)


def test_a_row_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="2 cells under 1 columns"):
        Table.of(["a"], [[1, 2]])


def test_a_table_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        TABLE.title = "other"
