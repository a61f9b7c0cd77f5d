"""`kibitz forest`: shown, drawn, converted; and what is wrong is said in one sentence."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz.data.forests import read_forests

Kibitz = Callable[..., Any]
Refused = Callable[..., str]

RULES = """\
[NP] ||| the cat ||| Definite=1
[NP] ||| cats
[S] ||| [NP] sleep
[S] ||| there sleep [NP] ||| Inverted=1
[S] ||| cats sleep

# id second
[S] ||| yes
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.cfg"
    path.write_text(RULES, encoding="utf-8")
    return path


def test_a_forest_is_shown_in_figures_and_outputs(kibitz: Kibitz, rules: Path) -> None:
    weights = rules.with_name("weights")
    weights.write_text("Definite 1\nInverted -2\n")
    shown = kibitz("forest", "show", rules, "--weights", weights, "--top", 2, "--json").json
    assert shown["id"] == "0"
    assert (shown["root"], shown["nodes"], shown["edges"]) == ("S", 2, 5)
    assert (shown["features"], shown["words"], shown["derivations"]) == (2, 5, 5)
    scores = [1, 0, -1, -2, 0]  # of the derivations; two of them say "cats sleep"
    total = sum(map(math.exp, scores))
    assert shown["log_partition"] == pytest.approx(math.log(total))
    assert [said["output"] for said in shown["outputs"]] == ["the cat sleep", "cats sleep"]
    assert [said["score"] for said in shown["outputs"]] == pytest.approx([1, 0])
    assert [said["probability"] for said in shown["outputs"]] == pytest.approx([math.e / total, 2 / total])
    entropy = -sum(math.exp(s) / total * (s - math.log(total)) for s in scores)
    assert shown["entropy"] == pytest.approx(entropy)


def test_tables_show_what_the_json_has(kibitz: Kibitz, rules: Path) -> None:
    answer = kibitz("forest", "show", rules, "--id", "second")
    assert answer.code == 0
    assert answer.out.splitlines()[2].split() == ["second", "S", "1", "1", "0", "1", "1", "0"]
    assert answer.out.splitlines()[-1].split() == ["1", "1", "0", "yes"]
    assert "output" not in kibitz("forest", "show", rules, "--top", 0).out


def test_a_forest_is_drawn_as_svg_and_as_dot(kibitz: Kibitz, rules: Path, tmp_path: Path) -> None:
    svg, dot = tmp_path / "out.svg", tmp_path / "out.dot"
    answer = kibitz("forest", "show", rules, "--svg", svg, "--dot", dot, "--edges", 3, "--json")
    assert (answer.json["svg"], answer.json["dot"]) == (str(svg), str(dot))
    texts = [text.text for text in ET.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    hidden = [int(text.rpartition("+")[2]) for text in texts if text is not None and "+" in text]
    assert sum(hidden) == 2
    assert svg.read_text().count('way"') == 3
    assert dot.read_text().startswith("digraph")


def test_many_derivations_are_counted_exactly_and_shown_by_their_size(kibitz: Kibitz, tmp_path: Path) -> None:
    path = tmp_path / "many.cfg"
    lines = ["[N0] ||| a", "[N0] ||| b"]
    lines += [f"[N{i}] ||| [N{i - 1}] [N{i - 1}]" for i in range(1, 12)]
    path.write_text("\n".join(lines))
    shown = kibitz("forest", "show", path, "--top", 0, "--json").json
    assert shown["derivations"] is None  # 2 ^ 2048 is no number of JSON
    assert shown["log10_derivations"] == pytest.approx(2048 * math.log10(2))
    assert "about 1e616" in kibitz("forest", "show", path, "--top", 0).out


@pytest.mark.parametrize("out", ["out.jsonl", "out.jsonl.gz", "out.cfg.xz"])
def test_what_is_converted_is_the_same(kibitz: Kibitz, rules: Path, tmp_path: Path, out: str) -> None:
    answer = kibitz("forest", "convert", rules, tmp_path / out, "--json")
    assert answer.json["forests"] == 2
    assert list(read_forests(tmp_path / out)) == list(read_forests(rules))
    back = tmp_path / "back"
    assert kibitz("forest", "convert", tmp_path / out, back, "--to", "moses").code == 0
    assert list(read_forests(back)) == list(read_forests(rules))


def test_a_file_may_be_converted_in_its_place(kibitz: Kibitz, rules: Path) -> None:
    before = list(read_forests(rules))
    assert kibitz("forest", "convert", rules, rules, "--to", "jsonl").code == 0
    assert list(read_forests(rules)) == before


def test_a_forest_that_is_wrong_leaves_the_other_file_as_it_was(refused: Refused, rules: Path) -> None:
    rules.write_text(RULES + "[S] yes\n", encoding="utf-8")
    out = rules.with_name("out.jsonl")
    out.write_text("as it was")
    assert refused("forest", "convert", rules, out).startswith(f"{rules}:9: a rule should be")
    assert out.read_text() == "as it was"
    assert sorted(path.name for path in rules.parent.iterdir()) == ["out.jsonl", "rules.cfg"]


def test_what_is_asked_wrongly_is_named(refused: Refused, kibitz: Kibitz, rules: Path) -> None:
    assert "no format 'hg'" in refused("forest", "show", rules, "--from", "hg")
    assert "does not say in which format" in refused("forest", "convert", rules, rules.with_name("out"))
    assert "no forest '7': its forests are 0, second" in refused("forest", "show", rules, "--id", "7")
    assert "gone" in refused("forest", "show", "gone")
    weights = rules.with_name("weights")
    for text, line in (("Definite\n", 1), ("Definite 1\nDefinite 2\n", 2), ("# none\nDefinite one\n", 2)):
        weights.write_text(text)
        assert refused("forest", "show", rules, "--weights", weights).startswith(f"{weights}:{line}: ")
    weights.write_text("")
    assert "is empty" in refused("forest", "show", rules, "--weights", weights)
    weights.write_text("Other 1\n")
    assert "no weight is that of a feature" in kibitz("forest", "show", rules, "--weights", weights).err
