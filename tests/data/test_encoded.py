"""The cache of encoded inputs: used when right, made again when not, never in the way."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.data import cache_folder, cached


class Builder:
    """Counts how often it had to build."""

    def __init__(self) -> None:
        self.built = 0

    def __call__(self) -> dict[str, NDArray[Any]]:
        self.built += 1
        return {"numbers": np.arange(1000, dtype=np.int32), "empty": np.empty((0, 3), dtype=np.float32)}


@pytest.fixture
def build(empty_home: Path) -> Builder:
    assert empty_home in cache_folder().parents
    return Builder()


def stored() -> list[Path]:
    return sorted((cache_folder() / "encoded").iterdir())


def test_the_second_time_nothing_is_built(build: Builder) -> None:
    first = cached(["sum", {"lines": ["w[0]"]}], build)
    second = cached(["sum", {"lines": ["w[0]"]}], build)
    assert build.built == 1
    assert first.keys() == second.keys()
    for name, array in first.items():
        assert second[name].dtype == array.dtype
        np.testing.assert_array_equal(second[name], array)


@pytest.mark.parametrize("other", [["sum"], ["sum", "x", ""], ["sumx"], ["x", "sum"], ["sum", ["x"]]])
def test_another_key_is_another_encoding(build: Builder, other: list[Any]) -> None:
    cached(["sum", "x"], build)
    cached(other, build)
    assert build.built == 2


@pytest.mark.parametrize("keep", [0, 10, 300, -30])
def test_a_damaged_file_is_made_again(build: Builder, keep: int) -> None:
    cached(["sum"], build)
    [path] = stored()
    path.write_bytes(path.read_bytes()[:keep])
    np.testing.assert_array_equal(cached(["sum"], build)["numbers"], np.arange(1000))
    assert build.built == 2
    cached(["sum"], build)
    assert build.built == 2


def test_flipped_bytes_are_noticed(build: Builder) -> None:
    cached(["sum"], build)
    [path] = stored()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    np.testing.assert_array_equal(cached(["sum"], build)["numbers"], np.arange(1000))
    assert build.built == 2


def test_a_cache_that_cannot_be_written_is_done_without(build: Builder) -> None:
    cache_folder().parent.mkdir(parents=True)
    cache_folder().write_text("a file where the folder should be")
    assert len(cached(["sum"], build)["numbers"]) == 1000
    assert len(cached(["sum"], build)["numbers"]) == 1000
    assert build.built == 2


def test_the_cache_does_not_grow_without_end(build: Builder) -> None:
    for i in range(30):
        cached([i], build)
    assert len(stored()) == 16
    cached([29], build)
    assert build.built == 30
