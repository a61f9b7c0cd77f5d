"""A build makes what it should, and goes on where it was interrupted."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import InputError
from kibitz.translation.building import build as room
from kibitz.translation.building.build import build
from kibitz.translation.building.plan import Plan
from kibitz.translation.extraction.limits import Limits

Lines = Callable[[Path], list[str]]
STAGES = ["text", "inputs", "language models", "alignment", "grammar"]


def now(report: dict[str, Any]) -> list[str]:
    """The stages that were done, and not kept from before."""
    return [name for name, stage in report["stages"].items() if stage["now"]]


def files(folder: Path) -> dict[str, bytes]:
    """What a model is made of, without the records of how it was made."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def rules(lines: list[str]) -> dict[tuple[str, str], str]:
    parts = [line.split(" ||| ") for line in lines]
    return {(source, target): links for _, source, target, _, links in parts}


def test_a_build_from_plain_text_misses_a_rule_or_a_file(plain_plan: Plan, lines: Lines) -> None:
    folder = plain_plan.out
    report = build(plain_plan)
    assert now(report) == STAGES
    assert lines(folder / "inputs" / "news.fr.gz") == ["jardin vert , livre ."]
    found = rules(lines(folder / "grammar.gz"))
    assert found["vert", "green"] == "0-0"
    assert found["jardin [X,1] livre", "garden [1] book"] == "0-0 2-2"
    assert not any("chat" in source for source, _ in found)  # the input has none
    assert report["stages"]["grammar"]["rules"] == len(found)
    assert report["files"]["grammar.gz"] == (folder / "grammar.gz").stat().st_size
    assert (folder / "language-model.arpa.gz").is_file()


def test_given_links_are_not_those_that_are_used(aligned_plan: Plan, lines: Lines) -> None:
    build(aligned_plan)
    assert lines(aligned_plan.out / "alignments.gz") == lines_of(aligned_plan.alignments)
    found = rules(lines(aligned_plan.out / "grammar.gz"))
    assert found["le [X,1] vert", "the green [1]"] == "0-0 2-1"


def lines_of(path: Path | None) -> list[str]:
    assert path is not None
    return path.read_text(encoding="utf-8").splitlines()


def test_a_second_build_does_something_again(aligned_plan: Plan) -> None:
    build(aligned_plan)
    before = files(aligned_plan.out)
    assert now(build(aligned_plan)) == []
    assert files(aligned_plan.out) == before


@pytest.mark.parametrize(
    ("work", "left"),
    [("prepare_text", STAGES), ("make_links", STAGES[3:]), ("make_grammar", STAGES[4:])],
)
def test_an_interrupted_build_begins_again_or_ends_otherwise(
    aligned_plan: Plan, monkeypatch: pytest.MonkeyPatch, work: str, left: list[str]
) -> None:
    elsewhere = replace(aligned_plan, out=aligned_plan.out.with_name("whole"))
    build(elsewhere)

    def cut_short(plan: Plan, folder: Path, *rest: Any) -> Any:
        (folder / "grammar.gz").write_bytes(b"half a file")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(room, work, cut_short)
        with pytest.raises(KeyboardInterrupt):
            build(aligned_plan)
    assert not (aligned_plan.out / "grammar.gz").exists()
    assert now(build(aligned_plan)) == left
    assert files(aligned_plan.out) == files(elsewhere.out)


def test_a_change_redoes_too_little_or_too_much(aligned_plan: Plan) -> None:
    build(aligned_plan)
    few = replace(aligned_plan, limits=Limits(symbols=2))
    assert now(build(few)) == ["grammar"]
    assert now(build(few)) == []
    few.inputs[0].write_text("le chat dort .\n", encoding="utf-8")
    assert now(build(few)) == ["inputs", "grammar"]
    assert few.alignments is not None
    few.alignments.write_text(few.alignments.read_text().replace("1-2 2-1", "1-1 2-2"), encoding="utf-8")
    assert now(build(few)) == ["alignment", "grammar"]


def test_a_damaged_file_of_a_model_is_kept(aligned_plan: Plan) -> None:
    build(aligned_plan)
    before = files(aligned_plan.out)
    (aligned_plan.out / "alignments.gz").write_bytes(b"other")
    (aligned_plan.out / "grammar.gz").unlink()
    assert now(build(aligned_plan)) == ["alignment", "grammar"]
    assert files(aligned_plan.out) == before
    (aligned_plan.out / "stages.json").write_text('{"text": ')
    assert now(build(aligned_plan)) == STAGES


def test_files_of_a_stage_that_is_redone_stay_behind(aligned_plan: Plan) -> None:
    build(replace(aligned_plan, per_sentence=True))
    assert (aligned_plan.out / "grammars" / "news.fr" / "0.gz").is_file()
    build(aligned_plan)
    assert not list((aligned_plan.out / "grammars").rglob("*.gz"))


def test_a_sentence_has_other_rules_than_its_own(aligned_plan: Plan, lines: Lines) -> None:
    aligned_plan.inputs[0].write_text("le chat noir dort .\n\nle livre\n", encoding="utf-8")
    report = build(replace(aligned_plan, per_sentence=True))
    own = [rules(lines(aligned_plan.out / "grammars" / "news.fr" / f"{k}.gz")) for k in range(3)]
    whole = rules(lines(aligned_plan.out / "grammar.gz"))
    assert {**own[0], **own[2]} == whole
    assert own[1] == {}
    assert set(own[0]) & set(own[2]) == {("le", "the"), ("le [X,1]", "the [1]")}
    assert report["stages"]["grammar"]["rules_of_sentences"] == sum(map(len, own))


def test_without_inputs_rules_are_left_out(aligned_plan: Plan, lines: Lines) -> None:
    build(replace(aligned_plan, inputs=()))
    found = rules(lines(aligned_plan.out / "grammar.gz"))
    assert {("chat", "cat"), ("[X,1] noir", "black [1]"), ("livre", "book")} <= set(found)


def test_pairs_that_are_empty_or_too_long_are_kept(aligned_plan: Plan, lines: Lines) -> None:
    for path, last in ((aligned_plan.source, "un deux trois"), (aligned_plan.target, "one")):
        path.write_text(path.read_text(encoding="utf-8") + f"{last}\n\nfin\n", encoding="utf-8")
    assert aligned_plan.alignments is not None
    links = aligned_plan.alignments.read_text(encoding="utf-8") + "0-0 1-0\n\n0-0\n"
    aligned_plan.alignments.write_text(links, encoding="utf-8")
    plan = replace(aligned_plan, longest=2, inputs=())
    report = build(plan)
    assert lines(plan.out / "text" / "source.gz") == ["fin"]
    assert lines(plan.out / "alignments.gz") == ["0-0"]
    figures = report["stages"]["text"]
    assert (figures["pairs"], figures["pairs_empty"], figures["pairs_too_long"]) == (1, 1, 25)


def test_inputs_without_a_single_rule_are_said_nothing_of(aligned_plan: Plan) -> None:
    aligned_plan.inputs[0].write_text("zzz\n", encoding="utf-8")
    with pytest.raises(InputError, match="right languages"):
        build(aligned_plan)


def test_a_model_that_is_given_is_not_taken(aligned_plan: Plan, lines: Lines) -> None:
    build(aligned_plan)
    own = aligned_plan.out.with_name("own.arpa.gz")
    shutil.copy(aligned_plan.out / "language-model.arpa.gz", own)
    text = aligned_plan.out.with_name("domain.en")
    text.write_text("a book falls .\n", encoding="utf-8")
    report = build(replace(aligned_plan, lm=own, domain_lm=text))
    assert now(report) == ["language models"]
    assert lines(aligned_plan.out / "language-model.arpa.gz") == lines(own)
    domain = lines(aligned_plan.out / "domain-language-model.arpa.gz")
    assert any("\tbook falls" in line for line in domain)


def test_a_missing_program_or_file_is_found_out_late(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"gone\.en"):
        build(replace(plan, domain_lm=plan.out.with_name("gone.en")))
    monkeypatch.setitem(sys.modules, "eflomal", None)
    with pytest.raises(InputError, match="eflomal"):
        build(plan)
    assert not plan.out.exists()
