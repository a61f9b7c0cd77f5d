"""The command line as a test calls it, and small column files for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz.cli.application import app
from kibitz.data.sentences import as_columns, generated_split


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out.splitlines()[-1])
        return found


Kibitz = Callable[..., Answer]


@pytest.fixture
def kibitz() -> Kibitz:
    """Run a command in this process."""

    def run(*arguments: object, keys: str = "") -> Answer:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=keys)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def refused(kibitz: Kibitz) -> Callable[..., str]:
    """Run a command that must be refused with one sentence and exit code 2; the sentence."""

    def run(*arguments: object) -> str:
        answer = kibitz(*arguments)
        lines = [line for line in answer.err.splitlines() if line.startswith("Error: ")]
        assert answer.code == 2, answer
        assert len(lines) == 1, answer
        assert answer.err.rstrip().endswith(lines[0])
        return lines[0].removeprefix("Error: ")

    return run


@dataclass(frozen=True)
class Files:
    train: Path
    dev: Path
    test: Path

    @property
    def options(self) -> list[object]:
        return ["--train", self.train, "--dev", self.dev, "--test", self.test]


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Generated sentences with noun phrases: word, tag, label."""
    folder = tmp_path_factory.mktemp("columns")
    split = generated_split(train=120, dev=30, test=30)
    paths = Files(folder / "train.txt", folder / "dev.txt", folder / "test.txt")
    for path, examples in zip(
        (paths.train, paths.dev, paths.test), (split.train, split.dev, split.test), strict=True
    ):
        path.write_text(as_columns(list(examples)), encoding="utf-8")
    return paths


@pytest.fixture(scope="session")
def model(files: Files, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The --out folder of a short run; tests that change it must copy it."""
    out = tmp_path_factory.mktemp("runs") / "run"
    result = CliRunner().invoke(
        app, ["learn", "sequence", *map(str, files.options), "--iterations", "3000", "--out", str(out)]
    )
    assert result.exit_code == 0, result.output
    return out
