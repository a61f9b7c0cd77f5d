"""What all tests share: a numba cache that can be trusted, and real data sets where they can be had."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _numba_cache() -> Path:
    """A cache folder of its own for each state of the sources.

    Numba's cache looks at the file of the function that is called, not at those of what that calls:
    after a change there it would run the old machine code.
    """
    digest = hashlib.sha256()
    for path in sorted((ROOT / "src" / "kibitz").rglob("*.py")):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    folder = ROOT / ".numba" / digest.hexdigest()[:16]
    if folder.parent.is_dir():
        for other in folder.parent.iterdir():
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
    return folder


# Before anything imports numba; pytest-xdist's workers and the commands that tests start inherit it.
if "NUMBA_CACHE_DIR" not in os.environ:
    os.environ["NUMBA_CACHE_DIR"] = str(_numba_cache())

import hypothesis  # noqa: E402
import pytest  # noqa: E402

from kibitz.data import CATALOGUE, Split, data_folder  # noqa: E402
from kibitz.data import conll2000 as conll2000_set  # noqa: E402
from kibitz.data import letters as letters_set  # noqa: E402
from kibitz.errors import DataUnavailable  # noqa: E402

hypothesis.settings.register_profile("steady", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("steady")

MISSING = "data set not at hand: "


def _real(name: str, load: Callable[..., Split]) -> Split:
    try:
        return load(download=False)
    except DataUnavailable:
        pytest.skip(MISSING + name)


@pytest.fixture(scope="session")
def conll() -> Split:
    """CoNLL-2000 from KIBITZ_DATA or the cache; without it the test is skipped, and the run says so."""
    return _real("conll2000", conll2000_set.load)


@pytest.fixture(scope="session")
def letters() -> Split:
    """The letters, from KIBITZ_DATA or the cache; without them the test is skipped, and the run says so."""
    return _real("letters", letters_set.load)


@pytest.fixture(scope="session")
def decoder_peers() -> Path:
    """What established decoders read and printed; it is in a folder that KIBITZ_DATA names, or nowhere."""
    folder = (data_folder() or Path("nowhere")) / "decoder_peers"
    if not folder.is_dir():
        pytest.skip(f"{MISSING}decoder_peers")
    return folder


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with nothing in it, and no KIBITZ_DATA: what is cached lands below it."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for variable in ("KIBITZ_DATA", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    return home


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
    """Below all else, one line for each set that tests went without."""
    yield
    without: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        _, _, reason = report.longrepr if isinstance(report.longrepr, tuple) else ("", 0, "")
        if MISSING in reason:
            name = reason.partition(MISSING)[2]
            without[name] = without.get(name, 0) + 1
    for name, count in sorted(without.items()):
        fetched = f" or run `kibitz data fetch {name}`" if name in {entry.name for entry in CATALOGUE} else ""
        terminalreporter.write_line(
            f"Data set {name!r} is missing, so {count} of the tests did not run: set KIBITZ_DATA{fetched}.",
            yellow=True,
            bold=True,
        )
