"""Learning to translate from the command line: sentences and references in, a model, translations and scores out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz import load
from kibitz.feedback import SentenceBLEU
from kibitz.translation.corpus import KEPT, Sentences
from kibitz.translation.grammar import read_weights
from kibitz.translation.language_model import estimate, write_arpa
from kibitz.translation.space import Translation

Kibitz = Callable[..., Any]
NOUNS = {"chat": ("cat", "tom"), "chien": ("hound", "dog"), "loup": ("wolf", "beast")}


def rules() -> str:
    """The first translation of each noun is the right one, which the feature Good knows, but nobody has said so."""
    lines = [
        f"[X] ||| {noun} ||| {word} ||| Good={int(place == 0)}"
        for noun, words in NOUNS.items()
        for place, word in enumerate(words)
    ]
    lines += [
        "[X] ||| [X,1] noir ||| black [1] ||| Swap=1",
        "[X] ||| [X,1] noir ||| [1] black ||| Keep=1",
        "[X] ||| le [X,1] ||| the [1] ||| The=1",
        "[X] ||| hier [X,1] dort ||| yesterday [1] sleeps ||| Sleep=1",
    ]
    return "".join(line + "\n" for line in lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("translation")
    pairs = [
        (f"hier le {noun}{black} dort", f"yesterday the {'black ' if black else ''}{words[0]} sleeps")
        for noun, words in NOUNS.items()
        for black in ("", " noir")
    ]
    (made / "rules").write_text(rules())
    (made / "source").write_text("".join(f"{source}\n" for source, _ in pairs))
    (made / "references").write_text("".join(f"{target}\n" for _, target in pairs))
    (made / "weights").write_text("Good -1\nKeep 0.5\nPassThrough -10\n")
    texts = [target.split() for _, target in pairs]
    write_arpa(estimate([*texts, ["black", "the"]], 2).ngrams, made / "lm.arpa")
    return made


def options(folder: Path, *parts: str) -> list[object]:
    found: list[object] = ["--grammar", folder / "rules", "--lm", f"LM={folder / 'lm.arpa'}"]
    for part in parts:
        name = "references" if part == "train" else f"{part}-references"
        found += [f"--{part}", folder / "source", f"--{name}", folder / "references"]
    return found


def learning(folder: Path, *more: object) -> list[object]:
    return ["learn", "translation", *options(folder, "train", "dev"), *more, "--json"]


@pytest.fixture(scope="module")
def run(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    from typer.testing import CliRunner

    from kibitz.cli.application import app

    out = tmp_path_factory.mktemp("run") / "run"
    arguments = learning(
        folder, "--test", folder / "source", "--test-references", folder / "references", "--weights",
        folder / "weights", "--iterations", 200, "--rate", 0.3, "--evaluate-every", 50, "--out", out,
    )  # fmt: skip
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return out, json.loads(result.stdout.splitlines()[-1])


def test_a_system_learns_from_what_is_heard_of_its_own_translations(run: tuple[Path, Any]) -> None:
    out, figures = run
    first = json.loads((out / "curve.jsonl").read_text().splitlines()[0])
    assert first["dev"] < 0.6
    assert (figures["dev"], figures["test"], figures["metric"]) == (1.0, 1.0, "BLEU")
    learner = load(out)
    assert isinstance(learner.space, Translation)
    assert (learner.space.decoder.pop_limit, learner.space.system.best_pop_limit) == (30, 200)
    names = learner.space.decoder.symbols.features.names()
    assert learner.weights[names.index("Good")] > 0
    assert learner.weights[names.index("PassThrough")] < -9


def test_the_weights_of_a_file_are_where_learning_begins(
    kibitz: Kibitz, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    begun = ["--iterations", 1, "--rate", 1e-30, "--select", "last", "--weights", folder / "weights"]
    kibitz(*learning(folder, *begun, "--out", out))
    learner = load(out)
    names = learner.space.decoder.symbols.features.names()
    weights = dict(zip(names, learner.weights.tolist(), strict=True))
    assert {name: weight for name, weight in weights.items() if weight} == {
        "Good": -1.0, "Keep": 0.5, "PassThrough": -10.0,
    }  # fmt: skip
    decoded = kibitz(
        "translation", "decode", folder / "source", *options(folder), "--weights", folder / "weights"
    )
    assert kibitz("predict", out, folder / "source").out == decoded.out


def test_a_learned_system_translates_and_is_scored(
    kibitz: Kibitz, run: tuple[Path, Any], folder: Path, tmp_path: Path
) -> None:
    source, references = folder / "source", folder / "references"
    assert kibitz("predict", run[0], source).out == references.read_text()
    other = tmp_path / "other"
    other.write_text("hier le chat dort\nhier le loup noir dort\n")
    (tmp_path / "refs").write_text("yesterday the tom sleeps\nyesterday the black wolf sleeps\n")
    scored = kibitz("evaluate", run[0], other, "--references", tmp_path / "refs", "--json").json
    wolf = "yesterday the black wolf sleeps"
    texts = ["yesterday the cat sleeps", wolf], ["yesterday the tom sleeps", wolf]
    assert 0.0 < scored["score"] == pytest.approx(SentenceBLEU().corpus(*texts))
    assert (scored["metric"], scored["inputs"]) == ("BLEU", 2)


def test_a_person_judges_translations(
    kibitz: Kibitz, run: tuple[Path, Any], folder: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(run[0], mine)
    answer = kibitz("judge", mine, "--json", keys="9 s q")
    assert answer.json["answers"] == 1
    assert "the black" in answer.out
    compared = kibitz("judge", mine, folder / "source", "--objective", "pr-bin", "--json", keys="1 q")
    assert compared.json["answers"] == 1


@pytest.mark.parametrize("objective", ["ce", "pr-bin", "pr-cont", "likelihood"])
def test_every_objective_learns_to_translate(kibitz: Kibitz, folder: Path, objective: str) -> None:
    begun = ["--weights", folder / "weights", "--objective", objective, "--iterations", 40, "--rate", 0.1]
    assert 0.3 < kibitz(*learning(folder, *begun)).json["dev"] <= 1.0


def test_a_run_goes_on_from_an_interruption_and_from_a_model(
    kibitz: Kibitz, run: tuple[Path, Any], folder: Path, tmp_path: Path
) -> None:
    more = kibitz(*learning(folder, "--start", run[0], "--iterations", 2)).json
    assert more["dev"] == 1.0
    settings = json.loads((run[0] / "settings.json").read_text())
    (tmp_path / "settings.json").write_text(json.dumps({**settings, "finished": False}))
    again = kibitz("learn", "--resume", tmp_path, "--json").json
    assert (again["dev"], again["test"]) == (run[1]["dev"], run[1]["test"])
    assert (load(tmp_path).weights == load(run[0]).weights).all()


def test_full_information_leaves_out_references_that_cannot_be_said(
    kibitz: Kibitz, folder: Path, tmp_path: Path
) -> None:
    lines = (folder / "references").read_text().splitlines()
    changed = tmp_path / "references"
    changed.write_text("\n".join(["a kitten", *lines[1:]]) + "\n")
    told = ["--train", folder / "source", "--references", changed, "--objective", "likelihood"]
    learn = ["learn", "translation", *options(folder), *told, "--iterations", 5, "--json"]
    assert "1 of 6 inputs are not learnt from" in kibitz(*learn).json["warnings"][0]
    changed.write_text("a kitten\n" * 6)
    refused = kibitz(*learn)
    assert refused.code == 2
    assert "No gold answer is one of the outputs" in refused.err


def test_weights_are_tuned_on_references(kibitz: Kibitz, folder: Path, tmp_path: Path) -> None:
    source, out = folder / "source", tmp_path / "tuned"
    tune = [
        "translation", "tune", source, "--references", folder / "references", *options(folder), "--weights",
        folder / "weights", "--iterations", 200, "--draws", 4, "--rate", 0.3, "--out", out, "--json",
    ]  # fmt: skip
    told = kibitz(*tune).json
    weights = read_weights(out)
    assert (told["weights"], told["active"], told["dev"]) == (str(out), len(weights), None)
    assert told["heard"][-1] < 0.5 * told["heard"][0]
    assert told["feedback"] % 4 == 0 < told["feedback"] < 800  # where all draws are equal nothing is compared
    decode = ["translation", "decode", source, *options(folder), "--weights", out]
    assert kibitz(*decode).out == (folder / "references").read_text()
    chosen = kibitz(*tune, "--dev", source, "--dev-references", folder / "references").json
    assert chosen["dev"] == 1.0


def test_a_sweep_runs_over_sentences(kibitz: Kibitz, folder: Path, tmp_path: Path) -> None:
    answer = kibitz(
        "sweep", "translation", *options(folder, "train", "dev"), "--rate", "0.01,0.1", "--iterations", 5,
        "--workers", 1, "--out", tmp_path / "sweep.jsonl", "--json",
    )  # fmt: skip
    assert len(answer.json["standings"]) == 2


def test_what_is_wrong_with_the_files_is_said_before_anything_runs(
    refused: Callable[..., str], folder: Path, tmp_path: Path, run: tuple[Path, Any], model: Path
) -> None:
    out, short, blank, plf = (tmp_path / name for name in ("out", "short", "blank", "plf"))
    short.write_text("the cat\n")
    blank.write_text("le chat\n \n")
    plf.write_text("le chat\n((('chat', 1, 1),\n")
    learn, source = ["learn", "translation", "--out", out], ["--train", folder / "source"]
    ruled, told = ["--grammar", folder / "rules"], ["--references", folder / "references"]
    assert "--train FILE" in refused(*learn, *ruled)
    assert "--train needs references" in refused(*learn, *ruled, *source)
    assert "--references belongs to --train" in refused(*learn, *ruled, *told)
    assert "--dev needs references" in refused(*learn, *ruled, *source, *told, "--dev", folder / "source")
    assert "short:2: the file ends here" in refused(*learn, *ruled, *source, "--references", short)
    assert "blank:2: the sentence is empty" in refused(
        *learn, *ruled, "--train", blank, "--references", blank
    )
    assert "plf:2: this lattice" in refused(*learn, *ruled, "--train", plf, "--references", plf)
    assert "There are no rules" in refused(*learn, *source, *told)
    assert "is no translation model" in refused(*learn, *source, *told, "--system", tmp_path)
    assert "There is no file" in refused(*learn, *source, *told, "--grammar", tmp_path / "nowhere")
    assert "a pop limit is at least 1" in refused(*learn, *ruled, *source, *told, "--best-pop-limit", 0)
    assert "a pop limit is at least 1" in refused(*learn, *ruled, *source, *told, "--pop-limit", 0)
    assert "both say where to begin" in refused(
        *learn, *ruled, *source, *told, "--weights", folder / "weights", "--start", run[0]
    )
    assert "another kind of space" in refused(*learn, *ruled, *source, *told, "--start", model)
    assert "--system belongs to the task translation" in refused("learn", "chunking", "--system", out)
    assert "--references" in refused("evaluate", run[0], folder / "source")
    assert not out.exists()


def test_sentences_beyond_those_that_are_kept_are_parsed_anew(
    folder: Path, run: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    space = load(run[0]).space
    lines = (folder / "source").read_text().splitlines()
    whole: Any = space.corpus(lines, lines)
    assert len(lines) < KEPT
    assert all(whole[i] is whole[i] for i in range(len(lines)))
    monkeypatch.setattr("kibitz.translation.corpus.KEPT", 2)
    part: Any = space.corpus(lines, lines)
    assert part[1] is part[1]
    assert part[2] is not part[2]
    weights = load(run[0]).weights
    assert space.predict(part, weights) == space.predict(whole, weights)
    chosen = part.subset([4, 0])
    assert isinstance(chosen, Sentences)
    assert space.predict(chosen, weights) == [space.predict(whole, weights)[i] for i in (4, 0)]
    assert [chosen.gold_of(i) for i in range(2)] == [lines[4], lines[0]]
