"""Reranking from the command line: lists of one's own in, a model, predictions and scores out."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import AdaGrad, Candidate, Candidates, Learner, load
from kibitz.data.nbest import NBest, as_json_line, as_moses_lines, read_nbest
from kibitz.feedback import SentenceBLEU

Kibitz = Callable[..., Any]
WORDS = "the old house stood by a river near town".split()


def lists(seed: int, count: int, *, losses: bool = False) -> list[NBest]:
    """Noisy copies of a reference, and features that tell something of the noise."""
    random, loss = np.random.default_rng(seed), SentenceBLEU()
    made = []
    for number in range(count):
        gold = [str(word) for word in random.choice(WORDS, random.integers(4, 8))]
        candidates = []
        for _ in range(6):
            changed = random.random(len(gold)) < random.random()
            words = [str(random.choice(WORDS)) if c else w for w, c in zip(gold, changed, strict=True)]
            wrong = float(sum(changed)) + 0.3 * float(random.normal())
            candidates.append(Candidate(" ".join(words), {"wrong": wrong, "length": float(len(words))}))
        reference = " ".join(gold)
        given = [loss(each.text, reference) for each in candidates] if losses else None
        kept = None if losses else reference
        made.append(NBest(str(number), candidates, number + 1, given, kept, f"source {number}"))
    return made


def write(path: Path, made: list[NBest]) -> Path:
    path.write_text("".join(as_json_line(each) + "\n" for each in made), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    folder = tmp_path_factory.mktemp("lists")
    options: list[object] = []
    for seed, (part, count) in enumerate({"train": 40, "dev": 15, "test": 15}.items()):
        options += [f"--{part}", write(folder / f"{part}.jsonl", lists(seed, count))]
    return options


@pytest.fixture(scope="module")
def run(parts: list[object], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """The --out folder of a run, and its figures."""
    from typer.testing import CliRunner

    from kibitz.cli.application import app

    out = tmp_path_factory.mktemp("reranked") / "run"
    arguments = ["learn", "rerank", *map(str, parts), "--iterations", "3000", "--out", str(out), "--json"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return out, json.loads(result.stdout.splitlines()[-1])


def test_it_learns_from_what_is_heard_of_the_drawn_candidate(run: tuple[Path, Any]) -> None:
    out, figures = run
    assert (figures["task"], figures["metric"], figures["higher_is_better"]) == ("rerank", "BLEU", True)
    curve = [json.loads(line) for line in (out / "curve.jsonl").read_text().splitlines()]
    assert figures["dev"] > curve[0]["dev"] + 0.1
    assert figures["feedback"] == 3000
    assert (out / "report.html").is_file()


def test_predictions_are_the_best_text_of_each_list_and_evaluate_scores_them(
    kibitz: Kibitz, run: tuple[Path, Any], parts: list[object], tmp_path: Path
) -> None:
    out, figures = run
    test = Path(str(parts[-1]))
    texts = kibitz("predict", out, test).out.splitlines()
    made = list(read_nbest(test))
    learner = load(out / "model")
    assert texts == [learner.predict(nbest.candidates) for nbest in made]
    found = kibitz("evaluate", out, test, "--json").json
    references = [nbest.reference for nbest in made]
    assert found["score"] == pytest.approx(SentenceBLEU().corpus(texts, references))
    assert found["score"] == pytest.approx(figures["test"])
    assert found["first"] < found["score"] <= found["oracle"]
    assert found["candidates"] == 90
    assert "oracle" in kibitz("evaluate", out, test).out


def test_moses_lists_with_references_of_their_own_are_the_same_lists(
    kibitz: Kibitz, run: tuple[Path, Any], parts: list[object], tmp_path: Path
) -> None:
    made = list(read_nbest(str(parts[-1])))
    lines = [line for each in made for line in as_moses_lines(each, [0.0] * len(each.candidates))]
    path, references = tmp_path / "nbest.gz", tmp_path / "references"
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    references.write_text("".join(f"{each.reference}\n" for each in made))
    found = kibitz("evaluate", run[0], path, "--references", references, "--json").json
    assert found["score"] == pytest.approx(run[1]["test"])
    options = ["--train", path, "--references", references, "--dev", path, "--dev-references", references]
    learnt = kibitz("learn", "rerank", *options, "--iterations", "50", "--json")
    assert learnt.json["metric"] == "BLEU"
    assert kibitz("predict", run[0], path).out == kibitz("predict", run[0], parts[-1]).out


def test_given_losses_are_heard_and_their_mean_is_reported(kibitz: Kibitz, tmp_path: Path) -> None:
    train = write(tmp_path / "train.jsonl", lists(1, 30, losses=True))
    dev = write(tmp_path / "dev.jsonl", lists(2, 15, losses=True))
    out = tmp_path / "run"
    answer = kibitz(
        "learn", "rerank", "--train", train, "--dev", dev, "--objective", "pr-bin", "--iterations", "2000",
        "--out", out, "--json",
    )  # fmt: skip
    assert (answer.json["metric"], answer.json["higher_is_better"]) == ("mean loss", False)
    curve = [json.loads(line) for line in (out / "curve.jsonl").read_text().splitlines()]
    assert answer.json["dev"] < curve[0]["dev"] - 0.05
    assert kibitz("evaluate", out, dev, "--json").json["score"] == pytest.approx(answer.json["dev"])


@pytest.mark.parametrize("objective", ["ce", "pr-cont", "likelihood"])
def test_every_objective_of_the_command_learns(kibitz: Kibitz, parts: list[object], objective: str) -> None:
    answer = kibitz("learn", "rerank", *parts, "--objective", objective, "--iterations", "300", "--json")
    assert 0.0 < answer.json["dev"] <= 1.0


def test_a_run_goes_on_from_a_model_and_from_an_interruption(
    kibitz: Kibitz, run: tuple[Path, Any], parts: list[object], tmp_path: Path
) -> None:
    more = kibitz("learn", "rerank", *parts, "--start", run[0], "--iterations", "100", "--json").json
    assert more["dev"] == pytest.approx(run[1]["dev"], abs=0.1)
    settings = json.loads((run[0] / "settings.json").read_text())
    (tmp_path / "settings.json").write_text(json.dumps({**settings, "finished": False}))
    again = kibitz("learn", "--resume", tmp_path, "--json").json
    assert (again["dev"], again["test"]) == (run[1]["dev"], run[1]["test"])


def test_a_sweep_runs_over_lists(kibitz: Kibitz, parts: list[object], tmp_path: Path) -> None:
    answer = kibitz(
        "sweep", "rerank", *parts, "--rate", "0.01,0.1", "--iterations", "200", "--workers", "1",
        "--out", tmp_path / "sweep.jsonl", "--json",
    )  # fmt: skip
    assert len(answer.json["standings"]) == 2


def test_a_person_judges_texts(kibitz: Kibitz, run: tuple[Path, Any], tmp_path: Path) -> None:
    import shutil

    mine = tmp_path / "mine"
    shutil.copytree(run[0], mine)
    answer = kibitz("judge", mine, "--json", keys="0 5 q")
    assert answer.json["answers"] == 2
    assert "source" in answer.out
    compared = kibitz("judge", mine, "--objective", "pr-bin", "--json", keys="1 2 q")
    assert compared.json["answers"] == 2


def test_what_is_wrong_with_the_lists_is_said_before_anything_runs(
    refused: Callable[..., str], tmp_path: Path, run: tuple[Path, Any], files: Any, model: Path
) -> None:
    made = lists(1, 3)
    good = write(tmp_path / "good.jsonl", made)
    given = write(tmp_path / "given.jsonl", lists(1, 3, losses=True))
    none = tmp_path / "none.jsonl"
    none.write_text('{"id": 1, "candidates": [{"text": "a", "features": {"x": 1}}]}\n')
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"id": 1, "reference": "a", "candidates": [{"text": "a", "features": {}}]}\n')
    two = tmp_path / "two.jsonl"
    two.write_text(
        '{"id": 1, "candidates": [{"text": "a", "features": {"x": 1}, "loss": 0}, '
        '{"text": "a", "features": {"x": 2}, "loss": 1}]}\n'
    )
    out = tmp_path / "out"
    learn = ["learn", "rerank", "--out", out]
    assert "--train FILE" in refused(*learn)
    assert "There is no file" in refused(*learn, "--train", tmp_path / "nowhere")
    assert "none.jsonl:1: the candidates of the list '1' have no losses" in refused(*learn, "--train", none)
    assert "no reference" in refused(*learn, "--train", given, "--loss", "bleu")
    assert "given.jsonl:1" in refused(*learn, "--train", good, "--dev", given)
    assert "nothing to learn from" in refused(*learn, "--train", bare)
    assert "two.jsonl:1: the text 'a' has the losses 0 and 1" in refused(*learn, "--train", two)
    assert "bleu, given" in refused(*learn, "--train", good, "--loss", "f1")
    assert "--dev-references belongs to --dev" in refused(*learn, "--train", good, "--dev-references", good)
    assert "another kind of space" in refused(*learn, "--train", good, "--start", model)
    assert "another kind of space" in refused("learn", "sequence", *files.options, "--start", run[0])
    assert "--references belongs to the task rerank" in refused("learn", "chunking", "--references", good)
    assert "--references belongs to models of texts" in refused("evaluate", model, good, "--references", good)
    assert not out.exists()


def test_losses_are_heard_and_bleu_is_reported_where_dev_has_references(
    kibitz: Kibitz, parts: list[object], tmp_path: Path
) -> None:
    train = write(tmp_path / "clicks.jsonl", lists(0, 40, losses=True))
    out = tmp_path / "run"
    heard = kibitz(
        "learn", "rerank", "--train", train, *parts[2:], "--iterations", "3000", "--out", out, "--json"
    ).json
    assert (heard["metric"], heard["higher_is_better"]) == ("BLEU", True)
    both = kibitz("learn", "rerank", *parts, "--iterations", "3000", "--json").json
    assert heard["dev"] == both["dev"]  # the losses given are those of BLEU
    assert kibitz("evaluate", out, parts[-1], "--json").json["score"] == pytest.approx(heard["test"])


def test_a_model_that_still_grows_predicts_for_lists_with_new_features(
    kibitz: Kibitz, tmp_path: Path
) -> None:
    learner = Learner(Candidates(), "el", optimizer=AdaGrad(rate=0.5), seed=1)
    for _ in range(40):
        proposal = learner.ask([Candidate("a", {"u": 1.0}), Candidate("b", {"v": 1.0})])
        learner.tell(proposal, loss=float(proposal.outputs[0] == "a"))
    learner.save(tmp_path / "model")
    path = tmp_path / "new.jsonl"
    path.write_text(
        '{"id": 1, "reference": "b", "candidates": [{"text": "a", "features": {"u": 1, "new": 1}}, '
        '{"text": "b\\nc", "features": {"v": 1}}]}\n'
    )
    assert kibitz("predict", tmp_path / "model", path).out == "b c\n"
    assert kibitz("evaluate", tmp_path / "model", path, "--json").json["metric"] == "BLEU"


def test_a_run_begins_with_weights_of_a_file(
    kibitz: Kibitz, parts: list[object], run: tuple[Path, Any], tmp_path: Path, refused: Callable[..., str]
) -> None:
    named = tmp_path / "weights"
    learn = ["learn", "rerank", *parts, "--iterations", 1, "--rate", 1e-9, "--json"]
    named.write_text("wrong -3\nnowhere 2\n")
    good = kibitz(*learn, "--weights", named).json["dev"]
    named.write_text("wrong 3\n")
    assert kibitz(*learn, "--weights", named).json["dev"] < good
    assert good > 0.8 * run[1]["dev"]
    assert "both say where to begin" in refused(*learn, "--weights", named, "--start", run[0])
    assert "There is no file" in refused(*learn, "--weights", tmp_path / "none")
