"""Where data comes from: the user's folder, the cache, the source; and never a damaged copy."""

import gzip
import hashlib
import io
import lzma
import re
import tarfile
from pathlib import Path

import pytest

from kibitz.data import cache_folder, data_set, download, fetch, present
from kibitz.data.catalogue import CATALOGUE, DataFile, DataSet, PackageFile
from kibitz.data.folders import write_whole
from kibitz.data.source import locate, read
from kibitz.errors import DataUnavailable, InputError

CONTENT = b"some words\n" * 50


def file(path: str = "room/words.txt", url: str | None = None, content: bytes = CONTENT) -> DataFile:
    return DataFile(path, hashlib.sha256(content).hexdigest(), url=url)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "room").mkdir(parents=True)
    return tmp_path / "data"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file to download, as a server would have it."""
    path = tmp_path / "server" / "words.txt.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(CONTENT))
    return path


@pytest.mark.parametrize(
    ("ending", "packed"),
    [("", CONTENT), (".gz", gzip.compress(CONTENT, mtime=0)), (".xz", lzma.compress(CONTENT))],
)
def test_the_named_folder_is_read_packed_or_not(folder: Path, ending: str, packed: bytes) -> None:
    (folder / f"room/words.txt{ending}").write_bytes(packed)
    assert read(file()) == (file(), CONTENT)


def test_a_file_that_differs_from_the_catalogue_is_refused(folder: Path) -> None:
    (folder / "room/words.txt").write_bytes(CONTENT + b"!")
    with pytest.raises(InputError, match=r"words\.txt is not room/words\.txt as it should be"):
        read(file())


def test_the_named_folder_is_never_left_for_the_network(folder: Path, source: Path) -> None:
    with pytest.raises(DataUnavailable, match=re.escape(str(folder))):
        read(file(url=source.as_uri()))


def test_a_folder_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match=r"KIBITZ_DATA names .*nowhere"):
        read(file())


def test_a_download_is_unpacked_checked_and_kept(empty_home: Path, source: Path) -> None:
    wanted = file(url=source.as_uri())
    assert read(wanted)[1] == CONTENT
    source.unlink()
    assert read(wanted)[1] == CONTENT
    assert empty_home in cache_folder().parents
    assert [path.name for path in (cache_folder() / "room").iterdir()] == ["words.txt"]


def test_a_wrong_download_leaves_nothing_behind(empty_home: Path, source: Path) -> None:
    source.write_bytes(gzip.compress(b"something else"))
    with pytest.raises(DataUnavailable, match="cannot be had"):
        read(file(url=source.as_uri()))
    assert locate(file()) is None
    assert not cache_folder().exists()


def test_a_damaged_copy_in_the_cache_is_fetched_again(empty_home: Path, source: Path) -> None:
    wanted = file(url=source.as_uri())
    write_whole(cache_folder() / wanted.path, CONTENT[:10])
    with pytest.raises(InputError, match="SHA-256"):
        read(wanted, download=False)
    assert read(wanted)[1] == CONTENT


def test_the_second_source_serves_when_the_first_fails(empty_home: Path, source: Path) -> None:
    gone = file("room/gone.txt", url=(source.parent / "gone.gz").as_uri())
    there = file(url=source.as_uri())
    assert read(gone, there) == (there, CONTENT)
    assert read(gone, there, download=False) == (there, CONTENT)


def test_every_failure_is_told_when_no_source_serves(empty_home: Path, tmp_path: Path) -> None:
    files = [file(f"room/{name}", url=(tmp_path / name).as_uri()) for name in ("one.gz", "two.gz")]
    with pytest.raises(DataUnavailable, match=r"one\.gz.*two\.gz.*KIBITZ_DATA"):
        read(*files)


def test_without_download_the_way_to_get_it_is_told(empty_home: Path, source: Path) -> None:
    with pytest.raises(DataUnavailable, match="kibitz data fetch"):
        read(file(url=source.as_uri()), download=False)


def test_a_cache_that_cannot_be_written_is_named(empty_home: Path, source: Path) -> None:
    cache_folder().parent.mkdir(parents=True)
    cache_folder().write_text("a file where the folder should be")
    with pytest.raises(InputError, match="cannot be written"):
        read(file(url=source.as_uri()))


def test_fetch_gets_every_part(empty_home: Path, source: Path) -> None:
    parts = ((file(url=source.as_uri()),), (file("room/other.txt", url=source.as_uri()),))
    wanted = DataSet("words", "words", "none", "nowhere", parts)
    assert not present(wanted)
    assert fetch(wanted) == [cache_folder() / "room/words.txt", cache_folder() / "room/other.txt"]
    assert present(wanted)


def test_a_file_is_taken_out_of_a_source_distribution(
    empty_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as files:
        entry = tarfile.TarInfo("parcel-1.0/parcel/words.txt")
        entry.size = len(CONTENT)
        files.addfile(entry, io.BytesIO(CONTENT))
    monkeypatch.setattr("pypi_simple.PyPISimple", lambda: Index(archive.getvalue()))
    wanted = DataFile("words", file().sha256, package=PackageFile("parcel", "1.0", "parcel/words.txt"))
    assert read(wanted)[1] == CONTENT
    for member, version in (("parcel/other.txt", "1.0"), ("parcel/words.txt", "2.0")):
        missing = DataFile("other", file().sha256, package=PackageFile("parcel", version, member))
        with pytest.raises(DataUnavailable, match="cannot be had"):
            read(missing)


def test_a_silent_package_index_is_told(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pypi_simple.PyPISimple", lambda: Index(None))
    with pytest.raises(
        InputError, match=r"parcel 1\.0 cannot be had from the package index: ConnectionError"
    ):
        download.download(DataFile("words", "", package=PackageFile("parcel", "1.0", "words.txt")))


class Index:
    """A package index with one source distribution, or one that is out of reach."""

    def __init__(self, archive: bytes | None) -> None:
        self.archive = archive
        self.packages = [self]
        self.filename, self.version, self.package_type = "parcel-1.0.tar.gz", "1.0", "sdist"

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get_project_page(self, project: str, timeout: float) -> "Index":
        assert project == "parcel"
        if self.archive is None:
            raise ConnectionError("no route")
        return self

    def download_package(self, package: object, path: Path, timeout: float, progress: object) -> None:
        assert package is self
        assert self.archive is not None
        with progress(len(self.archive)) as tracker:  # type: ignore[operator]
            path.write_bytes(self.archive)
            tracker.update(len(self.archive))


def test_the_catalogue_is_whole() -> None:
    names = ["conll2000", "letters", "europarl", "news", "post-edits", "news-samples"]
    assert [entry.name for entry in CATALOGUE] == names
    for entry in CATALOGUE:
        assert data_set(entry.name) is entry
        for wanted in (wanted for part in entry.parts for wanted in part):
            assert re.fullmatch(r"[0-9a-f]{64}", wanted.sha256)
            assert wanted.source != "nowhere" or entry.by_hand


def test_a_file_of_an_archive_is_not_found_in_it(empty_home: Path, tmp_path: Path) -> None:
    archive = tmp_path / "sets.tgz"
    with tarfile.open(archive, "w:gz") as files:
        for name, content in (("sets/dev/other-words.txt", b"other"), ("sets/dev/words.txt", CONTENT)):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            files.addfile(entry, io.BytesIO(content))
    wanted = DataFile(file().path, file().sha256, url=archive.as_uri(), member="words.txt")
    assert read(wanted) == (wanted, CONTENT)
    gone = DataFile("room/gone.txt", file().sha256, url=archive.as_uri(), member="gone.txt")
    with pytest.raises(DataUnavailable, match=r"no file gone\.txt"):
        read(gone)


def test_a_file_to_be_got_by_hand_is_looked_for_elsewhere(empty_home: Path) -> None:
    entry = DataSet("words", "", "", "", ((file(),),))
    assert entry.by_hand
    with pytest.raises(DataUnavailable, match="by hand"):
        fetch(entry)
    assert not DataSet("words", "", "", "", ((file(), file(url="https://example.org/words")),)).by_hand


def test_an_unknown_set_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="conll2000, letters"):
        data_set("conll2003")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_whole(path, "no bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
