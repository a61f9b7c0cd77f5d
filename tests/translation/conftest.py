"""Puts this folder on the path, so that its tests share `derivations`, and finds the peers' data."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def cdec_tests() -> Path:
    """The system tests of cdec below KIBITZ_DATA; without them the test is skipped, and the run says so."""
    folder = Path(os.environ.get("KIBITZ_DATA", "nowhere")) / "decoder_peers" / "cdec_system_tests"
    if not folder.is_dir():
        pytest.skip("data set not at hand: decoder_peers")
    return folder
