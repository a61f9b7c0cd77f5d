"""Column files: what is read, and what is said about broken ones."""

import gzip
import lzma
from pathlib import Path

import pytest

from kibitz.data import generated_chunks, labelled, parse_columns, read_columns
from kibitz.data.sentences import as_columns
from kibitz.errors import InputError


def test_reading_gives_back_what_was_written(tmp_path: Path) -> None:
    examples = generated_chunks(seed=2, count=20)
    text = as_columns(examples).encode()
    packed = {"plain.txt": text, "packed.txt.gz": gzip.compress(text), "packed.txt.xz": lzma.compress(text)}
    for name, data in packed.items():
        path = tmp_path / name
        path.write_bytes(data)
        assert labelled(read_columns(path), name) == examples


@pytest.mark.parametrize(
    "text",
    [
        "a X\nb Y\n\nc Z\n",
        "a X\nb Y\n\nc Z",
        "\n\na X\nb Y\n\n  \n\nc Z\n\n",
        "a X\r\nb Y\r\n\r\nc Z\r\n",
        "a\tX\nb\tY\n\nc\tZ\n",
        "a\tX\nb\tY\n\t\nc\tZ\n",
        "\ufeffa   X \n b Y\n\nc Z\n",
    ],
)
def test_blanks_tabs_and_line_ends_may_vary(text: str) -> None:
    assert parse_columns(text.encode(), "f") == [[("a", "X"), ("b", "Y")], [("c", "Z")]]


def test_words_may_hold_exotic_blanks_and_line_ends() -> None:
    word = "1\u00a0000\u2028\x85\u3000"
    assert parse_columns(f"{word} X\n".encode(), "f") == [[(word, "X")]]


def test_between_tabs_a_column_may_hold_blanks() -> None:
    assert parse_columns(b"New York\tB\n", "f") == [[("New York", "B")]]


def test_a_hash_is_a_word_like_any_other() -> None:
    assert parse_columns(b"# # B\n", "f") == [[("#", "#", "B")]]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"a X\n\nb\n", "f:3: this line has 1 column, not 2 as line 1 has"),
        (b"\na X\nb Y Z\n", "f:3: this line has 3 columns, not 2 as line 2 has"),
        (b"a X\nb \xff\n", "f:2: this line is not UTF-8"),
        (b"a\tX\nb\t\n", "f:2: column 2 of this line is empty"),
        (b"", "f is empty"),
        (b"\n \n\t\n", "f is empty"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(data: bytes, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        parse_columns(data, "f")
    assert str(error.value).startswith(complaint)


def test_a_demanded_number_of_columns_is_checked_from_the_first_line() -> None:
    with pytest.raises(InputError, match=r"f:1: this line has 2 columns, not 3 as expected"):
        parse_columns(b"a X\n", "f", columns=3)


def test_labels_need_a_column_beside_the_words() -> None:
    with pytest.raises(InputError, match="one column only"):
        labelled([[("a",)]], "f")


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_a_file_cut_short_is_refused(tmp_path: Path, ending: str) -> None:
    whole = {".gz": gzip.compress, ".xz": lzma.compress}[ending](b"a X\n" * 100)
    path = tmp_path / f"f{ending}"
    path.write_bytes(whole[:-12])
    with pytest.raises(InputError, match="cut short"):
        read_columns(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*nowhere"):
        read_columns(tmp_path / "nowhere")
    with pytest.raises(InputError, match="cannot be read"):
        read_columns(tmp_path)
