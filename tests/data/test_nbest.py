"""N-best lists: what is read, what is written back, and what is said about broken files."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.data import data_folder
from kibitz.data.nbest import NBest, as_json_line, as_moses_lines, read_nbest
from kibitz.data.nbest.json_lines import parse_json_lines
from kibitz.data.nbest.moses import parse_moses
from kibitz.errors import InputError
from kibitz.spaces.candidates import Candidate

MOSES = "0 ||| a house ||| LM0= -3.5 TM0= -0.5 1e-2 ||| -4.25\n0 ||| the house ||| LM0= -3 ||| -4 ||| 0-0\n"
JSON = '{"id": 7, "candidates": [{"text": "a", "features": {"x": 1}, "loss": 0.5}]}\n'

words = st.text(st.characters(blacklist_categories=["Z", "C"], blacklist_characters="|"), min_size=1)
names = words.map(lambda word: word.rstrip("=:") or "x")
numbers = st.floats(-1e30, 1e30)
features = st.dictionaries(names, numbers, max_size=3)
candidates = st.builds(Candidate, st.lists(words, max_size=4).map(" ".join), features)
lists = st.builds(
    NBest,
    id=words,
    candidates=st.lists(candidates, min_size=1, max_size=3),
    line=st.just(1),
    losses=st.none(),
    reference=st.none() | words,
    source=st.none() | words,
)


def test_moses_lines_of_one_id_are_one_list_and_several_values_get_numbers(tmp_path: Path) -> None:
    path = tmp_path / "nbest.txt"
    path.write_text(MOSES + "1 ||| x ||| ||| 0\n")
    first, second = read_nbest(path)
    assert first.id == "0"
    assert [each.text for each in first.candidates] == ["a house", "the house"]
    assert first.candidates[0].features == {"LM0": -3.5, "TM0_1": -0.5, "TM0_2": 0.01}
    assert first.candidates[1].features == {"LM0": -3.0}
    assert (second.id, second.line, second.candidates[0].features) == ("1", 3, {})


def test_the_older_moses_names_end_in_a_colon() -> None:
    (nbest,) = parse_moses([(1, "0 ||| a ||| lm: -2 tm: -1 -3 ||| -4")], "f")
    assert nbest.candidates[0].features == {"lm": -2.0, "tm_1": -1.0, "tm_2": -3.0}


def test_the_lists_of_moses_itself_add_up_to_its_scores() -> None:
    folder = data_folder()
    if folder is None:
        pytest.skip("needs KIBITZ_DATA")
    path = folder / "decoder_peers/moses_nbest/truth/results.txt"
    rows = [row.split("=", 1)[1] for row in path.read_text("utf8").splitlines() if "_NBEST_" in row]
    lines = [(i, f"0 ||| {row}") for i, row in enumerate(rows, start=1)]
    (nbest,) = parse_moses(lines, "results.txt")
    assert len(nbest.candidates) == 5
    assert nbest.candidates[0].text == "beide Versäumnisse , terroristische Gruppen in Pakistan gestärkt ."
    weights = {"IRSTLM0": 0.5, "Distortion0": 0.6, "WordPenalty0": -1.0}
    weights |= {f"PhraseDictionaryMemory0_{i}": 0.2 for i in range(1, 6)}
    unknown = -500.0  # Moses adds -100 for each of the five unknown words, and does not print that feature
    for (_, line), each in zip(lines, nbest.candidates, strict=True):
        assert set(each.features) == set(weights)
        total = sum(weights[name] * value for name, value in each.features.items())
        assert total + unknown == pytest.approx(float(line.split("|||")[3]), abs=2e-3)


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_packed_files_are_read_like_plain_ones(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"nbest{ending}"
    pack = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[ending]
    path.write_bytes(pack(("\ufeff" + JSON).encode()))
    (nbest,) = read_nbest(path)
    assert (nbest.id, nbest.losses, nbest.candidates[0].features) == ("7", [0.5], {"x": 1})


@given(st.lists(lists, min_size=1, max_size=3))
def test_json_lines_read_back_the_same(written: list[NBest]) -> None:
    lines = [(1, as_json_line(nbest)) for nbest in written]
    assert list(parse_json_lines(lines, "f")) == written


@given(lists)
def test_moses_lines_read_back_the_same(written: NBest) -> None:
    lines = [(1, line) for line in as_moses_lines(written, [0.5] * len(written.candidates))]
    (read,) = parse_moses(lines, "f")
    assert (read.id, read.candidates) == (written.id, written.candidates)


def test_references_come_from_a_file_of_their_own(tmp_path: Path) -> None:
    path, references = tmp_path / "n", tmp_path / "r"
    path.write_text(MOSES + "1 ||| x ||| ||| 0\n")
    references.write_text("the house\ny\n")
    assert [nbest.reference for nbest in read_nbest(path, references)] == ["the house", "y"]
    references.write_text("the house\n")
    with pytest.raises(InputError, match=r"/r has no line for the list '1' at .*/n:3"):
        list(read_nbest(path, references))
    references.write_text("the house\ny\nz\n")
    with pytest.raises(InputError, match=r"/r:3: this line has no list"):
        list(read_nbest(path, references))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "is empty"),
        (b"\n  \n", "is empty"),
        (b"0 ||| a ||| LM0= 1\n", ":1: this line has 3 of the four fields"),
        (b"0 ||| a ||| LM0= 1 ||| 2\n\n0 ||| a ||| 1 ||| 2\n", ":3: the features begin with '1'"),
        (b"0 ||| a ||| LM0= x ||| 2\n", ":1: a value of 'LM0' is 'x'"),
        (b"0 ||| a ||| LM0= nan ||| 2\n", ":1: a value of 'LM0' is 'nan'"),
        (b"0 ||| a ||| LM0= 1e39 ||| 2\n", ":1: a value of 'LM0' is '1e39'"),
        (b"0 ||| a ||| LM0= ||| 2\n", ":1: the feature 'LM0' has no value"),
        (b"0 ||| a ||| LM0= 1 LM0= 2 ||| 2\n", ":1: the feature 'LM0' stands there twice"),
        (b"0 ||| a ||| LM0= 1 ||| two\n", ":1: the score is 'two'"),
        (b" ||| a ||| LM0= 1 ||| 2\n", ":1: this line begins with ''"),
        (b"0 ||| a ||| ||| 2\n1 ||| b ||| ||| 2\n0 ||| a ||| ||| 2\n", ":3: the id '0' was that of .* line 1"),
        (b"0 ||| a\xff ||| ||| 2\n", ":1: this line is not UTF-8"),
        (JSON.encode() + b"0 ||| a ||| ||| 2\n", ":2: this line is not JSON"),
        (JSON.encode() * 2, ":2: the id '7' was that of the list at line 1"),
        (b'{"id": 1}\n', ":1: this line is no n-best list"),
        (b'{"id": 1, "candidates": []}\n', ":1: this list has no candidate"),
        (b'{"candidates": [{"text": "a", "features": {}}]}\n', ':1: this list has no "id"'),
        (b'{"id": 1, "candidates": [3]}\n', ":1: candidate 1 is not as it should be"),
        (b'{"id": 1, "candidates": [{"text": "a"}]}\n', ':1: candidate 1 .* "features"'),
        (b'{"id": 1, "candidates": [{"text": "a", "features": {"x": "1"}}]}\n', ":1: candidate 1 .* 'x'"),
        (b'{"id": 1, "candidates": [{"text": "a", "features": {"x": NaN}}]}\n', ":1: candidate 1 .* 'x'"),
        (b'{"id": 1, "candidates": [{"text": "a", "features": {}, "loss": 2}]}\n', ":1: candidate 1 has the loss 2"),
        (
            b'{"id": 1, "candidates": [{"text": "a", "features": {}, "loss": 1}, {"text": "a", "features": {}}]}\n',
            ":1: candidate 2 has the loss None",
        ),
        (b'{"id": 1, "reference": 3, "candidates": [{"text": "a", "features": {}}]}\n', ':1: the "reference"'),
        (b"{" + b'"a":{' * 100_000 + b"\n", ":1: this line is nested too deeply"),
    ],
)  # fmt: skip
def test_a_broken_line_is_named_and_what_it_should_be(data: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_bytes(data)
    with pytest.raises(InputError, match=complaint) as raised:
        list(read_nbest(path))
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_a_packed_file_that_is_cut_short_or_is_none_is_said_to_be(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"nbest{ending}"
    whole = {".gz": gzip.compress, ".xz": lzma.compress}[ending](MOSES.encode() * 400)
    for data in (whole[:-20], MOSES.encode()):
        path.write_bytes(data)
        with pytest.raises(InputError, match="damaged or cut short"):
            list(read_nbest(path))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        list(read_nbest(tmp_path / "nowhere"))
